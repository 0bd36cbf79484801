"""How far a study is while it runs, read from its folder alone: units, screens, errors, cost, pace; never an outcome.

Nothing is locked and nothing written, so looking cannot disturb the run. A finished log is read once.
"""

from __future__ import annotations

import json
import os
import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from diag.agents.models.accounting import Usage, calls_of, total_of
from diag.errors import CorruptRecord
from diag.reading.standing import Standing, standing_of
from diag.records import Plan, Unit
from diag.records.lines import lines_of
from diag.records.sealed import read_sealed
from diag.records.study_folder import AttemptStatus, StudyFolder

PACE_OVER = 20
"""The pace is that of so many units, the last to become valid."""
FEWEST = 2
"""Valid units before there is a pace."""
LOST_S = 60.0
"""An attempt whose heartbeat is older than this belongs to a process that is gone."""


@dataclass(frozen=True)
class LogFacts:
    """What one attempt's log says of its effort."""

    n_screens: int
    n_decisions: int
    used: Usage
    last_picture: str | None


@dataclass(frozen=True)
class RunningUnit:
    """A unit that is being played. Its arm is not said: who sees screens by arm sees outcomes by arm."""

    block_id: str
    started_utc: str
    n_screens: int
    picture: str | None


@dataclass(frozen=True)
class Live:
    """A study at one moment."""

    folder: Path
    study: str
    agent: str
    standing: Standing
    n_running: int
    n_failed_attempts: int
    errors: tuple[tuple[str, int, str], ...]
    """Kind, count and the commonest message of infrastructure failures, the most frequent first."""
    arms: tuple[tuple[str, str, int, int, int], ...]
    """Cohort, arm, units planned, units valid, infrastructure failures."""
    n_screens: int
    n_decisions: int
    used: Usage
    per_hour: float | None
    """Valid units an hour; None before the second."""
    runner: str | None
    """Process and host of the run; None if none is under way."""
    running: tuple[RunningUnit, ...]

    @property
    def left_s(self) -> float | None:
        """The seconds to go at this pace; None without a pace or a run."""
        n_left = self.standing.n_units - self.standing.n_valid
        return n_left / self.per_hour * 3600 if self.per_hour and self.runner else None

    @property
    def state(self) -> str:
        """`running`, `finished`, `not begun` or `stopped`."""
        if self.runner:
            return "running"
        if not self.standing.partial:
            return "finished"
        return "stopped" if self.standing.n_valid or self.n_failed_attempts else "not begun"


class Watcher:
    """Looks at one study's folder as often as it is asked."""

    def __init__(self, root: Path) -> None:
        self.folder = StudyFolder(root)
        self._finished: dict[Path, LogFacts] = {}

    def look(self) -> Live:
        """Return how far the study is now. Raises CorruptRecord: the plan or a status is not what was written."""
        plan = self.folder.read_plan()
        tries = {unit.unit_id: self.folder.attempts(unit.unit_id) for unit in plan.units}
        valid = {name for name, found in tries.items() if any(one.validity == "valid" for one in found)}
        failed = [one for found in tries.values() for one in found if one.validity != "valid"]
        partial = tuple(self._partial(plan.units))
        facts = [*(self._of_finished(one) for found in tries.values() for one in found), *(one for *_, one in partial)]
        runner = _runner(self.folder.root / "study.holder.json")
        fresh = [(unit, status, log) for unit, status, log in partial if runner or _age_s(status) < LOST_S]
        return Live(
            folder=self.folder.root,
            study=plan.study,
            agent=str(dict(plan.identity.get("agent") or {}).get("name", "")),
            standing=standing_of(plan, len(valid)),
            n_running=len(fresh),
            n_failed_attempts=len(failed),
            errors=_errors(failed),
            arms=_arms(plan, valid, failed),
            n_screens=sum(one.n_screens for one in facts),
            n_decisions=sum(one.n_decisions for one in facts),
            used=total_of(one.used for one in facts),
            per_hour=_per_hour([one for found in tries.values() for one in found if one.validity == "valid"]),
            runner=runner or ("a process on another machine" if fresh else None),
            running=tuple(
                RunningUnit(unit.block_id, status.started_utc, log.n_screens, log.last_picture)
                for unit, status, log in fresh
            ),
        )

    def _of_finished(self, status: AttemptStatus) -> LogFacts:
        path = self.folder.attempt_folder(status.unit_id, status.attempt) / "events.jsonl"
        if path not in self._finished:
            self._finished[path] = _log_facts(path)
        return self._finished[path]

    def _partial(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, AttemptStatus, LogFacts]]:
        for unit in units:
            for path in self.folder.partials(unit.unit_id):
                try:
                    status = AttemptStatus(**read_sealed(path / "status.json"))
                except (CorruptRecord, TypeError):  # it was finished or set aside between two looks
                    continue
                yield unit, status, _log_facts(path / "events.jsonl")


def _log_facts(path: Path) -> LogFacts:
    """Read a log as far as it is whole: its last line may be under way."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        text = ""
    n_screens = n_decisions = 0
    used, picture = Usage(), None
    for line in lines_of(text[: text.rfind("\n") + 1]):
        event = json.loads(line)
        if event["kind"] == "observation":
            n_screens += 1
            picture = event["data"].get("picture") or picture
        n_decisions += event["kind"] == "decision"
        for call in calls_of(event["data"]):
            used = used.plus(call)
    return LogFacts(n_screens, n_decisions, used, picture)


def _errors(failed: Sequence[AttemptStatus]) -> tuple[tuple[str, int, str], ...]:
    kinds = Counter(str(one.failure_kind) for one in failed)
    found = []
    for kind, count in kinds.most_common():
        messages = Counter(" ".join(one.message.split()) for one in failed if str(one.failure_kind) == kind)
        found.append((kind, count, messages.most_common(1)[0][0]))
    return tuple(found)


def _arms(plan: Plan, valid: set[str], failed: Sequence[AttemptStatus]) -> tuple[tuple[str, str, int, int, int], ...]:
    planned = Counter((unit.cohort, unit.arm) for unit in plan.units)
    done = Counter((unit.cohort, unit.arm) for unit in plan.units if unit.unit_id in valid)
    of_unit = {unit.unit_id: (unit.cohort, unit.arm) for unit in plan.units}
    lost = Counter(of_unit[one.unit_id] for one in failed)
    return tuple(
        (cohort, arm, planned[cohort, arm], done[cohort, arm], lost[cohort, arm]) for cohort, arm in sorted(planned)
    )


def _per_hour(valid: Sequence[AttemptStatus]) -> float | None:
    """Return the pace of the last units that became valid, from the start of the first of them to the end of the last.

    An attempt's last heartbeat is when it was sealed.
    """
    last = sorted(valid, key=lambda one: one.heartbeat_utc)[-PACE_OVER:]
    if len(last) < FEWEST:
        return None
    began = min(datetime.fromisoformat(one.started_utc) for one in last)
    span_s = (datetime.fromisoformat(last[-1].heartbeat_utc) - began).total_seconds()
    return len(last) / span_s * 3600 if span_s > 0 else None


def _age_s(status: AttemptStatus) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(status.heartbeat_utc)).total_seconds()


def _runner(holder: Path) -> str | None:
    """Return who runs the study: the process that holds its lock, if it is alive or on another machine."""
    try:
        found = json.loads(holder.read_text())
        pid, host, since = int(found["pid"]), str(found["host"]), str(found["since_utc"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if host == socket.gethostname() and not _is_alive(pid):
        return None
    return f"process {pid} on {host} since {since}"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
