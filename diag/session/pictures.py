"""Screenshots on disk, named by their content: `<root>/<ab>/<sha256>.png`, each stored once, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from games.contract import JsonObject
from games.digest import sha256_of
from games.picture import decoded_digest


class PictureError(ValueError):
    """A stored picture is missing or its bytes are not those its name promises."""


class PictureStore:
    """A content-addressed folder of PNG files that many workers may write to at once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def save(self, png: bytes) -> str | None:
        """Store a picture and return its SHA-256 name; None for no picture (rules only)."""
        if not png:
            return None
        name = hashlib.sha256(png).hexdigest()
        path = self.path(name)
        if not path.exists():
            _write_whole(path, png)
        return name

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


def _write_whole(path: Path, data: bytes) -> None:
    """Write beside the target, then rename: a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise
