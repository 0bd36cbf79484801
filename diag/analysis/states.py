"""These states: did the treatment change anything in the very blocks that were played? Nothing is said of others.

The sharp null says that in no block the arm made a difference; then the arms of a block can be exchanged, block by
block, and all such exchanges are tried. However blocks lie in clusters, the test is exact, for it claims nothing beyond
them. The other target, *new levels*, is tested over clusters (`diag.analysis.signflip`).

Sources: Fisher (1935); for pairs of yes and no this is the exact McNemar test, and its mid-p form is McNemar's of
Fagerland, Lydersen & Laake (2013).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from diag.analysis.pairs import FloatArray, Pairs
from diag.analysis.proportions import McNemar
from diag.analysis.signflip import sign_flip

THESE_STATES = "Did the treatment change anything in these very blocks?"
NEW_LEVELS = "Would it on new levels like these, taking clusters as drawn from many?"


@dataclass(frozen=True)
class StatesTest:
    """The sharp null within pairs, two-sided."""

    question: str
    test: str
    p: float | None
    """Exact; None if no block differs."""
    mid_p: float | None
    """McNemar's mid-p; pairs of yes and no only."""
    adjusted_p: float | None
    """Exact p after step-down max-T over the family, the arms of a block exchanged in all its contrasts at once."""
    n_blocks: int


def states_test(pairs: Pairs, table: McNemar | None, *, seed: int) -> StatesTest:
    """Return the test of a mean paired effect; `table` for pairs of yes and no."""
    n = len(pairs.blocks)
    if table is not None:
        return StatesTest(THESE_STATES, "exact McNemar", table.exact_p, table.mid_p, None, n)
    found = sign_flip(block_parts(pairs), rng=np.random.default_rng(seed))
    test = "exact exchange of arms within blocks" if found.exact else "exchange of arms within blocks, 100,000 drawn"
    return StatesTest(THESE_STATES, test, found.p, None, None, n)


def block_parts(pairs: Pairs) -> FloatArray:
    """Return shape (n_blocks,): what each block adds to the estimate, up to one factor."""
    if pairs.groups is None and pairs.estimand.weighting == "block":
        return pairs.effects
    size = Counter(pairs.clusters)
    weight = np.array([size[one] for one in pairs.clusters], dtype=float)
    if pairs.groups is not None:
        held = Counter(group for group, _ in set(zip(pairs.groups, pairs.clusters, strict=True)))
        weight *= [held[one] for one in pairs.groups]
    return np.asarray(pairs.effects / weight)
