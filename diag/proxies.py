"""Proxies of the environment: this machine is never reached through one, and an error says which one was in between."""

from __future__ import annotations

import ipaddress
import os
import urllib.request
from urllib.parse import urlsplit

from diag.foreign_text import without_credentials

_LOOPBACK = ("127.0.0.1", "localhost", "::1", "0.0.0.0")  # noqa: S104 - as a server's own address, typed by its user
_NO_PROXY = ("no_proxy", "NO_PROXY")


def spare_loopback(address: str | None = None) -> None:
    """Except this machine from the environment's proxies, for this process and those that it starts.

    Without any proxy the environment stays as it is: where the system has settings of its own, these hold.

    Args:
        address: another address that will be asked; its host is excepted as well if it is a loopback one.
    """
    if not any(os.environ.get(name) for name in os.environ if _names_a_proxy(name)):
        return
    host = _host(address or "")
    spared = [*_LOOPBACK, *([host] if _is_loopback(host) else [])]
    before = {name: os.environ[name] for name in _NO_PROXY if name in os.environ}
    for name in _NO_PROXY:
        kept = [one.strip() for one in before.get(name, next(iter(before.values()), "")).split(",") if one.strip()]
        os.environ[name] = ",".join([*kept, *(one for one in dict.fromkeys(spared) if one not in kept)])


def way_to(address: str) -> str:
    """Return the proxy that requests to an address go through, `" through the proxy http://..."`; empty for none."""
    parts = urlsplit(address)
    found = urllib.request.getproxies()
    proxy = found.get(parts.scheme) or found.get("all")
    if not proxy or not parts.hostname or urllib.request.proxy_bypass(parts.hostname):
        return ""
    return f" through the proxy {without_credentials(proxy)}"


def _names_a_proxy(name: str) -> bool:
    return name.lower().endswith("_proxy") and name.lower() != "no_proxy"


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
