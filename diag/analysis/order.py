"""Does an outcome depend on the place of its arm in the block, or on the arm that came before it?

What is left of an outcome after its block's and its arm's mean is averaged by place and by preceding arm. The plan
dealt the orders to the blocks without looking at them, so under no influence of the order they may be dealt anew: p is
the share of 2,000 such deals in which the averages differ as much (sum of n times squared average). Complete blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from diag.analysis.estimand import Estimand
from diag.analysis.multiplicity import holm
from diag.analysis.pairs import FloatArray, counted, pair

ORDER_COLUMNS = ("cohort", "endpoint", "asks", "level", "n", "deviation", "p", "holm_p")
DRAWS = 2_000


def order_table(table: pd.DataFrame, estimands: Sequence[Estimand], *, seed: int) -> list[dict[str, object]]:
    """Return the rows of `tables/order.csv`: by cohort, endpoint and question (`place`, `after`), one row a level.

    Args:
        table: the outcome table, rows in plan order.
        estimands: whose endpoints are asked about; each endpoint of a cohort once.
        seed: of the deals.
    """
    by_order = table.groupby(["block_id", "repeat"], sort=False)["arm"]
    placed = table.assign(_place=by_order.cumcount() + 1, _after=by_order.shift())
    first = counted(placed).sort_values("repeat", kind="stable").drop_duplicates(["block_id", "arm"])
    asked = {(one.cohort, one.outcome): one for one in estimands}
    checks = [found for one in asked.values() for found in _checks(first, one, np.random.default_rng(seed))]
    corrected = holm([p for *_, p in checks])
    return [
        {"cohort": one.cohort or "all", "endpoint": one.outcome, "asks": asks, "level": level, "n": n,
         "deviation": deviation, "p": p, "holm_p": adjusted}
        for (one, asks, levels, p), adjusted in zip(checks, corrected, strict=True)
        for level, n, deviation in levels
    ]  # fmt: skip


def _checks(
    rows: pd.DataFrame, asked: Estimand, rng: np.random.Generator
) -> Iterator[tuple[Estimand, str, list[tuple[str, int, float]], float]]:
    """Yield (estimand, question, [(level, n, mean deviation)], p) of one endpoint; nothing without variation.

    Between two arms, what came before says no more than the place.
    """
    rows = rows if asked.cohort is None else rows[rows["cohort"] == asked.cohort]
    arms = sorted(rows["arm"].unique())
    if len(arms) < 2:
        return
    every = dict.fromkeys(arms, 1.0) | {arms[0]: 1.0 - len(arms)}
    pairs = pair(rows, replace(asked, weights=every))
    if len(pairs.values) < 2:
        return
    left = pairs.values - pairs.values.mean(axis=0) - pairs.values.mean(axis=1, keepdims=True) + pairs.values.mean()
    if np.abs(left).max() < 1e-9:
        return
    for asks, column in (("place", "_place"), ("after", "_after"))[: 1 if len(arms) == 2 else 2]:
        found = rows.assign(block_id=rows["block_id"].astype(str)).pivot(index="block_id", columns="arm", values=column)
        labels = found.reindex(index=list(pairs.blocks), columns=arms)
        names = sorted({name for name in labels.to_numpy().ravel() if not pd.isna(name)})
        held = np.stack([labels.eq(name).to_numpy(dtype=float) for name in names], axis=-1)
        n = held.sum(axis=(0, 1))
        sums, p = _dealt(left, held, n, rng)
        yield asked, asks, [(str(a), int(b), float(c / b)) for a, b, c in zip(names, n, sums, strict=True)], p


def _dealt(
    left: FloatArray, held: FloatArray, n: FloatArray, rng: np.random.Generator, *, draws: int = DRAWS
) -> tuple[FloatArray, float]:
    """Return the sum of each level, shape (n_levels,), and p over deals of the orders to the blocks.

    Args:
        left: shape (n_blocks, n_arms), what is left of each outcome.
        held: shape (n_blocks, n_arms, n_levels), 1 where an outcome has the level.
        n: shape (n_levels,), outcomes of each level.
        rng: the only source of randomness.
        draws: deals.
    """
    flat = held.reshape(-1, held.shape[-1])
    deals = rng.permuted(np.tile(np.arange(len(left)), (draws, 1)), axis=1)
    sums = left.ravel() @ flat
    dealt = left[deals].reshape(draws, -1) @ flat
    reached = ((dealt**2 / n).sum(axis=1) >= (sums**2 / n).sum() - 1e-9).sum()
    return sums, float((1 + reached) / (1 + draws))


def order_sentence(rows: Sequence[Mapping[str, object]]) -> str:
    """Return what the checks come to in a line; empty without any."""
    if not rows:
        return ""
    checks = {(row["cohort"], row["endpoint"], row["asks"]): row for row in rows}
    p, corrected, least = min((float(str(row["p"])), float(str(row["holm_p"])), name) for name, row in checks.items())
    says = "an outcome may depend on the order of the arms" if corrected < 0.05 else "nothing seen"
    of = f"{least[1]} by {'place' if least[2] == 'place' else 'preceding arm'}, cohort {least[0]}"
    return f"order and carry-over: {says}; least p of {len(checks)} checks {p:.3f} ({of}), Holm {corrected:.3f}"
