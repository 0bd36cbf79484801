"""Regions of a screenshot and what can be said of their pixels without knowing the game."""

from __future__ import annotations

import io
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
REGIONS = {
    "board": (40, 96, 840, 784),
    "bar": (0, 0, 1280, 24),
    "subtitle": (928, 160, 288, 34),
    "legend": (928, 246, 288, 380),
    "message": (928, 668, 288, 116),
    "count": (1100, 410, 122, 52),
}
"""Name to (left, top, width, height) in viewport pixels."""
INK_LEVELS = 12.0
"""A region whose grey values spread less than this (standard deviation, of 255) is blank."""


def region(name: str) -> tuple[int, int, int, int]:
    """Return a named region, or the one that `left,top,width,height` says. Raises ValueError."""
    if name in REGIONS:
        return REGIONS[name]
    parts = name.split(",")
    if len(parts) != 4 or not all(part.isdecimal() for part in parts):
        raise ValueError(f"region {name!r}: wanted left,top,width,height or one of {', '.join(REGIONS)}")
    left, top, width, height = map(int, parts)
    return left, top, width, height


def crop(png: bytes, name: str) -> Pixels:
    """Return a region of a screenshot, shape (height, width, 3). Raises ValueError."""
    left, top, width, height = region(name)
    return _decoded(png)[top : top + height, left : left + width]


def is_same(one: bytes, other: bytes, name: str) -> bool:
    """Tell whether two screenshots agree in every pixel of a region."""
    return bool(np.array_equal(crop(one, name), crop(other, name)))


def is_inked(png: bytes, name: str) -> bool:
    """Tell whether something is written or drawn in a region."""
    return float(crop(png, name).mean(axis=2).std()) >= INK_LEVELS


@lru_cache(maxsize=16)
def _decoded(png: bytes) -> Pixels:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
