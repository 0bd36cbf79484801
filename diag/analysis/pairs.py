"""From the outcome table to paired effects: one number a block, with the cluster it belongs to.

Only primary rows count: further repeats of a cell serve stability alone. Where the design is of replicates, all rows
are primary and are averaged inside their block first, so copies never add clusters or weight. A block with a missing
arm gives no effect and is counted in `n_missing`; a block whose outcome does not apply (a recurrence without a
recovery) is counted in `n_not_applicable`. Nothing is imputed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from diag.analysis.estimand import Estimand

if TYPE_CHECKING:
    import pandas as pd

FloatArray = npt.NDArray[np.float64]


class TableProblem(ValueError):
    """The table cannot answer an estimand: a column is missing, units are duplicated, a block is in two clusters."""


class DuplicateUnits(TableProblem):
    """The same agent, block, arm and repeat is there more than once: each copy would count as evidence."""


@dataclass(frozen=True)
class Pairs:
    """The complete blocks of one estimand, sorted by block id."""

    estimand: Estimand
    blocks: tuple[str, ...]
    clusters: tuple[str, ...]
    """Cluster of each block."""
    groups: tuple[str, ...] | None
    values: FloatArray
    """Shape (n_blocks, n_arms): outcome by arm, in the order of `estimand.arm_weights`."""
    n_missing: int
    n_not_applicable: int
    incomplete: FloatArray
    """Shape (n_missing, n_arms): the blocks left out, NaN where an arm is missing; for the bounds."""
    incomplete_clusters: tuple[str, ...]
    incomplete_groups: tuple[str, ...] | None
    lost: FloatArray
    """Shape (n_blocks, n_arms): share of the repeats that count in the arm of a complete block and were lost."""
    incomplete_lost: FloatArray
    """Shape (n_missing, n_arms): the same for the blocks left out."""
    n_lost_repeats: int
    """Repeats without a valid attempt in arms that have a valid one: in no mean, but in the bounds."""

    @property
    def effects(self) -> FloatArray:
        """Shape (n_blocks,): treatment minus control, or the weighted sum of the arms."""
        return np.asarray(self.values @ np.array(list(self.estimand.arm_weights.values())))

    @property
    def n_clusters(self) -> int:
        """Distinct clusters among the complete blocks."""
        return len(set(self.clusters))


def counted(table: pd.DataFrame) -> pd.DataFrame:
    """Return the primary rows of an outcome table; all rows of one without the column."""
    return table[table["primary"].astype(bool)] if "primary" in table else table


def pair(table: pd.DataFrame, estimand: Estimand) -> Pairs:
    """Return the paired values of an estimand.

    Raises:
        TableProblem: a column is missing, a value is no number, or a block spans clusters.
        DuplicateUnits: a unit is there more than once.
    """
    rows = _rows(table, estimand)
    arms = list(estimand.arm_weights)
    where = rows.groupby("_block", sort=True)[["_cluster", "_group"]].first()
    valid = _by_arm(rows, "_valid", arms, where.index, fill=0.0) > 0
    values = _by_arm(rows[rows["_valid"] > 0], "_value", arms, where.index, fill=np.nan)
    counted = _by_arm(rows, "_counted", arms, where.index, fill=0.0, how="sum")
    invalid = _by_arm(rows, "_invalid", arms, where.index, fill=0.0, how="sum")
    lost = np.divide(invalid, counted + invalid, out=np.zeros_like(invalid), where=counted + invalid > 0)
    missing = ~valid.all(axis=1)
    inapplicable = ~missing & np.isnan(values).any(axis=1)
    complete = ~missing & ~inapplicable
    clusters, groups, blocks = (
        np.array(list(names), dtype=object) for names in (where["_cluster"], where["_group"], where.index)
    )
    return Pairs(
        estimand=estimand,
        blocks=tuple(blocks[complete].tolist()),
        clusters=tuple(clusters[complete].tolist()),
        groups=tuple(groups[complete].tolist()) if estimand.group else None,
        values=values[complete],
        n_missing=int(missing.sum()),
        n_not_applicable=int(inapplicable.sum()),
        incomplete=values[missing],
        incomplete_clusters=tuple(clusters[missing].tolist()),
        incomplete_groups=tuple(groups[missing].tolist()) if estimand.group else None,
        lost=lost[complete],
        incomplete_lost=lost[missing],
        n_lost_repeats=int(invalid[complete].sum()),
    )


def pool(*tables: pd.DataFrame) -> pd.DataFrame:
    """Join the tables of several agents into one panel, paired within agent x source, clustered by the shared source.

    Raises:
        TableProblem: two tables are of the same agent.
    """
    import pandas as pd

    agents = [agent for table in tables for agent in table["agent"].unique()]
    if len(set(agents)) != len(agents):
        raise TableProblem(f"a panel has each agent once, got {agents}")
    named = [
        table.assign(
            block_id=table["agent"].astype(str) + "/" + table["block_id"].astype(str),
            unit_id=table["agent"].astype(str) + "/" + table["unit_id"].astype(str),
        )
        for table in tables
    ]
    return pd.concat(named, ignore_index=True)


def _rows(table: pd.DataFrame, estimand: Estimand) -> pd.DataFrame:
    """Return the estimand's units with private columns `_block`, `_arm`, `_cluster`, `_group`, `_valid`, `_value`."""
    import pandas as pd

    needed = ["unit_id", "block_id", "cohort", "arm", "repeat", "validity", estimand.outcome, estimand.cluster]
    needed += [estimand.group] if estimand.group else []
    absent = [name for name in needed if name not in table.columns]
    if absent:
        raise TableProblem(
            f"{estimand.name}: the table has no column {', '.join(absent)}; it has {list(table.columns)}"
        )
    chosen = counted(table)
    chosen = chosen[chosen["arm"].isin(list(estimand.arm_weights))]
    if estimand.cohort is not None:
        chosen = chosen[chosen["cohort"] == estimand.cohort]
    _refuse_duplicates(chosen)
    _refuse_nameless(chosen, estimand)
    valid = chosen["validity"].eq("valid")
    rows = pd.DataFrame(
        {
            "_block": chosen["block_id"].astype(str),
            "_arm": chosen["arm"].astype(str),
            "_cluster": chosen[estimand.cluster].astype(str),
            "_group": chosen[estimand.group].astype(str) if estimand.group else "",
            "_valid": valid.astype(float),
            "_value": _numbers(chosen[estimand.outcome], estimand).where(valid),
        }
    )
    for name in ("_cluster", "_group"):
        spread = rows.groupby("_block")[name].nunique()
        if (spread > 1).any():
            raise TableProblem(f"{estimand.name}: block {spread.idxmax()!r} is in {spread.max()} clusters")
    if estimand.kind == "time":
        assert estimand.limit is not None
        rows["_value"] = rows["_value"].fillna(estimand.limit).clip(upper=estimand.limit)
    rows["_invalid"] = 1.0 - rows["_valid"]
    rows["_counted"] = rows["_valid"] * rows["_value"].notna()
    return rows


def _refuse_nameless(chosen: pd.DataFrame, estimand: Estimand) -> None:
    """A block without a label belongs to no cluster that could be resampled: refuse it, guess nothing."""
    for name in ("block_id", estimand.cluster, estimand.group):
        if name is None:
            continue
        nameless = chosen[name].isna() | chosen[name].astype(str).str.strip().eq("")
        if nameless.any():
            units = chosen.loc[nameless, "unit_id"].tolist()
            raise TableProblem(
                f"{estimand.name}: found {len(units)} units without {name}, such as {units[0]!r}; wanted a label"
            )


def _refuse_duplicates(chosen: pd.DataFrame) -> None:
    for key in (["unit_id"], ["block_id", "arm", "repeat"]):
        twice = chosen[chosen.duplicated(key, keep=False)]
        if len(twice):
            shown = twice[list(dict.fromkeys([*key, "unit_id"]))].head(4).to_dict("records")
            raise DuplicateUnits(f"{len(twice)} rows share {' + '.join(key)}: {shown}")


def _numbers(column: pd.Series, estimand: Estimand) -> pd.Series:
    try:
        numbers = column.astype("Float64").astype(float)
    except (TypeError, ValueError) as error:
        raise TableProblem(f"{estimand.name}: column {estimand.outcome!r} is not numeric: {error}") from error
    span = estimand.value_range
    if estimand.kind == "binary" and (neither := numbers.notna() & ~numbers.isin((0.0, 1.0))).any():
        raise TableProblem(
            f"{estimand.name}: binary {estimand.outcome!r} has {numbers[neither].iloc[0]}, wanted 0 or 1"
        )
    outside = numbers.notna() & ~numbers.between(0.0, np.inf if span is None or estimand.kind == "time" else span[1])
    if outside.any():
        found = numbers[outside].iloc[0]
        raise TableProblem(f"{estimand.name}: {estimand.kind} {estimand.outcome!r} has {found}, outside {span}")
    return numbers


def _by_arm(
    rows: pd.DataFrame,
    name: str,
    arms: list[str],
    blocks: pd.Index,
    *,
    fill: float,
    how: Literal["mean", "sum"] = "mean",
) -> FloatArray:
    """Return shape (n_blocks, n_arms): the mean (or sum) over repeats, `fill` where there is none."""
    found = rows.groupby(["_block", "_arm"])[name].agg(how).unstack("_arm")
    return found.reindex(index=blocks, columns=arms).fillna(fill).to_numpy(dtype=float)
