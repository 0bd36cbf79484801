"""The loop of a task: code, play, report, remember, round after round; its state is a fold over its own events.

So an attempt that was killed goes on after its last finished round: the events of finished rounds are read back, the
state follows from them, and what was under way is done again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import Any

from diag.studies.playtest.builds.build import Build, build_of
from diag.studies.playtest.builds.page import BuildPage
from diag.studies.playtest.condition import Condition
from diag.studies.playtest.crew import Coded, CodeView, Crew, Played, PlayView, Verify
from diag.studies.playtest.memory import ANY, Entry, entry_of, shown
from diag.studies.playtest.report import Report, report_of
from diag.studies.playtest.starts import Task
from games.contract import JsonObject

ROOM = "playtest"
Record = Callable[[str, JsonObject], None]
"""Appends an event of the room: word, data."""


@dataclass(frozen=True)
class State:
    """Where a task stands."""

    build: Build
    round: int = 0
    """The last finished round."""
    report: Report | None = None
    """Of the last play."""
    memory: tuple[Entry, ...] = ()
    over: str = ""
    """Why the loop ended: accepted, rounds, one_round, it_starts or time_limit; "" while it goes on."""
    builds: tuple[Build, ...] = ()
    """The build of every round."""
    starts: tuple[bool | None, ...] = ()


def after(state: State, word: str, data: JsonObject) -> State:
    """Return the state after one event of the room; other words change nothing."""
    if word == "code":
        build = build_of(data["build"])
        return replace(state, build=build, builds=(*state.builds, build), starts=(*state.starts, data["starts"]))
    if word == "play":
        return replace(state, report=report_of(data["report"]))
    if word == "remember":
        return replace(state, memory=(*state.memory, *(entry_of(one) for one in data["entries"])))
    if word == "round":
        return replace(state, round=int(data["round"]), over=str(data["over"]))
    return state


def folded(start: State, events: Iterable[tuple[str, JsonObject]]) -> State:
    """Return the state after all events."""
    for word, data in events:
        start = after(start, word, data)
    return start


@dataclass
class Loop:
    """One task under one condition."""

    task: Task
    prompt: str
    condition: Condition
    crew: Crew
    rounds: int
    state: State
    record: Record
    verify: Verify
    open_page: Callable[[Build], AbstractContextManager[BuildPage | None]]
    save: Callable[[bytes], str | None]
    spend: Callable[[float, float], None]
    """Counts an agent's seconds, and those it was throttled for, on the attempt's clock."""
    is_late: Callable[[], bool] = lambda: False
    """Tells whether the attempt's time is over."""

    def run(self) -> State:
        """Run the rounds that are left. Raises InfrastructureFailure."""
        while not self.state.over:
            self._round(self.state.round + 1)
        return self.state

    def _round(self, number: int) -> None:
        coded = self._code(number)
        played = self._play(number) if self.condition.loop == "playtest" else None
        self._remember(number, coded, played)
        self._tell("round", {"round": number, "over": self._over(number, coded, played)})

    def _code(self, number: int) -> Coded:
        loop = self.condition.loop
        view = CodeView(
            round=number,
            task=self.task.name,
            prompt=self.prompt,
            build=self.state.build,
            report=self.state.report,
            memory=shown(self.state.memory, self.condition.layers, "game-agent", self.task.game),
            reviews=loop == "no_gui",
            verify=None if loop == "direct" else self.verify,
            builds_only=loop == "build_only",
            seeded=self.task.defects,
        )
        coded = self.crew.code(view)
        self.spend(coded.latency_s, coded.throttled_s)
        self._tell(
            "code",
            {
                "round": number,
                "build": coded.build.to_json(),
                "starts": coded.starts,
                "deferred": list(coded.deferred),
                "n_calls": coded.n_calls,
                "usage": list(coded.usage),
            },
        )
        return coded

    def _play(self, number: int) -> Played:
        played = self._played(number) if self.state.starts[-1] else Played(not_started(self.verify(self.state.build)))
        self.spend(played.latency_s, played.throttled_s)
        self._tell(
            "play",
            {
                "round": number,
                "report": asdict(played.report),
                "n_gestures": played.n_gestures,
                "n_calls": played.n_calls,
                "picture": self.save(played.screenshot),
                "usage": list(played.usage),
            },
        )
        return played

    def _played(self, number: int) -> Played:
        with self.open_page(self.state.build) as page:
            return self.crew.play(
                PlayView(
                    round=number,
                    task=self.task.name,
                    game=self.task.game,
                    prompt=self.prompt,
                    memory=shown(self.state.memory, self.condition.layers, "gui-player", self.task.game),
                    page=page,
                    simulated=self.state.build,
                )
            )

    def _remember(self, number: int, coded: Coded, played: Played | None) -> None:
        """Write the round into the task's memory, and beside it what the agents chose to keep."""
        words = f"round {number}: " + (f"played: {played.report.summary}" if played else "coded, nobody played")
        if coded.deferred:
            words += f" Deferred: {', '.join(coded.deferred)}."
        episode = Entry("episode", "shared", "observation", ANY, f"round {number}", words, self.task.name, number)
        entries = [episode, *coded.entries, *(played.entries if played else ())]
        self._tell("remember", {"round": number, "entries": [asdict(one) for one in entries]})

    def _over(self, number: int, coded: Coded, played: Played | None) -> str:
        if self.condition.loop == "direct":
            return "one_round"
        if self.condition.loop == "build_only" and coded.starts:
            return "it_starts"
        if played is not None and played.report.accepts:
            return "accepted"
        if number >= self.rounds:
            return "rounds"
        return "time_limit" if self.is_late() else ""

    def _tell(self, word: str, data: JsonObject) -> None:
        self.record(f"{ROOM}.{word}", data)
        self.state = after(self.state, word, data)


def not_started(why: str) -> Report:
    """Return the report on a build that does not start: nobody could play it."""
    return Report("could-not-start", "high", blocking=f"the build does not start: {why}", direction="make it start")


def finished_part(events: Sequence[Any]) -> tuple[Any, ...]:
    """Return what is kept of a log that was cut off: finished rounds, and builds that were judged after the last."""
    kept = (f"{ROOM}.round", f"{ROOM}.judge")
    last = max((place for place, event in enumerate(events) if event.kind in kept), default=-1)
    return tuple(events[: last + 1])
