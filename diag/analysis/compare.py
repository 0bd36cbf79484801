"""Two studies side by side: the difference of their effects, paired block by block, or a refusal.

Both studies must have the same blocks, checkpoints, clusters and arms, so that the difference within a block compares
agents and nothing else. Clusters are shared: one draw takes a source level of both studies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import Effect, analyse, corrected, effect_of, interim_effects
from diag.analysis.estimand import Estimand
from diag.analysis.pairs import Pairs, pair

if TYPE_CHECKING:
    import pandas as pd


class UnpairedStudies(ValueError):
    """The two studies do not have the same units; the message says what differs."""


@dataclass(frozen=True)
class Comparison:
    """Effects of both studies and of the first minus the second."""

    name_a: str
    name_b: str
    effects_a: tuple[Effect, ...]
    effects_b: tuple[Effect, ...]
    differences: tuple[Effect, ...]
    """Difference of effects: `(treatment - control) of a` minus the same of b; arms named `a: B - A`."""
    arms: tuple[Effect, ...]
    """Study a minus study b within each arm, for every outcome."""
    simulated: tuple[str, ...]
    """Which of the two are simulated agents; shown wherever these numbers are."""


def compare(
    table_a: pd.DataFrame, table_b: pd.DataFrame, estimands: Sequence[Estimand], *, plan: ResamplePlan | None = None
) -> Comparison:
    """Return the paired comparison of two outcome tables.

    Raises:
        UnpairedStudies: units, checkpoints or clusters differ, or the studies cannot be told apart by agent.
        TableProblem: a table cannot answer an estimand.
    """
    refuse_unpaired(table_a, table_b)
    resampling = plan or ResamplePlan()
    name_a, name_b = _name(table_a, "a"), _name(table_b, "b")
    if name_a == name_b:
        name_a, name_b = f"{name_a} (first)", f"{name_b} (second)"
    differences = [
        replace(effect_of(difference(pair(table_a, e), pair(table_b, e), name_a, name_b), plan=resampling), kind=e.kind)
        for e in estimands
    ]
    return Comparison(
        name_a=name_a,
        name_b=name_b,
        effects_a=analyse(table_a, estimands, plan=resampling),
        effects_b=analyse(table_b, estimands, plan=resampling),
        differences=corrected(differences),
        arms=_arm_effects(table_a, table_b, estimands, name_a, name_b, resampling),
        simulated=tuple(
            name
            for name, table in ((name_a, table_a), (name_b, table_b))
            if "simulated" in table and table["simulated"].astype("boolean").any()
        ),
    )


def interim_comparison(found: Comparison, how_far: str) -> Comparison:
    """Return a comparison of which a study has not ended: every effect marked, none with a verdict."""
    return replace(
        found,
        effects_a=interim_effects(found.effects_a, how_far),
        effects_b=interim_effects(found.effects_b, how_far),
        differences=interim_effects(found.differences, how_far),
        arms=interim_effects(found.arms, how_far),
    )


def refuse_unpaired(table_a: pd.DataFrame, table_b: pd.DataFrame) -> None:
    """Check that both tables have the same units from the same checkpoints. Raises UnpairedStudies."""
    key = ["cohort", "block_id", "arm", "repeat"]
    facts = [name for name in ("cluster", "checkpoint_id", "checkpoint_digest") if name in table_a and name in table_b]
    a, b = (table.set_index(key)[facts].sort_index() for table in (table_a, table_b))
    if a.index.has_duplicates or b.index.has_duplicates:
        raise UnpairedStudies("a study has a unit (block, arm, repeat) twice")
    only_a, only_b = a.index.difference(b.index), b.index.difference(a.index)
    if len(only_a) or len(only_b):
        raise UnpairedStudies(
            f"units differ: {len(only_a)} only in the first (such as {only_a[:2].tolist()}), "
            f"{len(only_b)} only in the second (such as {only_b[:2].tolist()})"
        )
    for name in facts:
        differs = a[name].astype(str) != b[name].astype(str)
        if differs.any():
            where = differs.idxmax()
            raise UnpairedStudies(f"{name} of unit {where} differs: {a.at[where, name]!r} and {b.at[where, name]!r}")


def difference(a: Pairs, b: Pairs, name_a: str, name_b: str) -> Pairs:
    """Return the pairs whose effect is that of a minus that of b, over the blocks complete in both studies."""
    shared = sorted(set(a.blocks) & set(b.blocks))
    at_a, at_b = ({block: place for place, block in enumerate(side.blocks)} for side in (a, b))
    values = np.array([[a.effects[at_a[block]], b.effects[at_b[block]]] for block in shared]).reshape(-1, 2)
    contrast = f"{a.estimand.treatment} - {a.estimand.control}"
    first, second = f"{name_a}: {contrast}", f"{name_b}: {contrast}"
    everything = len(a.blocks) + a.n_missing + a.n_not_applicable
    n_not_applicable = max(a.n_not_applicable, b.n_not_applicable)
    return replace(
        a,
        estimand=replace(
            a.estimand,
            name=f"{a.estimand.name}: {name_a} - {name_b}",
            kind="count",  # a difference of two effects may be twice as large as the outcome's range
            upper=None,
            treatment=first,
            control=second,
            weights={first: 1.0, second: -1.0},
        ),
        blocks=tuple(shared),
        clusters=tuple(a.clusters[at_a[block]] for block in shared),
        groups=tuple(a.groups[at_a[block]] for block in shared) if a.groups else None,
        values=values,
        n_missing=max(0, everything - len(shared) - n_not_applicable),
        n_not_applicable=n_not_applicable,
        incomplete=np.empty((0, 2)),
        incomplete_clusters=(),
        incomplete_groups=() if a.groups else None,
        lost=np.array([[a.lost[at_a[one]].max(), b.lost[at_b[one]].max()] for one in shared]).reshape(-1, 2),
        incomplete_lost=np.empty((0, 2)),
        n_lost_repeats=a.n_lost_repeats + b.n_lost_repeats,
    )


def _arm_effects(
    table_a: pd.DataFrame,
    table_b: pd.DataFrame,
    estimands: Sequence[Estimand],
    name_a: str,
    name_b: str,
    plan: ResamplePlan,
) -> tuple[Effect, ...]:
    """Return, for every outcome and arm asked about, the first study minus the second."""
    import pandas as pd

    effects: dict[str, Effect] = {}
    for estimand in estimands:
        for arm in sorted(estimand.arm_weights):
            name = f"{estimand.outcome}, arm {arm}, cohort {estimand.cohort or 'all'}: {name_a} - {name_b}"
            if name in effects:
                continue
            both = pd.concat([_as_arm(table_a, arm, name_a), _as_arm(table_b, arm, name_b)], ignore_index=True)
            asked = replace(estimand, name=name, treatment=name_a, control=name_b, weights=None, family=None)
            effects[name] = effect_of(pair(both, asked), plan=plan)
    return corrected(tuple(effects.values()))


def _as_arm(table: pd.DataFrame, arm: str, name: str) -> pd.DataFrame:
    rows = table[table["arm"] == arm]
    return rows.assign(arm=name, unit_id=name + "/" + rows["unit_id"].astype(str))


def _name(table: pd.DataFrame, fallback: str) -> str:
    agents = table["agent"].dropna().unique().tolist() if "agent" in table else []
    return "+".join(str(agent) for agent in agents) or fallback
