"""The spread of a measure as the cells of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from diag.reading.style import DASH, number

if TYPE_CHECKING:
    import pandas as pd


def spread_cells(values: pd.Series, *, digits: int = 1, scale: float = 1.0) -> tuple[str, ...]:
    """Return mean, standard deviation, median, least and greatest as cells."""
    if values.empty:
        return (DASH,) * 5
    found = (values.mean(), values.std(ddof=1), values.median(), values.min(), values.max())
    return tuple(number(float(value), digits, scale) for value in found)
