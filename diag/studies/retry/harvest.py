"""Harvest of source failures: from the event logs of any recorded study, or from sessions recorded for the purpose.

A log is read as the evaluator's record of one session; `checkpoints.failures` decides what of it can be a source. Only
sessions that begin at the suite's home screen hold agent-owned failures: a takeover begins on a board that a controller
placed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checkpoints.failures import GAME, N_SOURCES, SourceFailure
from checkpoints.store import PrefixTurn
from diag.config import CONF
from diag.records import Event, Unit
from diag.records.plan import derive_seed
from diag.session import (
    AttemptSetup,
    EventLog,
    LevelWon,
    Limits,
    PictureStore,
    RulesEnvironment,
    VirtualClock,
    read_events,
    run_attempt,
)
from diag.session.contract import AgentFactory, PublicContext
from diag.studies.registry import register
from games.catalogue import Catalogue
from games.contract import LevelId
from games.suite.session import SuiteSession

SESSION_S = 1_800.0
"""Length of a session recorded for its failure, seconds on its virtual clock."""
MOST_ACTIONS = 60
"""Longer histories than this are passed over when the shipped sources are recorded."""
RECORDED_PER_LEVEL = 12
"""Failures recorded per level, among which the shipped sources are the first that qualify."""
TRIES = 90
PRESETS = ("simulated/sol", "simulated/terra", "simulated/luna")
OBJECTIVE = (
    "You are playing {game}, {difficulty}, level {number}. Complete this level. You may use every button on the "
    "screen. When the level is complete, say so."
)


def failures_in(events: Sequence[Event]) -> tuple[SourceFailure, ...]:
    """Return every native restart of an unfinished board in one attempt's log, with all that came before it."""
    reader = _Reader(events)
    for event in events:
        reader.take(event)
    return tuple(reader.found)


def failures_below(folder: Path) -> Iterator[SourceFailure]:
    """Yield the failures in every event log below a folder, in the order of their paths. Raises LogError."""
    for path in sorted(folder.rglob("events.jsonl")):
        yield from failures_in(read_events(path))


def shipped_failures(catalogue: Catalogue) -> Iterator[SourceFailure]:
    """Yield what the shipped library is chosen from: failures of the three calibrated presets on seven Hard levels."""
    from hydra import compose, initialize_config_dir
    from hydra.utils import instantiate

    register()
    with initialize_config_dir(str(CONF), version_base=None):
        composed = [compose(overrides=[f"+agent={name}"]) for name in PRESETS]
    agents = [instantiate(one.agent, _convert_="all") for one in composed]
    levels = [LevelId(GAME, "hard", number) for number in N_SOURCES]
    return record_failures(agents, levels, catalogue, per_level=RECORDED_PER_LEVEL, tries=TRIES)


def record_failures(
    agents: Sequence[AgentFactory], levels: Sequence[LevelId], catalogue: Catalogue, *, per_level: int, tries: int
) -> Iterator[SourceFailure]:
    """Let simulated agents play from the home screen until each level has given enough short failures.

    Args:
        agents: take turns on a level.
        levels: Hard levels of Bolt Unscrew, or any others.
        catalogue: where they come from.
        per_level: failures wanted from each.
        tries: sessions after which a level is given up.
    """
    for level in levels:
        found: dict[str, SourceFailure] = {}
        for attempt in range(tries):
            if len(found) >= per_level:
                break
            factory = agents[(len(found) + level.number) % len(agents)]
            session = _recorded(factory, level, catalogue, attempt)
            short = (one for one in session if len(one.turns) <= MOST_ACTIONS and one.level == level)
            for failure in list(short)[:1]:
                found.setdefault(str(failure.state), failure)
        yield from found.values()


def _recorded(factory: AgentFactory, level: LevelId, catalogue: Catalogue, attempt: int) -> tuple[SourceFailure, ...]:
    words = {
        "game": level.game.replace("_", " ").title(), "difficulty": level.difficulty.title(), "number": level.number
    }  # fmt: skip
    unit_id = f"{level.game}-{level.difficulty}-{level.number}-{attempt}".replace("/", "-")
    seed = derive_seed("source_failures", f"{factory.name}/{unit_id}", "agent", seed=0)
    context = PublicContext(OBJECTIVE.format(**words))
    goal: Any = LevelWon(level)  # frozen, where the protocols declare plain attributes
    restarted: Any = AfterRestart()
    setup = AttemptSetup(
        unit=Unit(unit_id, unit_id, "F", "source", 1, unit_id, "", str(level), seed, attempt),
        attempt=1,
        plan_hash="source_failures",
        study="source_failures",
        level=None,
        base_context=context,
        context=context,
        goal=goal,
        stop_conditions=(goal, restarted),
        limits=Limits(SESSION_S, None, 50),
        extra={"seed": seed},
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        with EventLog(path) as log:
            run_attempt(
                setup,
                agent=factory.build(seed),
                environment=RulesEnvironment(SuiteSession(catalogue, animate=False), catalogue),
                clock=VirtualClock(),
                log=log,
                pictures=PictureStore(Path(folder)),
            )
        return failures_in(read_events(path))


@dataclass(frozen=True)
class AfterRestart:
    """Ends a session that is recorded for its failure once a level was restarted."""

    name: str = "restarted"

    def ending(self, snapshot: Any, transitions: Sequence[Any]) -> Any:
        """Return `stopped` after a native restart."""
        del snapshot
        return "stopped" if any(change.kind == "restart" for change in transitions) else None


@dataclass
class _Reader:
    """The one pass over a log. Mutable; never leaves this file."""

    events: Sequence[Event]
    found: list[SourceFailure] = field(default_factory=list)
    turns: list[PrefixTurn] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)
    state: Any = None
    last: PrefixTurn | None = None
    """The executed action that the next snapshot belongs to."""
    reason: str = ""
    from_home: bool | None = None
    by_agent: bool = True

    def take(self, event: Event) -> None:
        """Account for one event."""
        data = event.data
        if event.kind == "decision":
            self.reason = str(data.get("reason") or "")
        elif event.kind == "controller":
            self.by_agent, self.last = False, None
        elif event.kind == "action" and data["valid"]:
            self.last = PrefixTurn(dict(data["action"]), str(data["feedback"]), None, self.reason)
            self.reason = ""  # the rest of a batch was decided with it
        elif event.kind == "snapshot":
            self._snapshot(data)

    def _snapshot(self, data: Any) -> None:
        if self.from_home is None:
            self.from_home = data["screen"] == "home" and not data["transitions"]
        for change in data["transitions"]:
            self._transition(change)
        if self.last is not None and self.last.action["name"] not in ("wait", "answer"):
            self.turns.append(self.last)
        self.last = None

    def _transition(self, change: Any) -> None:
        if change["kind"] == "restart" and self.last is not None and self.state is not None:
            self.found.append(self._failure(change))
        if change["kind"] in ("enter", "restart", "placed"):
            self.moves = []
        elif change["kind"] == "move":
            self.moves.append(change["move"])
        elif change["kind"] == "undo" and self.moves:
            self.moves.pop()
        self.state = None if change["kind"] == "leave" or change["won"] else change["state"]

    def _failure(self, change: Any) -> SourceFailure:
        assert self.last is not None
        start = self.events[0].data
        names = ("study", "unit_id", "attempt", "plan_hash", "seed")
        agent = dict(start["agent"])
        return SourceFailure(
            level=LevelId.parse(str(change["level"])),
            turns=tuple(self.turns),
            moves=tuple(self.moves),
            state=self.state,
            restart=self.last,
            restarted_state=change["state"],
            from_home=bool(self.from_home),
            by_agent=self.by_agent,
            provenance={
                "player": agent["name"],
                "simulated": agent["simulated"],
                **{name: start[name] for name in names if name in start},
            },
        )
