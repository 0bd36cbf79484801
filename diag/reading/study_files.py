"""What the report and the tracker read: the files of one study's folder, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError  # type: ignore[import-untyped]  # what OmegaConf lets through of its parser

from diag.analysis.pairs import counted
from diag.errors import CorruptRecord
from diag.grading.table import read_table
from diag.reading.effect_rows import EffectRow, read_effects
from diag.reading.markup import chip
from diag.reading.standing import Standing, standing_of
from diag.reading.style import arm_colour
from diag.records import Event, Plan
from diag.records.csv_text import csv_rows
from diag.records.event_log import LogError, read_events
from diag.records.looks import Look, looks
from diag.records.plan import plan_from_json
from diag.records.sealed import file_sha256, read_marked, read_sealed, read_text
from games.contract import JsonObject

if TYPE_CHECKING:
    import pandas as pd

FIXED_COLUMNS = (
    "unit_id", "block_id", "cohort", "arm", "cluster", "repeat", "checkpoint_id", "checkpoint_digest", "agent",
    "primary", "simulated", "attempt", "n_attempts", "n_failed", "validity", "ending", "failure_kind", "elapsed_s",
    "harness_share", "n_actions", "n_invalid_actions",
)  # fmt: skip
"""Columns of the outcome table that are no endpoint; `code_<name>` columns are rationale codes."""
_NEEDED = ("unit_id", "block_id", "cohort", "arm", "cluster", "validity", "ending")
_FEW = 6
_ATTEMPT = re.compile(r"attempt-(\d+)")


class StudyFilesError(CorruptRecord):
    """A file of the study is missing or cannot be read; the message names it and the mode that writes it."""


@dataclass(frozen=True)
class StudyFiles:
    """One finished (or partly finished) study as it lies on disk."""

    folder: Path
    plan: Plan
    outcomes: pd.DataFrame
    """One row per unit that has an attempt: its primary one. Columns as in docs/reference/endpoints.md."""
    effects: tuple[EffectRow, ...]
    manifest: JsonObject
    config_text: str
    looks: tuple[Look, ...] = ()
    """Every look at the outcomes before the end."""
    unsealed: tuple[str, ...] = ()
    """Files that are shown and carry no seal: of an earlier version, or changed by hand."""

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The resolved configuration; empty if `config.yaml` is missing or is none."""
        try:
            found = OmegaConf.to_container(OmegaConf.create(self.config_text), resolve=False)
        except (OmegaConfBaseException, ValueError, YAMLError):
            return {}
        return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}

    def described(self, name: str) -> str:
        """Return the study's title or question: words about it, which are no part of its identity."""
        value = _at(self.config, ("study", name)) or self.identity("study", name)
        return str(value or "")

    @property
    def title(self) -> str:
        """The study's title, else its name."""
        return self.described("title") or self.study

    @property
    def study(self) -> str:
        """The research question, as the plan names it."""
        return self.plan.study

    @property
    def agent(self) -> str:
        """The agent's name: from the outcomes, else from the plan's identity, else the folder's name."""
        import pandas as pd

        named = self.outcomes["agent"].dropna() if "agent" in self.outcomes else pd.Series(dtype=object)
        if len(named):
            return str(named.iloc[0])
        return str(self.identity("agent", "name") or self.folder.name)

    def identity(self, *keys: str) -> Any:
        """Return a value of the plan's identity by its path; None where there is none."""
        return _at(self.plan.identity, keys)

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """Outcome rows by unit id as plain values, gaps None: row-wise reading of a table frame is slow."""
        records = self.outcomes.astype(object).where(self.outcomes.notna(), None).to_dict("records")
        return {str(row["unit_id"]): {str(key): value for key, value in row.items()} for row in records}

    def is_valid(self, unit_id: str) -> bool:
        """Tell whether the unit has a valid outcome."""
        return self.rows.get(unit_id, {}).get("validity") == "valid"

    @cached_property
    def yes_no(self) -> frozenset[str]:
        """The endpoints that are truth values."""
        return frozenset(name for name in self.endpoints if is_yes_no(self.outcomes[name]))

    @property
    def control(self) -> str:
        """The arm that the others are read against: as the plan names it, else the first."""
        named = self.identity("study", "control")
        arms = sorted({unit.arm for unit in self.plan.units})
        return str(named) if named in arms else arms[0]

    @property
    def privilege(self) -> str:
        """What the agent has access to beyond the screen, as recorded; `none` where nothing is recorded."""
        named = self.identity("agent", "privilege") or self.manifest_value("agent", "privilege")
        return str(named or self._recorded_privilege() or "none")

    def _recorded_privilege(self) -> Any:
        """Return what the first log says of the agent."""
        for unit in self.plan.units[:1]:
            for event in self.events(unit.unit_id)[:1]:
                return dict(event.data.get("agent") or {}).get("privilege")
        return None

    def manifest_value(self, *keys: str) -> Any:
        """Return a value of the manifest by its path; None where there is none."""
        return _at(self.manifest, keys)

    @property
    def standing(self) -> Standing:
        """How far the study stands: whole, a trial, unfinished."""
        return standing_of(self.plan, self.n_valid)

    @property
    def simulated(self) -> bool:
        """Tell whether any outcome came from a simulated agent."""
        return (
            bool(self.outcomes["simulated"].fillna(False).astype(bool).any()) if "simulated" in self.outcomes else False
        )

    @cached_property
    def endpoints(self) -> tuple[str, ...]:
        """Endpoint columns in table order."""
        columns = (str(column) for column in self.outcomes.columns)
        return tuple(name for name in columns if name not in FIXED_COLUMNS and not name.startswith("code_"))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The endpoints that the effects are about; without effects, the first few."""
        declared = dict.fromkeys(row.endpoint for row in self.effects if row.endpoint in self.endpoints)
        return tuple(declared) or self.endpoints[:_FEW]

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """The endpoints that are not shown at first."""
        return tuple(name for name in self.endpoints if name not in self.shown)

    @property
    def codes(self) -> tuple[str, ...]:
        """Rationale codes in table order, without their prefix."""
        columns = (str(column) for column in self.outcomes.columns)
        return tuple(name.removeprefix("code_") for name in columns if name.startswith("code_"))

    @cached_property
    def planned(self) -> pd.DataFrame:
        """The plan's units in planned order with the outcome table's columns; `counted` is valid and primary."""
        import pandas as pd

        names = ("unit_id", "block_id", "cohort", "arm", "repeat", "cluster", "order")
        plan = pd.DataFrame({name: [getattr(unit, name) for unit in self.plan.units] for name in names})
        extra = [str(name) for name in self.outcomes.columns if name not in names]
        joined = plan.merge(self.outcomes[["unit_id", *extra]], on="unit_id", how="left")
        joined["valid"] = joined["validity"].eq("valid")
        joined["counted"] = joined["valid"] & joined["unit_id"].isin(self.valid["unit_id"])
        return joined.sort_values("order", kind="stable").reset_index(drop=True)

    @cached_property
    def n_valid(self) -> int:
        """Units with a valid outcome."""
        return int((self.outcomes["validity"] == "valid").sum())

    @cached_property
    def valid(self) -> pd.DataFrame:
        """The outcome table's primary rows with a valid outcome: what rates and effects are made of."""
        return counted(self.outcomes[self.outcomes["validity"] == "valid"])

    def by_arm(self) -> tuple[tuple[str, pd.DataFrame], ...]:
        """Return the valid rows of each arm, arms in name order."""
        return tuple((str(arm), rows) for arm, rows in self.valid.groupby("arm"))

    def own_rows(self, name: str) -> tuple[dict[str, str], ...]:
        """Return the rows of one of the study's own tables as text; none if the study does not have it."""
        path = self.folder / "tables" / name
        if not path.is_file():
            return ()
        return tuple(csv_rows(path))

    def chip(self, arm: str) -> Markup:
        """Return an arm's name on its colour."""
        return chip(arm, arm_colour(arm, tuple(sorted({unit.arm for unit in self.plan.units}))))

    def events(self, unit_id: str) -> tuple[Event, ...]:
        """Return the events of the unit's primary attempt; empty if it never had one.

        Raises:
            StudyFilesError: the log is damaged or cut off.
        """
        log = self._attempt_folder(unit_id) / "events.jsonl"
        try:
            return read_events(log) if log.is_file() else ()
        except LogError as error:
            if not self.is_valid(unit_id):  # the apparatus failed while it wrote: nothing is graded from it
                return ()
            raise StudyFilesError(str(error)) from error

    def started_utc(self, unit_id: str) -> datetime | None:
        """Return when the unit's primary attempt began; None if that was not recorded.

        Raises:
            CorruptRecord: the attempt's status is damaged.
        """
        path = self._attempt_folder(unit_id) / "status.json"
        return datetime.fromisoformat(str(read_sealed(path)["started_utc"])) if path.is_file() else None

    def _attempt_folder(self, unit_id: str) -> Path:
        root = self.folder / "units" / unit_id
        attempt = self.rows.get(unit_id, {}).get("attempt")
        if attempt is not None:
            return root / f"attempt-{int(attempt)}"
        found = sorted(
            (int(match[1]), path) for path in root.glob("attempt-*") if (match := _ATTEMPT.fullmatch(path.name))
        )
        return found[-1][1] if found else root / "attempt-1"


def _at(value: Any, keys: tuple[str, ...]) -> Any:
    """Follow a path of keys; None where it ends."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def is_yes_no(column: pd.Series) -> bool:
    """Tell whether a column holds truth values (and gaps) only."""
    found = column.dropna()
    return str(column.dtype) == "boolean" or (bool(len(found)) and all(isinstance(v, bool | np.bool_) for v in found))


def read_study(folder: Path) -> StudyFiles:
    """Read the tables of a study; event logs are read when asked for.

    Raises:
        StudyFilesError: the plan or the outcome table is missing or malformed.
    """
    plan_path = folder / "plan.json"
    plan = plan_from_json(_json(plan_path, "mode=plan"), str(plan_path))
    _check_seal(folder / "tables")
    effects_path = folder / "tables" / "effects.json"
    effects = read_effects(_json(effects_path, "mode=analyse")) if effects_path.is_file() else ()
    manifest, config = _texts_beside(folder)
    unsealed = {
        "manifest.json": not manifest[1],
        "config.yaml": not config[1],
        "tables/outcomes.csv": not (folder / "tables" / "analysis.json").is_file(),
        "tables/calibration.json": _is_bare_list(folder / "tables" / "calibration.json"),
    }
    return StudyFiles(
        folder=folder,
        plan=plan,
        outcomes=read_outcomes(folder / "tables" / "outcomes.csv"),
        effects=effects,
        manifest=manifest[0],
        config_text=config[0],
        looks=looks(folder),
        unsealed=tuple(name for name, open_to_change in unsealed.items() if open_to_change),
    )


def _texts_beside(folder: Path) -> tuple[tuple[JsonObject, bool], tuple[str, bool]]:
    """Return the manifest and the configuration, each with whether it proves itself; an absent one has nothing to."""
    manifest, config = folder / "manifest.json", folder / "config.yaml"
    return (
        read_marked(manifest) if manifest.is_file() else ({}, True),
        read_text(config) if config.is_file() else ("", True),
    )


def _is_bare_list(path: Path) -> bool:
    """Tell whether a record is the list that an earlier version wrote without a seal."""
    return path.is_file() and path.read_bytes().lstrip()[:1] == b"["


def content_digest(folder: Path) -> str:
    """Return a SHA-256 over the plan and the tables: what a projection of the study depends on."""
    digest = hashlib.sha256()
    for path in (folder / "plan.json", folder / "tables" / "outcomes.csv", folder / "tables" / "effects.json"):
        digest.update(path.read_bytes() if path.is_file() else b"\0")
    return digest.hexdigest()


def _check_seal(tables: Path) -> None:
    """Compare the tables with the digests the analysis left beside them."""
    path = tables / "analysis.json"
    if not path.is_file():
        return
    try:
        tables_sealed = dict(read_sealed(path).get("tables") or {})
    except CorruptRecord as error:
        raise StudyFilesError(f"{error}; mode=analyse writes it again") from error
    for name, wanted in tables_sealed.items():
        if file_sha256(tables / name) != wanted:
            raise StudyFilesError(f"{tables / name} is not what the analysis wrote; mode=analyse writes it again")


def read_outcomes(path: Path) -> pd.DataFrame:
    """Return a study's outcome table. Raises StudyFilesError: it is missing or none."""
    try:
        table = read_table(path)
    except (OSError, ValueError) as error:
        raise StudyFilesError(f"{path}: {error}; mode=analyse writes it") from error
    missing = [name for name in _NEEDED if name not in table]
    if missing:
        raise StudyFilesError(f"{path}: no column {', '.join(missing)}; mode=analyse writes it")
    return table


def _json(path: Path, mode: str) -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise StudyFilesError(f"{path}: {error}; {mode} writes it") from error
