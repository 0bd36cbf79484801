r"""Hides every known secret in what an endpoint says, before anything else reads it: answers and errors.

An endpoint or a proxy may echo the key, the header that carried it, or the user and password of its address. A secret
is found as it is, in any capitals, and in any mixture of percent, JSON, HTML and `\x` escapes of its characters; in
base64 (also of the URL alphabet, in lines, and within a longer text, such as `user:password`); in hexadecimal;
backwards; and split over the texts of a list.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

HIDDEN = "[key]"
SHORTEST = 4
"""Characters of a secret; a shorter one is in every text by chance."""
PLACEHOLDERS = frozenset(("not-needed", "empty", "none", "null", "dummy", "test", "ollama", "lm-studio", "no-key"))
"""What servers that check no key are given instead: words that a model may say."""

_NAMES = {"&": ("&amp;",), "<": ("&lt;",), ">": ("&gt;",), '"': ("&quot;",), "'": ("&apos;",)}
"""Entities of HTML that have a name."""


class Hider:
    """Takes secrets out of texts and of JSON values."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if len(secret) >= SHORTEST and secret.lower() not in PLACEHOLDERS}
        forms = [form for secret in sorted(known, key=len, reverse=True) for form in _forms(secret)]
        self._pattern = re.compile("|".join(forms)) if forms else None

    def hide(self, text: str) -> str:
        """Return a text with every trace of a secret taken out."""
        return self._pattern.sub(HIDDEN, text) if self._pattern else text

    def hide_in(self, value: Any) -> Any:
        """Return a JSON value with every trace of a secret taken out of its texts and names."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, Mapping):
            return {self.hide(name): self.hide_in(one) for name, one in value.items()}
        if isinstance(value, list):
            return self._across([self.hide_in(one) for one in value])
        return value

    def _across(self, parts: list[Any]) -> list[Any]:
        """Take out what is split over the texts of a list, which are joined later: the first then holds them all."""
        texts = [part for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
        whole = "".join(part["text"] for part in texts)
        hidden = self.hide(whole)
        for part, text in zip(texts, (hidden, *[""] * len(texts)), strict=False) if hidden != whole else ():
            part["text"] = text
        return parts


def credentials_in(address: str | None) -> tuple[str, ...]:
    """Return what is secret in an address: its password, `user:password`, and each as it is without escapes."""
    try:
        parts = urlsplit(address or "")
    except ValueError:
        return ()
    password, user = parts.password, parts.username or ""
    if not password:
        return (user, unquote(user)) if user else ()
    plain, plain_user = unquote(password), unquote(user)
    return password, plain, f"{user}:{password}", f"{plain_user}:{plain}"


def _forms(secret: str) -> list[str]:
    """Return patterns of a secret, the longest first."""
    data = secret.encode("utf-8", "surrogatepass")
    encoded = [_escaped(form, r"\s{0,2}") for form in _base64_forms(data) if len(form) >= SHORTEST]
    hexadecimal = r"[\s:]?".join(f"{byte:02x}" for byte in data)
    return [*encoded, f"(?i:{hexadecimal})", f"(?i:{_escaped(secret)})", f"(?i:{_escaped(secret[::-1])})"]


def _base64_forms(data: bytes) -> list[str]:
    """Return the characters that any base64 of a text with these bytes in it holds: one form for each offset."""
    forms = [base64.b64encode(data).decode()]
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data).decode().rstrip("=")
        whole = (before + len(data)) * 8 // 6
        forms.append(text[(before * 8 + 5) // 6 : whole])
    return [*forms, *(form.replace("+", "-").replace("/", "_") for form in forms)]


def _escaped(text: str, between: str = "") -> str:
    """Return a pattern of a text in which each character stands as it is or escaped, with a pattern between them."""
    return between.join(f"(?:{'|'.join(_ways(character))})" for character in text)


def _ways(character: str) -> list[str]:
    number = ord(character)
    units = character.encode("utf-16-be", "surrogatepass").hex()
    code = r"\\{1,8}u".join(units[place : place + 4] for place in range(0, len(units), 4))
    code = rf"\\{{1,8}}u(?:{code}|\{{0{{0,6}}{number:x}\}})"
    percent = "".join(f"%(?:25){{0,4}}{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
    ways = [
        rf"\\{{0,4}}{re.escape(character)}",
        f"(?i:{percent})",
        f"(?i:{code})",
        f"(?i:&#0{{0,6}}{number};|&#x0{{0,6}}{number:x};)",
    ]
    ways += [f"(?i:{name})" for name in _NAMES.get(character, ())]
    return [*ways, rf"(?i:\\{{1,8}}x{number:02x})"] if number < 256 else ways
