"""Records a person's session at the suite in the events of an agent's episode, as a study folder of its own.

A person's clicks, drags and keys become `action` events, each answered by a snapshot, on the wall clock from the moment
the page is opened. What a person thinks is not recorded: a decision is the gesture itself. Pointer movements with the
button down are previews and are no action (source document: one action per press). The log is graded as any episode,
so people and agents are compared on the state variables that both record.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checkpoints.controller import action_of
from diag.arms import Text
from diag.records import Ending, Outcome, Plan, Unit
from diag.records.event_log import EventLog, read_events
from diag.records.plan import make_plan, schedule
from diag.records.study_folder import AttemptStatus, StudyFolder
from diag.session.clock import WallClock
from diag.session.dispatcher import snapshot_json
from diag.starts.home_screens import Objective
from diag.studies.episodes.keys import EpisodeKeys
from diag.studies.episodes.kind import KIND
from diag.studies.study import Study
from games.catalogue import Catalogue
from games.contract import Drag, Gesture
from games.suite.server import SuiteServer
from games.suite.session import SuiteSession
from games.suite.state import Unlock
from games.suite.texts import Instructions, Language

PERSON = {"name": "person", "simulated": False, "privilege": "none"}
BUDGET_S = 3_600.0
OBJECTIVE = "Play {game}, difficulty {difficulty}: complete all of its {count} levels."


def recording_study(objective: str) -> Study:
    """Return the study that a recorded session belongs to: one objective, one ordinary arm."""
    ordinary: Any = Text("ordinary", {"any": ""}, "A person plays")  # frozen, where the protocol has plain attributes
    name = f"play-{objective.replace('/', '-')}"
    keys = EpisodeKeys(name=name, objective=OBJECTIVE, objectives=[objective])
    return Study.of(KIND, keys, {"A": ordinary})


@dataclass
class Recorder:
    """One person's session: appends events while it is played, seals the attempt when it is over."""

    folder: StudyFolder
    plan: Plan
    objective: Objective
    study: Study
    catalogue: Catalogue
    clock: WallClock = field(default_factory=WallClock)
    budget_s: float = BUDGET_S
    status: AttemptStatus | None = None
    """Set once the attempt is sealed."""

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self._n_actions = self._n_seen = 0
        self._last_s = 0.0
        self._log: EventLog | None = None
        self._partial: Path | None = None

    @property
    def unit(self) -> Unit:
        """The one unit of the plan."""
        return self.plan.units[0]

    def begin(self, session: SuiteSession) -> None:
        """Write the plan and the start of the log."""
        with self._lock:
            self.folder.write_plan(self.plan)
            self._partial = self.folder.begin_attempt(self.unit.unit_id, 1, plan_hash=self.plan.plan_hash, browser=True)
            self._log = EventLog(self._partial / "events.jsonl")
            self.clock.start()
            self._append("episode_start", self._start())
            self._snapshot(session)

    def gesture(self, session: SuiteSession, gesture: Gesture) -> None:
        """Record a gesture that has just been handled; nothing once the episode is over."""
        with self._lock:
            if self._log is None or (isinstance(gesture, Drag) and not gesture.finished):
                return
            now_s = self.clock.elapsed_s()
            if now_s >= self.budget_s:
                self.end("time_limit", f"{self.budget_s:g} s")
                return
            action = action_of(gesture)
            latency_s, self._last_s = now_s - self._last_s, now_s
            said = {"reason": "", "latency_s": latency_s, "stop": False, "usage": {}, "late": False}
            self._append("decision", {"actions": [action], **said})
            self._append("action", {"index": self._n_actions, "action": action, "valid": True, "feedback": ""})
            self._n_actions += 1
            self._snapshot(session)
            if set(self.objective.levels) <= set(session.snapshot().won_levels):
                self.end("won", "objective_won")

    def end(self, ending: Ending, reason: str) -> None:
        """Close the log, grade it and seal the attempt; ending twice changes nothing."""
        with self._lock:
            if self._log is None or self._partial is None:
                return
            self._append("episode_end", {"ending": ending, "reason": reason, "failure_kind": None})
            self._log.close()
            self._log = None
            events = read_events(self._partial / "events.jsonl")
            outcome: Outcome = KIND.grader(self.study, self.catalogue)(events, self.plan.plan_hash)
            self.status = self.folder.finish_attempt(self._partial, outcome)

    def outcome(self) -> Outcome | None:
        """Return what the session came to, once it is over."""
        return None if self.status is None else self.folder.read_outcome(self.status)

    def _start(self) -> dict[str, Any]:
        unit = self.unit
        context = KIND.starts.context(self.study, self.objective)
        return {
            **{name: getattr(unit, name) for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
            "attempt": 1,
            "plan_hash": self.plan.plan_hash,
            "study": self.plan.study,
            "level": None,
            "objective": [str(level) for level in self.objective.levels],
            "agent": PERSON,
            "limits": {"time_s": self.budget_s, "actions": None},
            "clock": self.clock.kind,
            "environment": "person",
            "context": {"instruction": context.instruction},
            "digests": {},
            "browser": None,
            "start_state": None,
        }

    def _snapshot(self, session: SuiteSession) -> None:
        new = session.transitions(self._n_seen)
        self._n_seen += len(new)
        self._append("snapshot", snapshot_json(session.snapshot(), new))

    def _append(self, kind: Any, data: dict[str, Any]) -> None:
        assert self._log is not None
        self._log.append(kind, self.clock.elapsed_s(), data)


class RecordedSession(SuiteSession):
    """A session that tells its recorder of every gesture after it took effect."""

    def __init__(self, catalogue: Catalogue, language: Language, recorder: Recorder, **looks: Any) -> None:
        super().__init__(catalogue, language, **looks)
        self.recorder = recorder
        recorder.begin(self)

    def gesture(self, gesture: Gesture) -> None:
        """Handle the gesture, then record it."""
        super().gesture(gesture)
        self.recorder.gesture(self, gesture)


class RecordingServer(SuiteServer):
    """A suite whose every visitor is recorded."""

    make_recorder: Callable[[], Recorder]

    def __init__(self, *arguments: Any, make_recorder: Callable[[], Recorder], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.make_recorder = make_recorder
        self.recorders: list[Recorder] = []

    def open(
        self,
        language: Language = "en",
        animate: bool = True,
        instructions: Instructions = "brief",
        unlock: Unlock = "in_order",
    ) -> SuiteSession:
        """Return a new session with its own recorder."""
        recorder = self.make_recorder()
        looks = {"animate": animate, "instructions": instructions, "unlock": unlock}
        session = RecordedSession(self.catalogue, language, recorder, **looks)
        self.recorders.append(recorder)
        self._sessions[session.id] = session
        return session

    def end_all(self) -> None:
        """End every session that is still open, as a stop of its player."""
        for recorder in self.recorders:
            recorder.end("stopped", "the recording was closed")


def recorder_factory(catalogue: Catalogue, objective: str, outputs: Path) -> Callable[[], Recorder]:
    """Return what makes a recorder for each visitor, each with a study folder of its own below `outputs`.

    Raises:
        ConfigError: there is no such objective.
    """
    study = recording_study(objective)
    source: Any = KIND.starts.source(study, "", catalogue)
    units = schedule(KIND.starts.blocks(study, source), study=study.name, seed=0, repeats=1)
    identity = {"study": study.identity(), "agent": PERSON, "catalog": {"library": source.digest}, "clock": "wall"}
    plan = make_plan(study.name, units, identity)

    def make() -> Recorder:
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        root = outputs / study.name
        taken = sum(path.name.startswith(f"person-{stamp}") for path in root.glob("person-*"))
        folder = StudyFolder(root / (f"person-{stamp}" + (f"-{taken + 1}" if taken else "")))
        return Recorder(folder, plan, source.checkpoint(objective), study, catalogue)

    return make
