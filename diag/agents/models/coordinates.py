"""The coordinate contract of a model: which numbers it writes, and which screenshot pixel each of them means.

Three sizes are kept apart: the viewport (what the dispatcher counts in), the image sent (the screenshot, resized
by this program if `send` says so), and the image the model sees after the provider resized it (`seen`). In space
`pixels` the model's numbers are pixels of the image it sees; in space `grid` they run from 0 to `grid_max` over its
width and height. Nothing is clamped: a number outside its space is an `OutsideSpace`.

Rounding: a pixel of a resized image stands for its middle, `(x + 0.5) * width / width_seen - 0.5`, so both far edges of
every image land inside the screen. A grid runs over pixel indices, `x * (width - 1) / grid_max`, so 0 is the first
pixel and `grid_max` the last. Halves round up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

from diag.session.actions import VIEWPORT_HEIGHT_PX, VIEWPORT_WIDTH_PX

Size = tuple[int, int]
"""Width and height in pixels."""
VIEWPORT: Size = (VIEWPORT_WIDTH_PX, VIEWPORT_HEIGHT_PX)


class OutsideSpace(ValueError):
    """A model named a point outside its own space. The message is public."""


class Resize(Protocol):
    """A rule by which an image changes its size."""

    def apply(self, size: Size) -> Size:
        """Return the size of the resized image."""


@dataclass(frozen=True)
class Same:
    """The image stays as it is."""

    def apply(self, size: Size) -> Size:
        """Return the size unchanged."""
        return size


@dataclass(frozen=True)
class FitWithin:
    """Shrunk, never enlarged, until its long side and its area fit (hosted models: 1024 or 1568 px)."""

    long_side_px: int
    max_pixels: int | None = None

    def __post_init__(self) -> None:
        if self.long_side_px < 1 or (self.max_pixels is not None and self.max_pixels < 1):
            raise ValueError(f"a size limit is at least 1, got {self}")

    def apply(self, size: Size) -> Size:
        """Return the size with its proportions kept, each side at least 1 px."""
        width, height = size
        share = min(1.0, self.long_side_px / max(size))
        if self.max_pixels is not None:
            share = min(share, math.sqrt(self.max_pixels / (width * height)))
        return max(1, math.floor(width * share + 0.5)), max(1, math.floor(height * share + 0.5))


@dataclass(frozen=True)
class Multiples:
    """Both sides become multiples of `factor`, the area stays within limits (Qwen-VL and UI-TARS "smart resize")."""

    factor: int = 28
    min_pixels: int = 3_136
    max_pixels: int = 12_845_056

    def __post_init__(self) -> None:
        if self.factor < 1 or not self.factor**2 <= self.min_pixels <= self.max_pixels:
            raise ValueError(f"factor from 1 and factor**2 <= min_pixels <= max_pixels, got {self}")

    def apply(self, size: Size) -> Size:
        """Return the nearest multiples; if the area is out of its limits, both sides are scaled together first."""
        width, height = (max(self.factor, round(side / self.factor) * self.factor) for side in size)
        if width * height > self.max_pixels:
            share = math.sqrt(size[0] * size[1] / self.max_pixels)
            width, height = (max(self.factor, math.floor(side / share / self.factor) * self.factor) for side in size)
        elif width * height < self.min_pixels:
            share = math.sqrt(self.min_pixels / (size[0] * size[1]))
            width, height = (math.ceil(side * share / self.factor) * self.factor for side in size)
        return width, height


@dataclass(frozen=True)
class CoordinateContract:
    """What a model's numbers mean. Declared in the agent's config, never guessed from a model's name."""

    space: Literal["pixels", "grid"] = "pixels"
    grid_max: int = 1000
    send: Resize = Same()
    """How this program resizes the screenshot before it is sent."""
    seen: Resize = Same()
    """How the provider resizes what it was sent."""
    device_scale: float = 1.0
    """Screenshot pixels per viewport pixel."""

    def __post_init__(self) -> None:
        if self.space not in ("pixels", "grid") or self.grid_max < 1 or not self.device_scale > 0:
            raise ValueError(f"space is pixels or grid, grid_max from 1, device_scale above 0, got {self}")

    @property
    def size_sent(self) -> Size:
        """Size of the image that is sent."""
        width, height = (math.floor(side * self.device_scale + 0.5) for side in VIEWPORT)
        return self.send.apply((width, height))

    @property
    def size_seen(self) -> Size:
        """Size of the image the model sees."""
        return self.seen.apply(self.size_sent)

    @property
    def limits(self) -> tuple[int, int]:
        """The largest valid x and y in the model's own space; the smallest is 0."""
        if self.space == "grid":
            return self.grid_max, self.grid_max
        width, height = self.size_seen
        return width - 1, height - 1

    def to_screen(self, x: float, y: float) -> tuple[int, int]:
        """Return the viewport pixel a point of the model's space means.

        Raises:
            OutsideSpace: a coordinate is below 0, above its limit or not finite.
        """
        for name, value, limit in zip("xy", (x, y), self.limits, strict=True):
            if not 0 <= value <= limit:
                raise OutsideSpace(f"{name} must be from 0 to {limit}, got {value!r:.40}")
        return self.meant(x, y)

    def meant(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel a finite point means, inside the screen or not: what `agent-check` measures with."""
        if self.space == "grid":
            return _grid_pixel(x, VIEWPORT[0], self.grid_max), _grid_pixel(y, VIEWPORT[1], self.grid_max)
        width, height = self.size_seen
        return _pixel(x, VIEWPORT[0], width), _pixel(y, VIEWPORT[1], height)

    def to_model(self, x: int, y: int) -> tuple[int, int]:
        """Return the point of the model's space that a viewport pixel is shown as (history, prefix)."""
        if self.space == "grid":
            return _grid_point(x, VIEWPORT[0], self.grid_max), _grid_point(y, VIEWPORT[1], self.grid_max)
        width, height = self.size_seen
        return _pixel(x, width, VIEWPORT[0]), _pixel(y, height, VIEWPORT[1])

    def distance_to_screen(self, dy: float) -> int:
        """Return a vertical distance of the model's space in viewport pixels."""
        share = VIEWPORT[1] / (self.grid_max if self.space == "grid" else self.size_seen[1])
        return _half_up(dy * share)

    def distance_to_model(self, dy: int) -> int:
        """Return a vertical distance in viewport pixels as the model's space counts it."""
        return _half_up(dy * (self.grid_max if self.space == "grid" else self.size_seen[1]) / VIEWPORT[1])

    def to_json(self) -> dict[str, object]:
        """Return the contract as it is logged with each decision."""
        return {
            "space": self.space if self.space == "pixels" else f"grid 0-{self.grid_max}",
            "viewport": list(VIEWPORT),
            "sent": list(self.size_sent),
            "seen": list(self.size_seen),
            "device_scale": self.device_scale,
            "rounding": "half up",
        }


def _half_up(value: float) -> int:
    return math.floor(value + 0.5)


def _pixel(value: float, side: int, side_seen: int) -> int:
    return _half_up((value + 0.5) * side / side_seen - 0.5)


def _grid_pixel(value: float, side: int, grid_max: int) -> int:
    return _half_up(value * (side - 1) / grid_max)


def _grid_point(pixel: int, side: int, grid_max: int) -> int:
    return _half_up(pixel * grid_max / (side - 1))
