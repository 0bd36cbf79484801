"""Outcomes -> the tidy table that everything downstream reads (columns in docs/reference/endpoints.md).

One row per planned unit, never fewer. The primary attempt is the first valid one in the fixed order of attempts; a unit
without one keeps its row (validity `infrastructure_failure` or `missing`, endpoints empty) and its block is listed as
incomplete. A block whose arms did not start from the same digests is refused, not analysed.

Of the repeats of a cell (block x arm) the first valid one is primary; further ones serve stability alone and enter no
rate and no effect (first source document, "Validity"). Only a design of replicates, which its plan states, averages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from diag.errors import CorruptRecord, one_line
from diag.foreign_text import as_written
from diag.records import Outcome, Plan, Unit
from diag.records.csv_text import frame_cells
from diag.records.plan import AVERAGES

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = (
    *("unit_id", "block_id", "cohort", "arm", "cluster", "repeat", "checkpoint_id", "checkpoint_digest"),
    *("primary", "agent", "simulated", "attempt", "n_attempts", "n_failed", "validity", "ending", "failure_kind"),
    *("elapsed_s", "harness_share", "n_actions", "n_invalid_actions"),
)
_TEXT = (
    *("unit_id", "block_id", "cohort", "arm", "cluster", "checkpoint_id", "checkpoint_digest", "agent"),
    *("validity", "ending", "failure_kind"),
)
_WHOLE = ("attempt", "n_actions", "n_invalid_actions")


class TableError(ValueError):
    """Outcomes do not form a table; the message names the unit or block and the values."""


class ForeignOutcome(TableError):
    """An outcome carries another plan's hash, or names a unit that the plan does not have."""


class DuplicateOutcome(TableError):
    """Two outcomes claim the same attempt at the same unit."""


class BlockMismatch(TableError):
    """The arms of a block did not start from the same place; its differences would mean nothing."""


@dataclass(frozen=True)
class IncompleteBlock:
    """A block that cannot enter every paired effect, and why."""

    block_id: str
    cohort: str
    missing: tuple[str, ...]
    """Unit ids without a valid attempt."""
    failures: tuple[str, ...]
    """Failure kinds of the attempts they had, in order."""


@dataclass(frozen=True)
class OutcomeTable:
    """The table and what it leaves open."""

    frame: pd.DataFrame
    incomplete: tuple[IncompleteBlock, ...]
    repeats: pd.DataFrame
    """Valid attempts beyond the primary ones, same columns, under the name of the primary unit of their cell: for
    endpoint stability only, never for an effect."""


def outcome_table(plan: Plan, outcomes: Iterable[Outcome], *, agent: str, simulated: bool) -> OutcomeTable:
    """Return one row per planned unit, in plan order.

    Raises:
        ForeignOutcome: an outcome belongs to another plan or an unknown unit.
        DuplicateOutcome: an attempt is there twice.
        BlockMismatch: the primary attempts of a block differ in a start digest.
    """
    attempts = _by_unit(plan, outcomes)
    primary = {unit_id: _primary(tried) for unit_id, tried in attempts.items()}
    _refuse_mismatched_blocks(plan, primary)
    leader = primary_units(plan, {unit_id for unit_id, outcome in primary.items() if outcome is not None})
    identity: dict[str, object] = {"agent": agent, "simulated": simulated}
    rows = [
        {**_row(unit, primary.get(unit.unit_id), attempts.get(unit.unit_id, []), identity), "primary": is_primary}
        for unit in plan.units
        for is_primary in (leader[unit.unit_id] == unit.unit_id,)
    ]
    later = [
        {**_row(unit, outcome, attempts[unit.unit_id], identity), "unit_id": leader[unit.unit_id], "primary": False}
        for unit in plan.units
        for outcome in _valid(attempts.get(unit.unit_id, []))[int(leader[unit.unit_id] == unit.unit_id) :]
    ]
    kinds = _boolean_columns(outcome for tried in attempts.values() for outcome in tried)
    return OutcomeTable(
        frame=_frame(rows, kinds),
        incomplete=_incomplete(plan, primary, attempts),
        repeats=_frame(later, kinds),
    )


def primary_units(plan: Plan, valid: Set[str]) -> Mapping[str, str]:
    """Return each unit's primary one: the first valid repeat of its cell, or its first repeat if none is valid."""
    averages = dict(plan.identity.get("study") or {}).get("repeats_serve") == AVERAGES
    cell_of = {unit.unit_id: unit.unit_id if averages else (unit.block_id, unit.arm) for unit in plan.units}
    first: dict[object, str] = {}
    for unit in sorted(plan.units, key=lambda unit: (unit.unit_id not in valid, unit.repeat)):
        first.setdefault(cell_of[unit.unit_id], unit.unit_id)
    return {name: first[cell] for name, cell in cell_of.items()}


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write the table as CSV: equal tables give equal bytes."""
    frame_cells(frame).to_csv(path, index=False, lineterminator="\n")


def read_csv(path: Path, text: Sequence[str]) -> pd.DataFrame:
    """Read a CSV whose columns `text` are text as written; only an empty cell is a gap.

    By itself pandas takes a dozen words for gaps (NA, null, nan, None, ...), any of which may be an agent or an arm.
    """
    import pandas as pd

    return pd.read_csv(path, dtype=dict.fromkeys(text, str), keep_default_na=False, na_values=[""])


def read_table(path: Path) -> pd.DataFrame:
    """Read a table back; columns of True and False become nullable booleans again.

    Raises:
        OSError: there is no such file.
        CorruptRecord: it is no outcome table.
    """
    try:
        frame = read_csv(path, _TEXT)
    except ValueError as error:
        raise CorruptRecord(f"{path}: {one_line(error)}; mode=analyse writes it again") from error
    for name in frame.columns:
        if frame[name].dtype.kind == "O":
            frame[name] = [as_written(value) if isinstance(value, str) else value for value in frame[name]]
    for name in frame.columns.difference(list(_TEXT)):
        if {str(value) for value in frame[name].dropna().unique()} in ({"True"}, {"False"}, {"True", "False"}):
            frame[name] = frame[name].map({True: True, False: False, "True": True, "False": False}).astype("boolean")
    if "primary" not in frame:
        frame["primary"] = True
    return frame.astype({"primary": bool, **{name: "Int64" for name in _WHOLE if name in frame}})


def _by_unit(plan: Plan, outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    known = {unit.unit_id for unit in plan.units}
    attempts: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.plan_hash != plan.plan_hash:
            raise ForeignOutcome(
                f"{outcome.unit_id} attempt {outcome.attempt}: plan hash {outcome.plan_hash!r}, "
                f"wanted {plan.plan_hash!r}"
            )
        if outcome.unit_id not in known:
            raise ForeignOutcome(f"unit {outcome.unit_id!r} is not in the plan of {len(known)} units")
        if any(outcome.attempt == other.attempt for other in attempts[outcome.unit_id]):
            raise DuplicateOutcome(f"{outcome.unit_id} has attempt {outcome.attempt} twice")
        attempts[outcome.unit_id].append(outcome)
    return {unit_id: sorted(tried, key=lambda outcome: outcome.attempt) for unit_id, tried in attempts.items()}


def _valid(tried: Iterable[Outcome]) -> list[Outcome]:
    return [outcome for outcome in tried if outcome.validity == "valid"]


def _primary(tried: list[Outcome]) -> Outcome | None:
    return next(iter(_valid(tried)), None)


def _refuse_mismatched_blocks(plan: Plan, primary: Mapping[str, Outcome | None]) -> None:
    blocks: dict[str, dict[str, Outcome]] = defaultdict(dict)
    for unit in plan.units:
        outcome = primary.get(unit.unit_id)
        if outcome is not None:
            blocks[unit.block_id][unit.unit_id] = outcome
    for block_id, members in blocks.items():
        names = sorted({name for outcome in members.values() for name in outcome.start_digests})
        for name in names:
            values = {unit_id: outcome.start_digests.get(name) for unit_id, outcome in members.items()}
            if len(set(values.values())) > 1:
                shown = ", ".join(f"{unit_id}: {value}" for unit_id, value in values.items())
                raise BlockMismatch(f"block {block_id!r}: start digest {name!r} differs between its units ({shown})")


def _row(
    unit: Unit, outcome: Outcome | None, tried: list[Outcome], identity: Mapping[str, object]
) -> dict[str, object]:
    last = outcome or (tried[-1] if tried else None)
    return {
        "unit_id": unit.unit_id,
        "block_id": unit.block_id,
        "cohort": unit.cohort,
        "arm": unit.arm,
        "cluster": unit.cluster,
        "repeat": unit.repeat,
        "checkpoint_id": unit.checkpoint_id,
        "checkpoint_digest": unit.checkpoint_digest,
        **identity,
        "attempt": last.attempt if last else None,
        "n_attempts": len(tried),
        "n_failed": len(tried) - len(_valid(tried)),
        "validity": last.validity if last else "missing",
        "ending": last.ending if last else None,
        "failure_kind": last.failure_kind if last else None,
        "elapsed_s": last.elapsed_s if last else None,
        "harness_share": last.harness_share if last else None,
        "n_actions": last.n_actions if last else None,
        "n_invalid_actions": last.n_invalid_actions if last else None,
        **(outcome.endpoints if outcome else {}),
        **({f"code_{name}": value for name, value in outcome.codes.items()} if outcome else {}),
    }


def _boolean_columns(outcomes: Iterable[Outcome]) -> dict[str, bool]:
    """Tell for every endpoint and code whether it is a yes/no column."""
    boolean: dict[str, bool] = {}
    for outcome in outcomes:
        for name, value in outcome.endpoints.items():
            if value is not None:
                boolean[name] = boolean.get(name, True) and isinstance(value, bool)
            boolean.setdefault(name, True)
        boolean.update({f"code_{name}": True for name in outcome.codes})
    return boolean


def _frame(rows: list[dict[str, object]], boolean: Mapping[str, bool]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame(rows, columns=[*_COLUMNS, *boolean]).astype({"primary": bool})
    for name, is_boolean in boolean.items():
        frame[name] = frame[name].astype("boolean") if is_boolean else frame[name].astype(float)
    frame["harness_share"] = frame["harness_share"].astype(float)
    return frame.astype(dict.fromkeys(_WHOLE, "Int64"))


def _incomplete(
    plan: Plan, primary: Mapping[str, Outcome | None], attempts: Mapping[str, list[Outcome]]
) -> tuple[IncompleteBlock, ...]:
    blocks: dict[str, list[Unit]] = defaultdict(list)
    for unit in plan.units:
        blocks[unit.block_id].append(unit)
    found = []
    for block_id, units in blocks.items():
        missing = tuple(unit.unit_id for unit in units if primary.get(unit.unit_id) is None)
        if missing:
            tried = [outcome for unit_id in missing for outcome in attempts.get(unit_id, [])]
            kinds = tuple(outcome.failure_kind or outcome.ending for outcome in tried)
            found.append(IncompleteBlock(block_id, units[0].cohort, missing, kinds))
    return tuple(found)
