"""Several contrasts declared together: Holm's step-down correction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Return adjusted p-values in the given order (Holm 1979): the k-th smallest times (m - k + 1), made monotone.

    Raises:
        ValueError: a value is outside [0, 1].
    """
    values = np.asarray(p_values, dtype=float)
    if ((values < 0) | (values > 1) | np.isnan(values)).any():
        raise ValueError(f"p-values lie in [0, 1], got {values.tolist()}")
    order = np.argsort(values, kind="stable")
    steps = np.minimum(1.0, values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.maximum.accumulate(steps)
    return [float(value) for value in adjusted]
