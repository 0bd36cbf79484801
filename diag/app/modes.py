"""What each mode does with a prepared study. Everything after `run` is offline and always shows the same tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

from diag.analysis.effects import analyse as estimate
from diag.analysis.effects import effects_json, interim_effects
from diag.analysis.pairs import counted
from diag.analysis.stability import STABILITY_COLUMNS, stability_table
from diag.app.display import Display
from diag.app.evidence import check_files, has_foreign_attempts
from diag.app.manifest import manifest
from diag.app.power import keep_power, out_of_reach, planned_families, planned_powers
from diag.app.setup import Prepared
from diag.arms.difference import arm_difference
from diag.config import CHECKOUT, Backend, Mode
from diag.errors import ConfigError, DiagError, IncompleteStudy
from diag.grading.table import outcome_table, write_table
from diag.records import Outcome
from diag.records.csv_text import csv_text, marked
from diag.records.looks import Look, record_look
from diag.records.plan import require_same
from diag.records.sealed import file_sha256
from diag.records.study_folder import MANIFEST, AttemptStatus, StudyFolder, utc_now
from diag.running.attempt import Job
from diag.running.leavings import own_temporary_folder
from diag.running.lock import study_lock
from diag.running.progress import progress
from diag.running.runner import RunSummary, failed_units, run_plan, summary
from diag.running.spread import usable_cores
from diag.session.pictures import PictureStore
from diag.studies.estimands import estimands_of, observed, resample_plan
from games.suite.browser import find

INCOMPLETE = 1
"""Exit code of a study that has units without a valid attempt, in every mode that runs it or shows its numbers."""


def run_mode(mode: Mode, prepared: Prepared, show: Display) -> int:
    """Do what the mode says and return the exit code."""
    own_temporary_folder()
    return _MODES[mode](prepared, show)


def fix_plan(prepared: Prepared) -> None:
    """Write the plan, or check that the folder holds the same one; a plan without any outcome yet may be replaced.

    Raises:
        IdentityError: the folder holds results of another plan.
    """
    folder, plan = prepared.folder, prepared.plan
    if folder.has_plan():
        stored = folder.read_plan()
        if folder.has_outcomes():
            require_same(stored, plan, str(folder.root))
        if stored.plan_hash == plan.plan_hash:
            if not folder.has_config():
                folder.write_config(prepared.resolved_yaml)
            return
        folder.void_units()
    elif has_foreign_attempts(folder, [unit.unit_id for unit in plan.units], plan.plan_hash):
        folder.void_units()
    folder.write_config(prepared.resolved_yaml)
    folder.write_plan(plan)


def plan_mode(prepared: Prepared, show: Display) -> int:
    """Write and print the plan; starts nothing."""
    records, powers = block_records(prepared), planned_powers(prepared)
    with study_lock(prepared.folder):
        fix_plan(prepared)
        _write_blocks(prepared, records)
        keep_power(prepared, powers)
    show.plan(prepared, records, powers)
    return 0


def collect(prepared: Prepared, show: Display) -> int:
    """Name the units that a run would be about, one a line; writes nothing."""
    units = prepared.plan.units
    if prepared.config.execution.failed:
        require_planned(prepared)
        units = failed_units(prepared.plan, prepared.folder)
    for unit in units:
        show.note(unit.unit_id)
    show.note(f"{len(units)} unit{'' if len(units) == 1 else 's'}")
    return 0


def run(prepared: Prepared, show: Display) -> int:
    """Run what is missing."""
    folder, plan = prepared.folder, prepared.plan
    _require_browser(prepared)
    records = block_records(prepared)
    with study_lock(folder):
        fix_plan(prepared)
        _write_blocks(prepared, records)
        keep_power(prepared)
        folder.write_record(MANIFEST, manifest(prepared))
        before = summary(plan, folder)
        chosen = failed_units(plan, folder) if prepared.config.execution.failed else plan.units
        show.begin(prepared, before, None if chosen is plan.units else len(chosen))
        if hopeless := out_of_reach(planned_families(prepared)):
            show.note(hopeless)
        try:
            with progress(chosen, before.incomplete, shown=prepared.config.execution.progress) as bar:
                after = run_plan(
                    plan,
                    _job(prepared),
                    prepared.workers,
                    max_attempts=prepared.config.execution.max_attempts,
                    show=bar,
                    chosen=chosen,
                    whole=partial(prepared.study.kind.whole, prepared.study),
                )
        except BaseException:
            prepared.workers.stop()
            raise
    show.run(after)
    return INCOMPLETE if after.incomplete else 0


def analyse(prepared: Prepared, show: Display, *, ended: bool = False) -> int:
    """Check every record, write the tables, print the effects; `ended` after a run that has made all its tries."""
    with study_lock(prepared.folder):
        require_planned(prepared)
        return _analyse(prepared, show, None if ended else interim_look(prepared))


def regrade(prepared: Prepared, show: Display) -> int:
    """Grade every attempt again from its log, then analyse."""
    folder = prepared.folder
    with study_lock(folder):
        require_planned(prepared)
        look = interim_look(prepared)
        changed = sum(_regrade(prepared, unit, status) for unit, status in _attempts(prepared))
        show.note(f"regraded {len(_attempts(prepared))} attempts from their logs; {changed} outcomes changed")
        return _analyse(prepared, show, look)


def track(prepared: Prepared, show: Display) -> int:
    """Analyse, then project the study to the tracker."""
    code = analyse(prepared, show)
    _track(prepared, show)
    return code


def report(prepared: Prepared, show: Display) -> int:
    """Analyse, then write the report; a place that cannot hold one is told before any table is printed."""
    from diag.report import require_place

    require_planned(prepared)
    require_place(prepared.folder.root)
    code = analyse(prepared, show)
    _report(prepared, show)
    return code


def everything(prepared: Prepared, show: Display) -> int:
    """Run, analyse, report, track."""
    code = run(prepared, show)
    analyse(prepared, show, ended=True)
    path = _report(prepared, show)
    if prepared.config.tracking.enabled:
        _track(prepared, show)
    show.places(path, _mlflow(prepared))
    return code


def _mlflow(prepared: Prepared) -> str | None:
    """Return what opens MLflow on the study: a command, or the address of a server; None if it was not tracked."""
    tracking, outputs = prepared.config.tracking, prepared.folder.root.parent.parent
    if not tracking.enabled:
        return None
    if tracking.uri is not None:
        return tracking.uri
    start = "diag" if CHECKOUT is None else "./diag.sh" if Path.cwd() == CHECKOUT else quote(str(CHECKOUT / "diag.sh"))
    return f"{start} ui" if outputs == Path.cwd() / "outputs" else f"{start} ui {quote(f'outputs={outputs}')}"


def calibrate(prepared: Prepared, show: Display) -> int:
    """Repeat the study on the rules alone and report what its intervals and tests are worth."""
    from diag.app.calibrate import calibrate as repeat

    return repeat(prepared, show)


_MODES: Mapping[Mode, Callable[[Prepared, Display], int]] = {
    Mode.plan: plan_mode,
    Mode.run: run,
    Mode.regrade: regrade,
    Mode.analyse: analyse,
    Mode.track: track,
    Mode.report: report,
    Mode.calibrate: calibrate,
    Mode.collect: collect,
    Mode.all: everything,
}


def require_planned(prepared: Prepared) -> None:
    """Check that the folder holds this study, whole. Raises DiagError: it holds none, another one, a damaged record."""
    if not prepared.folder.has_plan():
        raise DiagError(f"{prepared.folder.root} holds no study yet; run it first with mode=run")
    require_same(prepared.folder.read_plan(), prepared.plan, str(prepared.folder.root))
    check_files(prepared.folder, prepared.plan)


def interim_look(prepared: Prepared) -> Look | None:
    """Return how far a study is that has not ended; None for one that has.

    A study has ended when every unit has a valid attempt, or as many failed ones as a run makes.

    Raises:
        IncompleteStudy: it has not ended, and the command does not say that its outcomes are to be looked at.
    """
    folder, units = prepared.folder, prepared.plan.units
    attempts = {unit.unit_id: folder.attempts(unit.unit_id) for unit in units}
    done = sum(any(one.validity == "valid" for one in tried) for tried in attempts.values())
    ended = sum(
        any(one.validity == "valid" for one in tried) or len(tried) >= prepared.config.execution.max_attempts
        for tried in attempts.values()
    )
    if ended == len(units):
        return None
    look = Look(utc_now(), done, len(units))
    if not prepared.config.interim:
        raise IncompleteStudy(
            f"{folder.root} has not ended: {look.share} have an outcome, and a look before the end makes its p too "
            "small; mode=run goes on, interim=true looks all the same, marks what it shows and is recorded"
        )
    return look


def _require_browser(prepared: Prepared) -> None:
    """Find the browser before any worker starts. Raises BrowserMissing, ConfigError."""
    if not prepared.executor.browser:
        return
    find()
    if prepared.config.suite.port and prepared.workers.at_once > 1:
        raise ConfigError(f"suite.port={prepared.config.suite.port} is one port; give execution.n_jobs=1 with it")


def _job(prepared: Prepared) -> Job:
    import os

    local = prepared.workers.backend is Backend.loky
    return Job(prepared.folder, prepared.executor, prepared.plan.plan_hash, os.getpid() if local else None)


def block_records(prepared: Prepared) -> dict[str, dict[str, Any]]:
    """Return, per block, the ordinary context and what each arm adds to it.

    Raises:
        InterferenceError: an arm changes more than the text it declares.
    """
    records = {}
    for block in prepared.blocks:
        base = prepared.study.kind.starts.context(prepared.study, prepared.library.checkpoint(block.checkpoint_id))
        arms = {arm: arm_difference(prepared.study.arms[arm], base, block.cohort) for arm in block.arms}
        content = {**asdict(block), "plan_hash": prepared.plan.plan_hash, "base_context": asdict(base), "by_arm": arms}
        records[block.block_id] = content
    return records


def _write_blocks(prepared: Prepared, records: Mapping[str, Mapping[str, Any]]) -> None:
    fixed = prepared.folder.has_outcomes()
    for block_id, content in records.items():
        if not fixed or not (prepared.folder.root / "blocks" / f"{block_id}.json").exists():
            prepared.folder.write_record(f"blocks/{block_id}.json", content)


def _attempts(prepared: Prepared) -> list[tuple[Any, AttemptStatus]]:
    return [(unit, status) for unit in prepared.plan.units for status in prepared.folder.attempts(unit.unit_id)]


def _regrade(prepared: Prepared, unit: Any, status: AttemptStatus) -> bool:
    """Grade one attempt again; True if its outcome changed. One without a log keeps the outcome it has."""
    events = prepared.folder.read_events(status)
    if not events or status.failure_kind in ("program", "record"):
        return False
    outcome = prepared.executor.grade(events, unit)
    changed = outcome != prepared.folder.read_outcome(status)
    prepared.folder.write_outcome(status, outcome)
    return changed


def checked_outcomes(prepared: Prepared) -> list[Outcome]:
    """Return the outcomes of all complete attempts, each with its log checked. Raises CorruptRecord."""
    outcomes = []
    for _, status in _attempts(prepared):
        prepared.folder.check_log(status)
        outcomes.append(prepared.folder.read_outcome(status))
    return outcomes


def _analyse(prepared: Prepared, show: Display, look: Look | None) -> int:
    """Write and show the tables; return INCOMPLETE if a planned unit has no valid outcome."""
    from diag.analysis.order import ORDER_COLUMNS, order_sentence, order_table

    agent, folder = prepared.agent, prepared.folder
    table = outcome_table(prepared.plan, checked_outcomes(prepared), agent=agent.name, simulated=agent.simulated)
    study = prepared.study
    draws = resample_plan(study)
    frame = study.kind.analysis_frame(table.frame)
    declared = estimands_of(study)
    estimands = observed(declared, frame)
    effects = estimate(frame, estimands, plan=draws, level=study.analysis.level)
    if look is not None:
        record_look(folder.root, look)
        effects = interim_effects(effects, look.share)
    folder.tables.mkdir(parents=True, exist_ok=True)
    write_table(table.frame if look is None else table.frame.assign(interim=look.share), folder.tables / "outcomes.csv")
    folder.write_text(
        "tables/effects.json", json.dumps(effects_json(effects, plan=draws), indent=1, allow_nan=False) + "\n"
    )
    rows = _rows_with_details(prepared, counted(table.frame))
    stable = stability_table(table.frame, table.repeats, ending=study.kind.ending, endpoints=study.endpoints)
    order = order_table(frame, estimands, seed=draws.seed)
    own = {
        "stability.csv": csv_text(STABILITY_COLUMNS, stable),
        "order.csv": csv_text(ORDER_COLUMNS, order),
        **study.kind.tables(study, rows),
    }
    if look is not None:
        own = {name: marked(text, look.share) if name.endswith(".csv") else text for name, text in own.items()}
    for name, text in own.items():
        folder.write_text(f"tables/{name}", text)
    _seal_tables(prepared, [asdict(block) for block in table.incomplete], ("outcomes.csv", "effects.json", *own), look)
    show.effects(prepared, table, effects)
    found = {one.outcome for one in estimands}
    for endpoint in dict.fromkeys(one.outcome for one in declared if one.outcome not in found):
        show.note(f"endpoint {endpoint}: no valid unit has a value, so no effect on it can be estimated")
    _note_pictures(folder, show)
    for line in study.kind.summary(study, rows):
        show.note(line)
    if sentence := order_sentence(order):
        show.note(sentence)
    for one in stable:
        if (one["arm"], one["endpoint"]) == ("all", "ending"):
            show.note(f"endpoint stability: {one['n_kept']} of {one['n_repeated']} repeated units keep their ending")
    return INCOMPLETE if (table.frame["validity"] != "valid").any() else 0


def _note_pictures(folder: StudyFolder, show: Display) -> None:
    """Name the pictures that are not what was taken. No number depends on one; the report marks each in its place."""
    damaged = PictureStore(folder.pictures).damaged()
    if damaged:
        few = ", ".join(f"{name[:12]}.png" for name in damaged[:3])
        more = "" if len(damaged) <= 3 else f" and {len(damaged) - 3} more"
        show.note(
            f"damaged pictures in {folder.pictures}: {few}{more}; no number depends on them, the report marks them"
        )


def _rows_with_details(prepared: Prepared, frame: Any) -> list[dict[str, Any]]:
    """Return the valid rows of the outcome table as plain values, each with the details of its primary attempt."""
    rows = []
    for row in frame[frame["validity"] == "valid"].astype(object).where(frame.notna(), None).to_dict("records"):
        status = prepared.folder.status(row["unit_id"], int(row["attempt"]))
        rows.append({**row, "details": prepared.folder.read_outcome(status).details})
    return rows


def _seal_tables(prepared: Prepared, incomplete: list[Any], names: Sequence[str], look: Look | None) -> None:
    folder: StudyFolder = prepared.folder
    digests = {name: file_sha256(folder.tables / name) for name in names}
    content = {
        "plan_hash": prepared.plan.plan_hash,
        "analysis": asdict(prepared.study.analysis),
        "interim": None if look is None else look.share,
        "incomplete_blocks": incomplete,
        "tables": digests,
    }
    folder.write_record("tables/analysis.json", content)


def _track(prepared: Prepared, show: Display) -> None:
    from diag.tracking.projection import project

    show.tracked(project(prepared.folder.root, prepared.config.tracking))


def _report(prepared: Prepared, show: Display) -> Any:
    from diag.report import write_report

    keep_power(prepared)
    n_jobs = min(prepared.workers.n_jobs, usable_cores())
    path = write_report(prepared.folder.root, levels=prepared.executor.station.levels, n_jobs=n_jobs)
    show.note(f"report: {path}")
    return path


__all__ = ["RunSummary", "run_mode"]
