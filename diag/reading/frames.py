"""A study as pandas data frames: `from diag import load` (docs/how-to/notebook.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from diag.errors import DiagError
from diag.grading.table import outcome_table
from diag.reading.effect_rows import EffectRow, read_effects
from diag.reading.standing import Standing, standing_of
from diag.records import Event, Plan
from diag.records.sealed import read_text
from diag.records.study_folder import StudyFolder
from games.digest import canonical_json

if TYPE_CHECKING:
    import pandas as pd

FRAMES_VERSION = 1
"""Version of the columns below; it grows when one is renamed, removed or changes its meaning, not when one is added."""
EFFECT_COLUMNS = (
    "name", "cohort", "endpoint", "kind", "treatment", "control", "estimate", "cr2_lo", "cr2_hi", "percentile_lo",
    "percentile_hi", "p_signflip", "p_holm", "p_adjusted", "p_states", "p_states_mid", "role",
    "n_pairs", "n_missing", "n_not_applicable", "n_clusters",
    "n_up", "n_down", "missing_lo", "missing_hi", "nested_lo", "nested_hi", "sentence",
)  # fmt: skip


@dataclass(frozen=True)
class StudyFrames:
    """One study, finished or interrupted, read from its sealed records."""

    folder: Path
    plan: Plan
    schema_version: int = FRAMES_VERSION

    @cached_property
    def units(self) -> pd.DataFrame:
        """One row per planned unit: unit_id, block_id, cohort, arm, cluster, repeat, seed, checkpoint, as planned."""
        import pandas as pd

        return pd.DataFrame([asdict(unit) for unit in self.plan.units])

    @cached_property
    def outcomes(self) -> pd.DataFrame:
        """One row per planned unit with its primary attempt; `validity` is missing where none is finished.

        Raises:
            CorruptRecord: a log or a record is not what was sealed.
        """
        files = StudyFolder(self.folder)
        found = []
        for unit in self.plan.units:
            for status in files.attempts(unit.unit_id):
                files.check_log(status)
                found.append(files.read_outcome(status))
        agent = self.plan.identity.get("agent", {})
        name, simulated = str(agent.get("name", self.folder.name)), bool(agent.get("simulated", False))
        return outcome_table(self.plan, found, agent=name, simulated=simulated).frame

    @cached_property
    def effects(self) -> pd.DataFrame:
        """One row per estimand as `mode=analyse` last wrote it; no rows where it never ran. Shares, not percent."""
        import pandas as pd

        path = self.folder / "tables" / "effects.json"
        rows = read_effects(_json(path)) if path.is_file() else ()
        return pd.DataFrame([_effect(row) for row in rows], columns=list(EFFECT_COLUMNS))

    @property
    def standing(self) -> Standing:
        """How far the study stands: whole, partial, a trial or a selection; `.sentences` says it in words."""
        return standing_of(self.plan, int((self.outcomes["validity"] == "valid").sum()))

    def events(self, unit_id: str | None = None) -> Iterator[tuple[str, int, Event]]:
        """Yield (unit_id, attempt, event) in plan order, each log checked as it is read; one unit's where one is named.

        Raises:
            DiagError: the plan has no such unit.
            CorruptRecord: a log is not what was sealed.
        """
        names = [unit.unit_id for unit in self.plan.units]
        if unit_id is not None and unit_id not in names:
            raise DiagError(f"unit: found {unit_id!r}, wanted one of the plan's, as in {names[0]}")
        files = StudyFolder(self.folder)
        for name in names if unit_id is None else [unit_id]:
            for status in files.attempts(name):
                for event in files.read_events(status):
                    yield name, status.attempt, event

    def event_frame(self) -> pd.DataFrame:
        """Return all events as rows; `data` is JSON text, since every kind of event has fields of its own."""
        import pandas as pd

        columns = ["unit_id", "attempt", "seq", "kind", "clock_s", "utc", "data"]
        rows = [
            (name, attempt, event.seq, event.kind, event.clock_s, event.utc, canonical_json(event.data))
            for name, attempt, event in self.events()
        ]
        return pd.DataFrame(rows, columns=columns)

    def to_parquet(self, folder: Path | str) -> tuple[Path, ...]:
        """Write units, outcomes, effects and events as Parquet files into a folder and return their paths."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        frames = {"units": self.units, "outcomes": self.outcomes, "effects": self.effects, "events": self.event_frame()}
        for name, frame in frames.items():
            frame.attrs = {"schema_version": FRAMES_VERSION, "plan_hash": self.plan.plan_hash}
            frame.to_parquet(place / f"{name}.parquet", index=False)
        return tuple(place / f"{name}.parquet" for name in frames)


def load(folder: Path | str) -> StudyFrames:
    """Return a study as data frames.

    Args:
        folder: the study's own, `outputs/STUDY/AGENT`.

    Raises:
        DiagError: it holds no study, or its plan is damaged.
    """
    root = Path(folder)
    files = StudyFolder(root)
    if not files.has_plan():
        below = sorted(str(path.parent) for path in root.glob("*/plan.json")) if root.is_dir() else []
        near = f"; did you mean {below[0]}?" if below else ""
        raise DiagError(f"{root}: found no plan.json, wanted a study's folder, outputs/STUDY/AGENT{near}")
    return StudyFrames(root, files.read_plan())


def _effect(row: EffectRow) -> dict[str, object]:
    found = {name: getattr(row, name) for name in EFFECT_COLUMNS if hasattr(row, name)}
    pairs = {"cr2": row.t, "percentile": row.percentile, "missing": row.missing_bounds, "nested": row.nested}
    for name, bounds in pairs.items():
        found[f"{name}_lo"] = bounds.low if bounds else None
        found[f"{name}_hi"] = bounds.high if bounds else None
    return found


def _json(path: Path) -> object:
    try:
        return json.loads(read_text(path)[0])
    except ValueError as error:
        raise DiagError(f"{path}: damaged ({error}); mode=analyse writes it again") from error
