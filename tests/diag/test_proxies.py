"""Requests to this machine never go through a proxy; an error names the proxy that was in between."""

import os

import pytest

from diag.proxies import spare_loopback, way_to

PROXY = "http://user:secret@127.0.0.1:9"


@pytest.fixture(autouse=True)
def proxied(monkeypatch):
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "")  # so that the test's end takes away what is written
    monkeypatch.delenv("no_proxy")
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.setenv("HTTP_PROXY", PROXY)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8/v1", "http://localhost:8", "http://127.0.0.7:8", "http://[::1]:8"]
)
def test_this_machine_is_spared(address):
    assert way_to(address) == " through the proxy http://[key]@127.0.0.1:9"
    spare_loopback(address)
    assert way_to(address) == ""
    assert way_to("http://models.example/v1") == " through the proxy http://[key]@127.0.0.1:9"


def test_what_the_user_spared_stays_spared(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "models.example")
    spare_loopback()
    spare_loopback()
    assert way_to("http://models.example/v1") == way_to("http://127.0.0.1:8") == ""
    assert os.environ["no_proxy"].count("127.0.0.1") == 1


def test_without_a_proxy_nothing_is_set(monkeypatch):
    monkeypatch.delenv("HTTP_PROXY")
    spare_loopback()
    assert "no_proxy" not in os.environ
