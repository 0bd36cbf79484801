r"""Hides every known secret in what an endpoint says, before anything else reads it: answers and errors.

An endpoint or a proxy may echo the key, the header that carried it, or the user and password of its address. A secret
is found as it is, in any capitals, and in any mixture of percent, JSON, HTML and `\x` escapes of its characters; in
base64 (also of the URL alphabet, in lines, and within a longer text, such as `user:password`); in hexadecimal;
backwards; spelt out with a space or a mark after each character; and split over the texts of a list. What is written
in base64, base32 or hexadecimal is read, up to three times over, and hidden as a whole if a secret is found in it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit

HIDDEN = "[key]"
SHORTEST = 4
"""Characters of a secret; a shorter one is in every text by chance."""
PLACEHOLDERS = frozenset(("not-needed", "empty", "none", "null", "dummy", "test", "ollama", "lm-studio", "no-key"))
"""What servers that check no key are given instead: words that a model may say."""

DEEPEST = 3
"""Encodings of an encoding that are read."""
_SPELT = r"[\s,;|.·_-]{0,3}"
"""Between the characters of a secret that is spelt out."""
_SPELT_FROM = 8
"""Characters of a secret that is looked for spelt out; of a shorter one, chance writes the letters."""

_READERS: tuple[tuple[str, int, Callable[[str], bytes]], ...] = (
    ("A-Za-z0-9+/_-", 4, lambda text: base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_"))),
    ("A-Z2-7", 8, base64.b32decode),
    ("a-z2-7", 8, partial(base64.b32decode, casefold=True)),
    ("0-9A-Fa-f", 2, bytes.fromhex),
)
"""Of each encoding: its letters, how many of them stand for whole bytes, and what reads them."""
_ZERO = "A"
"""Fills up what the end of a run lacks: a letter of each encoding."""

_NAMES = {"&": ("&amp;",), "<": ("&lt;",), ">": ("&gt;",), '"': ("&quot;",), "'": ("&apos;",)}
"""Entities of HTML that have a name."""


class Hider:
    """Takes secrets out of texts and of JSON values."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if len(secret) >= SHORTEST and secret.lower() not in PLACEHOLDERS}
        forms = [form for secret in sorted(known, key=len, reverse=True) for form in _forms(secret)]
        self._pattern = re.compile("|".join(forms)) if forms else None
        shortest = min((len(secret) for secret in known), default=0)
        self._runs = [(_run(letters, shortest), whole, read) for letters, whole, read in _READERS]

    def hide(self, text: str) -> str:
        """Return a text with every trace of a secret taken out."""
        return self._hide(text, DEEPEST)

    def _hide(self, text: str, deeper: int) -> str:
        if self._pattern is None:
            return text
        text = self._pattern.sub(HIDDEN, text)
        for run, whole, read in self._runs if deeper else ():
            text = run.sub(partial(self._hide_read, whole, read, deeper - 1), text)
        return text

    def _hide_read(self, whole: int, read: Callable[[str], bytes], deeper: int, run: re.Match[str]) -> str:
        """Return a run of letters, or `HIDDEN` if a secret is found where they are read, beginning at any of them."""
        letters = "".join(run[0].split())
        meant = (letters[at:] + _ZERO * (-len(letters[at:]) % whole) for at in range(whole))
        decoded = (read(one).decode("utf-8", "replace") for one in meant)
        return HIDDEN if any(self._hide(one, deeper) != one for one in decoded) else run[0]

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
    between = _SPELT if len(secret) >= _SPELT_FROM else ""
    both_ways = [f"(?i:{_escaped(one, between)})" for one in (secret, secret[::-1])]
    return [*encoded, f"(?i:{hexadecimal})", *both_ways]


def _run(letters: str, shortest: int) -> re.Pattern[str]:
    """Return a pattern of so many letters of an encoding or more, in lines too."""
    return re.compile(rf"(?:[{letters}]|(?<=[{letters}]{{16}})\r?\n(?=[{letters}])){{{shortest},}}")


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
