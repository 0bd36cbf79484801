"""What a call costs: a price table from a file, and a rule that an unknown price is null, never 0."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError  # type: ignore[import-untyped]  # PyYAML comes with omegaconf, without types

from diag.agents.models.reply import Tokens
from diag.config.words import load_words
from diag.errors import ConfigError, one_line

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
    """Return a model's price from a table, or None: unknown. The whole table is checked, whatever the model.

        currency: USD                # one for the table; USD if left out
        models:
          NAME: {input: 2.5, output: 10, cached_input: 1.25}    # per million tokens; cached_input may be left out

    Raises:
        ConfigError: the file is missing or is no such table; the message names the entry, what it has and what is
            wanted.
    """
    try:
        with path.open(encoding="utf-8") as stream:
            table: Any = OmegaConf.to_container(load_words(stream, text_keys={"currency": False}))
    except (OSError, OmegaConfBaseException, YAMLError, ValueError) as error:
        raise ConfigError(f"price table {path}: {one_line(error)}") from error
    prices = {name: _price(entry, f"price table {path}: models.{name}", table) for name, entry in _models(table, path)}
    return prices.get(model)


def _models(table: Any, path: Path) -> list[tuple[str, Any]]:
    """Return the entries of a table."""
    found = table.get("models") if isinstance(table, dict) else None
    if not isinstance(found, dict):
        raise ConfigError(
            f"price table {path}: wanted `models: {{NAME: {{input: .., output: ..}}}}`, got {table!r:.100}"
        )
    unknown = sorted(set(map(str, table)) - {"models", "currency"})
    currency = table.get("currency", "USD")
    if unknown or not isinstance(currency, str) or any(letter.isdigit() for letter in currency):
        raise ConfigError(f"price table {path}: beside models it holds currency, a word; got {unknown or table!r:.100}")
    return [(str(name), entry) for name, entry in found.items()]


def _price(entry: Any, where: str, table: Mapping[str, Any]) -> Price:
    known = [item.name for item in fields(Price)]
    if not isinstance(entry, dict) or not {"input", "output"} <= set(entry) <= set(known):
        raise ConfigError(f"{where}: wanted input and output, and perhaps cached_input, currency; got {entry!r:.100}")
    for name in ("input", "output", "cached_input"):
        value = entry.get(name)
        if (value is None and name != "cached_input") or isinstance(value, bool | str | list | dict):
            raise ConfigError(f"{where}.{name}: wanted a number per million tokens, got {value!r:.100}")
    try:
        return Price(**{"currency": table.get("currency", "USD"), **entry})
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error
