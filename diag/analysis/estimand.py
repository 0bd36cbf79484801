"""Estimands: the quantity asked for, said before it is estimated. A study derives them from its arms and endpoints.

Estimand("verified recovery, B - A", "verified_recovery", "binary", treatment="B", control="A", cohort="D")
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["binary", "proportion", "count", "time"]
Weighting = Literal["block", "cluster"]


class EstimandError(ValueError):
    """An estimand contradicts itself; the message names the field and its value."""


@dataclass(frozen=True)
class Estimand:
    """A mean paired difference of one outcome between arms of a block.

    The effect of a block is `sum(weight[arm] * outcome[arm])`; a simple contrast has weights +1 and -1.
    """

    name: str
    outcome: str
    """Column of the outcome table."""
    kind: Kind
    treatment: str
    control: str
    cohort: str | None = None
    """Blocks of this cohort only. D and N are separate cohorts: nothing is paired across them."""
    weighting: Weighting = "block"
    """`block`: every block (checkpoint) weighs the same; `cluster`: every cluster (source level) does."""
    cluster: str = "cluster"
    """Column that names the clusters to resample."""
    group: str | None = None
    """Column of the outer level (the game of an objective). Where there is one, groups are what is independent: the
    estimate is the mean over groups of the mean over their clusters, and test and intervals are made of groups."""
    limit: float | None = None
    """Kind `time`: restriction of the mean, in the outcome's unit. A later event, or none, counts as the limit."""
    upper: float | None = None
    """Kind `count`: the largest possible value, for the bounds over missing blocks; None leaves them open."""
    family: str | None = None
    """Contrasts declared together and corrected together. None: exploratory, not corrected, and said so."""
    population: str = ""
    """For which units the outcome is defined, in words, if not for all: said in the sentence of the effect."""
    role: Literal["primary", "secondary", ""] = ""
    """Of its endpoint in the study; empty where nothing was declared."""
    unit: str = ""
    """Of the outcome, in words."""
    smallest_effect: float | None = None
    """The smallest effect of interest, in the outcome's unit."""
    equivalence: float | None = None
    """Margin of equivalence, in the outcome's unit, where the contrast asks for it; None: it asks for a difference."""
    weights: Mapping[str, float] | None = None
    """Arms of a contrast of more than two (a main effect, an interaction); None means treatment minus control."""

    def __post_init__(self) -> None:
        """Refuse what could only be answered wrongly."""
        if self.kind not in ("binary", "proportion", "count", "time"):
            raise EstimandError(f"{self.name}: kind {self.kind!r}, wanted binary, proportion, count or time")
        if self.weighting not in ("block", "cluster"):
            raise EstimandError(f"{self.name}: weighting {self.weighting!r}, wanted block or cluster")
        if self.kind == "time" and not (self.limit is not None and self.limit > 0):
            raise EstimandError(f"{self.name}: a time needs the limit it is restricted to, got {self.limit!r}")
        for name in ("smallest_effect", "equivalence"):
            value = getattr(self, name)
            if value is not None and not 0 < value < self.effect_range[1]:
                wanted = f"above 0 and below {self.effect_range[1]:g}, the greatest effect there can be"
                raise EstimandError(f"{self.name}: {name} {value!r}, wanted {wanted}")
        if self.weights is None and self.treatment == self.control:
            raise EstimandError(f"{self.name}: treatment and control are both {self.treatment!r}")
        if self.weights is not None and abs(sum(self.weights.values())) > 1e-9:
            raise EstimandError(f"{self.name}: weights {dict(self.weights)} sum to {sum(self.weights.values())}, not 0")

    @property
    def arm_weights(self) -> dict[str, float]:
        """The weight of each arm in a block's effect."""
        return dict(self.weights) if self.weights is not None else {self.treatment: 1.0, self.control: -1.0}

    @property
    def label(self) -> str:
        """The contrast in a word: `B-A`, or the name of a sum over several arms, `main K`."""
        plain = f"{self.treatment}-{self.control}"
        return plain if self.weights is None else self.name.removeprefix(f"{self.outcome}: ")

    @property
    def value_range(self) -> tuple[float, float] | None:
        """The smallest and largest possible outcome of one unit; None if it has no upper end."""
        top = {"binary": 1.0, "proportion": 1.0, "time": self.limit, "count": self.upper}[self.kind]
        return None if top is None else (0.0, top)

    @property
    def effect_range(self) -> tuple[float, float]:
        """The smallest and largest possible effect; infinite where the outcome has no upper end."""
        top = math.inf if self.value_range is None else self.value_range[1]
        reach = top * sum(weight for weight in self.arm_weights.values() if weight > 0)
        return -reach, reach
