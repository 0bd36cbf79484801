"""How many tokens a provider counts for one image: its documented formulas, for forecasts only.

What a study really used is what the endpoint reported. A formula is declared in the agent's config, never guessed from
a model's name; None where none is documented, and then a forecast of tokens is unknown until something was measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from diag.agents.models.coordinates import Size


class ImageTokens(Protocol):
    """A formula."""

    @property
    def words(self) -> str:
        """The formula in words, as a forecast names it."""

    def of(self, size: Size) -> int:
        """Return the tokens of an image as it is sent (width and height in pixels)."""


@dataclass(frozen=True)
class Tiles:
    """OpenAI, models that count tiles, detail high: fit into 2,048 px, short side to 768 px, then tiles of 512 px."""

    base: int = 85
    tile: int = 170

    @property
    def words(self) -> str:
        """The formula in words."""
        return f"{self.base} + {self.tile} a tile of 512 px"

    def of(self, size: Size) -> int:
        """Return the tokens: 1280 x 900 becomes 1092 x 768, six tiles."""
        share = min(1.0, 2048 / max(size))
        share *= min(1.0, 768 / (min(size) * share))
        across, down = (math.ceil(round(side * share, 6) / 512) for side in size)
        return self.base + self.tile * across * down


@dataclass(frozen=True)
class Patches:
    """One token a square patch, times `multiplier`, at most `limit` patches.

    OpenAI's models that count patches of 32 px (limit 1,536, a multiplier for each model); Qwen3-VL 32 px; Qwen2.5-VL
    and UI-TARS 28 px. Beyond the limit an image is shrunk until its patches fit; the limit is then what is counted.
    """

    side_px: int
    multiplier: float = 1.0
    limit: int | None = None

    @property
    def words(self) -> str:
        """The formula in words."""
        times = "" if self.multiplier == 1 else f", times {self.multiplier:g}"
        return f"one a patch of {self.side_px} px{times}"

    def of(self, size: Size) -> int:
        """Return the tokens."""
        width, height = (math.ceil(side / self.side_px) for side in size)
        n = width * height if self.limit is None else min(self.limit, width * height)
        return math.ceil(n * self.multiplier)


@dataclass(frozen=True)
class Area:
    """Anthropic: width x height / 750 of the image as the model sees it."""

    pixels_per_token: float = 750.0

    @property
    def words(self) -> str:
        """The formula in words."""
        return f"width x height / {self.pixels_per_token:g}"

    def of(self, size: Size) -> int:
        """Return the tokens."""
        return math.ceil(size[0] * size[1] / self.pixels_per_token)
