"""Outcome tables for tests, from values by block and arm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

Values = Sequence[float | None]


def table_of(
    arms: Mapping[str, Values],
    clusters: Sequence[str],
    *,
    outcome: str = "y",
    cohort: str = "D",
    agent: str = "simulated/sol",
    missing: Sequence[tuple[int, str]] = (),
) -> pd.DataFrame:
    """One block a row of `arms`; `missing` names (block, arm) without a valid attempt."""
    rows = [
        {
            "unit_id": f"b{block:02}-{arm}-r0", "block_id": f"b{block:02}", "cohort": cohort, "arm": arm,
            "cluster": clusters[block], "repeat": 0, "checkpoint_id": f"c{block}", "checkpoint_digest": f"d{block}",
            "agent": agent, "simulated": True,
            "validity": "missing" if (block, arm) in missing else "valid",
            outcome: None if (block, arm) in missing else value,
        }
        for arm, values in arms.items()
        for block, value in enumerate(values)
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({outcome: float})


def labels(sizes: Sequence[int]) -> list[str]:
    return [f"level{place}" for place, size in enumerate(sizes) for _ in range(size)]


def coin(rng: np.random.Generator, rate: float, n: int) -> list[float]:
    return (rng.random(n) < rate).astype(float).tolist()
