"""What a call costs: a price table from a file, and a rule that an unknown price is null, never 0."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError  # type: ignore[import-untyped]  # PyYAML comes with omegaconf, without types

from diag.agents.models.reply import Tokens
from diag.errors import ConfigError

PER = 1_000_000


@dataclass(frozen=True)
class Price:
    """Prices of one model per million tokens; images are charged as the input tokens that the endpoint reports."""

    input: float
    output: float
    cached_input: float | None = None
    """None: cached input costs what other input costs."""
    currency: str = "USD"

    def __post_init__(self) -> None:
        for value in (self.input, self.output, self.cached_input):
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise ValueError(f"prices are finite numbers from 0, got {self}")

    def cost(self, tokens: Tokens) -> float | None:
        """Return what a call cost; None if the endpoint did not report its tokens."""
        if tokens.input is None or tokens.output is None:
            return None
        cached = min(tokens.cached or 0, tokens.input)
        cached_price = self.input if self.cached_input is None else self.cached_input
        return ((tokens.input - cached) * self.input + cached * cached_price + tokens.output * self.output) / PER


def load_price(path: Path, model: str) -> Price | None:
    """Return a model's price from a table (`models: {NAME: {input: ..., output: ...}}`), or None: unknown.

    Raises:
        ConfigError: the file is missing or is no such table.
    """
    try:
        table: Any = OmegaConf.to_container(OmegaConf.load(path))
        models: Mapping[str, Any] = table["models"]
        entry = models.get(model)
        return None if entry is None else Price(**{"currency": table.get("currency", "USD"), **entry})
    except (OSError, OmegaConfBaseException, YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"price table {path}: {' '.join(str(error).split())}") from error
