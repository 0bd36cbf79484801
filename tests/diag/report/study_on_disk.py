"""Writes a study's folder the way docs/reference/events.md describes it, with a truth the tests know and own pictures.

The agent is a coin: under A it recovers rarely, under B and C nearly always. Nothing here is a result of the program.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import json
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image, ImageDraw

from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import analyse, effects_json
from diag.analysis.estimand import Estimand
from diag.grading.table import write_table
from diag.records import EventKind, Unit
from diag.records.event_log import EventLog
from diag.records.plan import make_plan, plan_digest, plan_to_json
from diag.records.sealed import write_sealed

STARTED_UTC = "2026-01-02T03:04:05.000+00:00"
INSTRUCTION = "Finish level {level} of Bolt Unscrew Hard.\nAct through screenshots and mouse actions only."
FACTS = {
    "B": {"D": "No legal relocation remains on this board.", "N": "This board can still be solved."},
    "C": {"D": "No legal relocation remains on this board.\nThe button labelled Restart resets the level."},
}
ARMS = {"D": ("A", "B", "C"), "N": ("A", "B")}
PRIVILEGE = {"A": "none", "B": "evaluator_state", "C": "evaluator_state"}
CONTRASTS = (("D", "B", "A"), ("D", "C", "B"), ("N", "B", "A"))
ENDPOINTS = {"D": ("timely_restart", "verified_recovery", "won", "recurrence"), "N": ("won",)}
LEVEL_BLOCKS = (4, 4, 4, 3, 3, 3, 3)


@dataclass
class StudyOnDisk:
    """Where the study is and what is true of it."""

    folder: Path
    outcomes: pd.DataFrame
    effects: list[dict[str, Any]]
    n_pictures: int
    hostile_reason: str
    units: list[dict[str, Any]] = field(default_factory=list)


def write_study(folder: Path, **asked: Any) -> StudyOnDisk:
    """Lay a study with plan, units, pictures and tables at `folder`; return the truth. `asked`: as for `_written`."""
    made = _written(**asked)
    shutil.copytree(made.folder, folder)
    return replace(made, folder=folder, outcomes=made.outcomes.copy(), units=[dict(one) for one in made.units])


@cache
def _written(
    *,
    level_blocks: tuple[int, ...] = LEVEL_BLOCKS,
    n_blocks_n: int = 12,
    seed: int = 7,
    incomplete_block: bool = True,
    hostile_reason: str = '<script>document.title="taken"</script> & "quotes"',
    study: str = "rq2",
    agent: str = "simulated/sol",
) -> StudyOnDisk:
    """Write a study once a process. `seed` decides every outcome."""
    folder = Path(tempfile.mkdtemp(prefix="diag-study-on-disk-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    rng = np.random.default_rng(seed)
    painter = _Painter(folder / "pictures")
    blocks = [
        (f"D{level + 1}-{number + 1}", "D", f"bolt_unscrew/hard/{level + 1}")
        for level, count in enumerate(level_blocks)
        for number in range(count)
    ] + [(f"N1-{number + 1}", "N", "bolt_unscrew/hard/1") for number in range(n_blocks_n)]
    units = _units(blocks)
    identity = _identity(study, agent)
    records = tuple(Unit(**unit) for unit in units)
    plan_hash = plan_digest(study, records, identity)
    rows = []
    for unit in units:
        lost = incomplete_block and unit["block_id"] == blocks[-1][0] and unit["arm"] == "B"
        truth = _truth(unit, rng, lost=lost, hostile=hostile_reason if unit["order"] == 0 else None)
        rows.append(_write_unit(folder, unit, truth, painter, plan_hash, study, agent))
    outcomes = pd.DataFrame(rows)
    for name in ("timely_restart", "verified_recovery", "won", "recurrence"):
        outcomes[name] = outcomes[name].astype("boolean")
    effects = _write_tables(folder, outcomes)
    _dump(folder / "plan.json", plan_to_json(make_plan(study, records, identity)))
    (folder / "config.yaml").write_text("study:\n  name: rq2\n  title: Dead-end takeover\n")
    _dump(
        folder / "manifest.json",
        {
            "git": {"commit": "0123abcd", "dirty": False},
            "packages": {"mlflow": "3.17.2"},
            "browser": "Chromium 147",
            "wall_s": 84.2,
        },
    )
    return StudyOnDisk(folder, outcomes, effects, painter.n_pictures, hostile_reason, units)


def _identity(study: str, agent: str) -> dict[str, Any]:
    names = {"A": "ordinary", "B": "dead_end_fact", "C": "dead_end_fact_restart"}
    arms = {
        arm: {"name": name, "privilege": PRIVILEGE[arm], "description": f"Arm {arm}.", "sentences": FACTS.get(arm, {})}
        for arm, name in names.items()
    }
    return {
        "study": {
            "kind": "takeover",
            "name": study, "title": "Dead-end takeover",
            "question": "Does an agent leave a dead end once it is told of it?",
            "objective": INSTRUCTION, "arms": arms, "control": "A", "repeats": 1, "seed": 0,
            "limits": {"takeover_s": 300.0, "actions": 600, "timely_actions": 10, "timely_s": 120.0},
        },
        "agent": {"name": agent, "propensities": {"restart_when_told": 0.95}},
    }  # fmt: skip


def _units(blocks: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
    units: list[dict[str, Any]] = []
    for block_id, cohort, level in blocks:
        for arm in ARMS[cohort]:
            unit = {"unit_id": f"{block_id}-{arm}-r1", "block_id": block_id, "cohort": cohort, "arm": arm, "repeat": 1}
            digest = hashlib.sha256(block_id.encode()).hexdigest()
            unit |= {"checkpoint_id": block_id, "checkpoint_digest": digest, "cluster": level}
            units.append({**unit, "seed": 17 * len(units), "order": len(units)})
    return units


class _Painter:
    """Content-addressed pictures: a board of screws, each stored once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[tuple[int, int, str], str] = {}

    @property
    def n_pictures(self) -> int:
        return len(set(self.known.values()))

    def picture(self, level: int, taken: int, banner: str) -> str:
        key = (level, taken, banner)
        if key not in self.known:
            image = Image.new("RGB", (1280, 900), (236, 226, 208))
            draw = ImageDraw.Draw(image)
            draw.rectangle((40, 96, 880, 880), fill=(196, 154, 108))
            for screw in range(12 - taken):
                x, y = 130 + 200 * (screw % 4), 200 + 220 * (screw // 4)
                draw.ellipse((x, y, x + 70, y + 70), fill=(120, 124, 134), outline=(60, 60, 66), width=4)
            draw.text((930, 120), f"Level {level}   {banner}", fill=(40, 30, 20))
            buffer = io.BytesIO()
            image.save(buffer, "PNG", compress_level=1)
            digest = hashlib.sha256(buffer.getvalue()).hexdigest()
            path = self.folder / digest[:2] / f"{digest}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(buffer.getvalue())
            self.known[key] = digest
        return self.known[key]


@dataclass(frozen=True)
class _Truth:
    """What one unit will come to; drawn before its log is written."""

    timely: bool | None
    recovered: bool | None
    recurs: bool | None
    won: bool
    restart_at: int | None
    n_decisions: int
    retried: bool
    lost: bool
    hostile: str | None

    @property
    def attempt(self) -> int:
        return 2 if self.retried else 1


def _truth(unit: dict[str, Any], rng: np.random.Generator, *, lost: bool, hostile: str | None) -> _Truth:
    dead = unit["cohort"] == "D"
    timely, late, won = rng.random() < (0.06 if unit["arm"] == "A" else 0.93), rng.random() < 0.3, rng.random() < 0.75
    n_decisions, early = int(rng.integers(6, 14)), int(rng.integers(1, 4))
    recovered = bool(timely or late) if dead else None
    return _Truth(
        timely=bool(timely) if dead else None,
        recovered=recovered,
        recurs=bool(late) if recovered else None,
        won=bool(won) and not dead,
        restart_at=None if not recovered else early if timely else n_decisions - 2,
        n_decisions=n_decisions,
        retried=unit["order"] % 17 == 3,
        lost=lost,
        hostile=hostile,
    )


def _start_data(unit: dict[str, Any], truth: _Truth, plan_hash: str, study: str, agent: str) -> dict[str, Any]:
    fact = FACTS.get(unit["arm"], {}).get(unit["cohort"], "")
    instruction = INSTRUCTION.format(level=unit["cluster"]) + (f"\n\n{fact}" if fact else "")
    shared = ("state", "pixels", "prefix", "objective", "interface", "limits")
    return {
        **{name: unit[name] for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
        "attempt": truth.attempt,
        "plan_hash": plan_hash,
        "study": study,
        "level": unit["cluster"],
        "agent": {"name": agent, "simulated": True, "privilege": "none"},
        "limits": {"time_limit_s": 300, "action_limit": 600},
        "clock": {"kind": "virtual"},
        "context": {"instruction": instruction, "prefix": [], "memory": None},
        "digests": {name: hashlib.sha256(f"{unit['block_id']}{name}".encode()).hexdigest() for name in shared},
        "browser": "Chromium 147",
        "start_state": {"free": []},
    }


def _play(log: _Log, unit: dict[str, Any], truth: _Truth, painter: _Painter) -> tuple[float, float | None, bool]:
    """Write the decisions; return the clock at the end, the moment of recovery, and whether a click was blamed."""
    level = int(unit["cluster"].rsplit("/", 1)[1])
    clock, recovery_s, blames = 0.0, None, False
    for step in range(truth.n_decisions):
        restart = step == truth.restart_at
        taken = step % 5 if truth.restart_at is None or step <= truth.restart_at else 0
        dead = unit["cohort"] == "D" and recovery_s is None
        picture = painter.picture(level, taken, "dead end" if dead else "open")
        log.add("observation", clock, {"picture": picture, "settled": "settled"})
        blame = not restart and dead and unit["arm"] == "A" and step == 2
        blames |= blame
        reason = truth.hostile if truth.hostile and step == 0 else _reason(step, restart, blame)
        action = {"name": "click", "x": 1000 if restart else 165 + 200 * (step % 4), "y": 40 if restart else 235}
        decision = {"actions": [action], "reason": reason, "latency_s": 11.0, "stop": False, "usage": {}, "late": False}
        log.add("decision", clock, decision)
        clock += 11.0
        log.add("action", clock, {"index": step, "action": action, "valid": True, "feedback": "click done"})
        recovery_s = clock if restart else recovery_s
        won = truth.won and step == truth.n_decisions - 1
        change = {"index": step + 1, "kind": "restart" if restart else "move", "level": unit["cluster"], "state": {}}
        change |= {"move": None if restart else [step], "won": won, "potential": 0.1 + 0.05 * step}
        digest = f"s{taken}{recovery_s is not None}"
        log.add("snapshot", clock, _snapshot(unit, digest, won, 0.1 + 0.05 * step, step + 2, [change]))
        clock += 2.0
    log.add("observation", clock, {"picture": painter.picture(level, 6, "end"), "settled": "settled"})
    return clock, recovery_s, blames


def _reason(step: int, restart: bool, blame: bool) -> str:
    if restart:
        return "The holes are full; I press Restart."
    return "The screw did not move, so I try another." if blame else f"I move screw {step + 1}."


def _snapshot(
    unit: dict[str, Any], digest: str, won: bool, potential: float, n: int, changes: list[Any]
) -> dict[str, Any]:
    return {"screen": "playing", "level": unit["cluster"], "state_digest": digest, "won": won, "potential": potential,
            "n_transitions": n, "transitions": changes}  # fmt: skip


def _write_unit(
    folder: Path, unit: dict[str, Any], truth: _Truth, painter: _Painter, plan_hash: str, study: str, agent: str
) -> dict[str, Any]:
    """Write the attempts of one unit and return its row of the outcome table."""
    log = _Log()
    log.add("episode_start", 0.0, _start_data(unit, truth, plan_hash, study, agent))
    log.add("snapshot", 0.0, _snapshot(unit, "s0", False, 0.5, 1, []))
    clock, recovery_s, blames = (0.0, None, False) if truth.lost else _play(log, unit, truth, painter)
    ending = (
        "infrastructure" if truth.lost else "won" if truth.won else "time_limit" if unit["order"] % 3 else "stopped"
    )
    if truth.lost:
        log.add("error", clock, {"kind": "browser", "message": "page crashed"})
    failure = "browser" if truth.lost else None
    log.add("episode_end", clock, {"ending": ending, "reason": "", "failure_kind": failure})
    endpoints: dict[str, Any] = {"timely_restart": truth.timely, "verified_recovery": truth.recovered, "won": truth.won,
                                 "recurrence": truth.recurs, "recovery_s": recovery_s}  # fmt: skip
    endpoints = dict.fromkeys(endpoints) if truth.lost else endpoints
    codes = {"blames_click": blames, "names_cause": truth.restart_at is not None and not truth.lost}
    common = {
        "attempt": truth.attempt,
        "validity": "infrastructure_failure" if truth.lost else "valid",
        "ending": ending,
        "failure_kind": failure,
        "elapsed_s": clock,
        "n_actions": 0 if truth.lost else truth.n_decisions,
        "n_invalid_actions": 0,
    }
    where = folder / "units" / unit["unit_id"]
    if truth.retried:
        crash = _Log()
        crash.add("error", 0.0, {"kind": "browser", "message": "crash"})
        _attempt(where / "attempt-1", crash, {"validity": "infrastructure_failure", "failure_kind": "browser"})
    _attempt(
        where / f"attempt-{truth.attempt}",
        log,
        {"unit_id": unit["unit_id"], "plan_hash": plan_hash, **common, "endpoints": endpoints, "codes": codes},
    )
    kept = {name: unit[name] for name in ("unit_id", "block_id", "cohort", "arm", "cluster", "repeat", "checkpoint_id")}
    tried = {"n_attempts": truth.attempt, "n_failed": truth.attempt - (not truth.lost)}
    coded = {f"code_{name}": value for name, value in codes.items()}
    return {**kept, "agent": agent, "simulated": True, **tried, **common, **endpoints, **coded}


def _attempt(folder: Path, log: _Log, outcome: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    log.write(folder / "events.jsonl")
    _dump(folder / "outcome.json", outcome)
    status = {"state": "complete", "attempt": int(folder.name.rsplit("-", 1)[1]), "started_utc": STARTED_UTC}
    write_sealed(folder / "status.json", status)


class _Log:
    """Collects events and writes them through the program's own log, checks included."""

    def __init__(self) -> None:
        self.events: list[tuple[EventKind, float, dict[str, Any]]] = []

    def add(self, kind: EventKind, clock_s: float, data: dict[str, Any]) -> None:
        self.events.append((kind, clock_s, data))

    def write(self, path: Path) -> None:
        with EventLog(path, _FixedTime()) as log:
            for kind, clock_s, data in self.events:
                log.append(kind, clock_s, data)


class _FixedTime:
    def monotonic_s(self) -> float:
        return 0.0

    def utc(self) -> str:
        return "2026-11-30T10:00:00.000+00:00"


def _dump(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1))


def _write_tables(folder: Path, outcomes: pd.DataFrame) -> list[dict[str, Any]]:
    """Write the tables as the analysis does; return the effects as they are on disk."""
    plan = ResamplePlan(draws=500)
    estimands = [
        Estimand(
            f"{cohort} {treatment}-{control} {outcome}",
            outcome,
            "binary",
            treatment,
            control,
            cohort,
            family="declared",
        )
        for cohort, treatment, control in CONTRASTS
        for outcome in ENDPOINTS[cohort]
    ]
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    write_table(outcomes, folder / "tables" / "outcomes.csv")
    content = effects_json(analyse(outcomes, estimands, plan=plan), plan=plan)
    _dump(folder / "tables" / "effects.json", content)
    return list(content["effects"])
