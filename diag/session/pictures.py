"""Screenshots on disk, named by their content: `<root>/<ab>/<sha256>.png`, each stored once, whole or not at all.

A name is a promise about bytes: it is checked wherever a picture is read, and before one that is there is used again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

from diag.records.sealed import write_whole
from games.contract import JsonObject
from games.digest import sha256_of
from games.picture import decoded_digest

Fault = Literal["missing", "damaged"]


class PictureError(ValueError):
    """A stored picture is missing or its bytes are not those its name promises."""


class PictureStore:
    """A content-addressed folder of PNG files that many workers may write to at once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def save(self, png: bytes) -> str | None:
        """Store a picture and return its SHA-256 name; None for no picture (rules only).

        A file of that name with other bytes, as a killed machine leaves one, is written again.

        Raises:
            StorageError: the disk does not take it.
        """
        if not png:
            return None
        name = hashlib.sha256(png).hexdigest()
        if self.fault(name) is not None:
            write_whole(self.path(name), png)
        return name

    def fault(self, name: str) -> Fault | None:
        """Tell what is wrong with a stored picture; None if its bytes are those its name promises."""
        try:
            png = self.path(name).read_bytes()
        except OSError:
            return "missing"
        return None if hashlib.sha256(png).hexdigest() == name else "damaged"

    def damaged(self) -> tuple[str, ...]:
        """Return the names of all stored pictures whose bytes are not those their names promise, in order."""
        return tuple(sorted(path.stem for path in self.root.glob("??/*.png") if self.fault(path.stem) == "damaged"))

    def load(self, name: str) -> bytes:
        """Return a stored picture. Raises PictureError if it is missing or damaged."""
        try:
            png = self.path(name).read_bytes()
        except FileNotFoundError as error:
            raise PictureError(f"picture {name} is not in the store") from error
        found = hashlib.sha256(png).hexdigest()
        if found != name:
            raise PictureError(f"picture {name} is damaged: its bytes have digest {found}")
        return png

    def path(self, name: str) -> Path:
        """Return where a picture of this name lives."""
        return self.root / name[:2] / f"{name}.png"


def pixel_digest(png: bytes, scene: JsonObject) -> str:
    """Return the digest of what a player sees: decoded RGB and size, or, without a picture, the visible scene.

    File bytes may differ for equal pixels (encoder versions); the decoded picture is what conditions must share.
    """
    if not png:
        return sha256_of({key: value for key, value in scene.items() if key not in ("seq", "motion")})
    return decoded_digest(png)
