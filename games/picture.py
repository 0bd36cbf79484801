"""The digest of a picture: over its pixels, not over the bytes of its file."""

from __future__ import annotations

import hashlib
import io
from functools import lru_cache

from PIL import Image


@lru_cache(maxsize=256)  # who restores a screen and who records it ask for the same picture; many seats at a time
def decoded_digest(picture: bytes) -> str:
    """Return the SHA-256 (hex) of a picture's size and decoded RGB; equal pixels give equal names in any file format.

    Raises:
        PIL.UnidentifiedImageError: the bytes are not a picture.
        OSError: the picture is truncated.
    """
    with Image.open(io.BytesIO(picture)) as image:
        return pixels_digest(image)


def pixels_digest(image: Image.Image) -> str:
    """Return the digest of a picture that is decoded already."""
    pixels = image.convert("RGB")
    return hashlib.sha256(b"%dx%d:" % pixels.size + pixels.tobytes()).hexdigest()
