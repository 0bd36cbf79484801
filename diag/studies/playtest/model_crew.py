"""A model as the crew of a task: it codes with file tools, and plays through its own format of GUI actions.

Coding and playing are separate conversations that share nothing but what the loop passes on. What a model gets wrong is
answered or counted, never a failure of the apparatus.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from diag.agents.models.agent import ModelAgent
from diag.agents.models.conversation import Part, Result, Text, picture_name
from diag.records import InfrastructureFailure
from diag.session.actions import ActionError, parse_action
from diag.session.contract import Asked, Observation, PublicContext, Turn
from diag.session.dispatcher import describe
from diag.session.environment import BrowserEnvironment
from diag.session.history import HistoryPolicy, remember
from diag.studies.playtest import prompts
from diag.studies.playtest.builds.page import BuildPage
from diag.studies.playtest.crew import Coded, CodeView, Played, PlayView
from diag.studies.playtest.memory import ANY, ARCHETYPE, Entry, EntryError, Layer, Owner, Role
from diag.studies.playtest.report import Report, ReportError, report_of
from diag.studies.playtest.talk import Spent, Talk
from diag.studies.playtest.workshop import Workshop
from games.contract import JsonObject

UNREADABLE = "unreadable report"
"""The signal of a report that could not be read: the round counts as played, and nothing was found."""
GONE = "The page does not answer any more."


@dataclass
class ModelCrew:
    """One model in one attempt."""

    agent: ModelAgent
    code_calls: int
    """Most tool calls in one round."""
    play_actions: int
    """Most GUI actions in one round."""
    history: HistoryPolicy
    """What stays in context while it plays."""
    elapsed_s: float = 0.0
    """Seconds that its calls took, over all rounds."""

    # --- the game agent -----------------------------------------------------------------------------------------------

    def code(self, view: CodeView) -> Coded:
        """Work on the files until it finishes or its tool calls are used up; then the build is started."""
        spent = Spent()
        with tempfile.TemporaryDirectory(prefix="diag-playtest-") as folder:
            shop = Workshop(view.build, view.build.write(Path(folder) / "build"), view.verify)
            self._work(view, shop, spent)
            build, told = shop.made, shop.finished or {}
        self.elapsed_s += spent.latency_s
        return Coded(
            build,
            None if view.verify is None else not view.verify(build),
            tuple(str(one) for one in _list(told.get("deferred"))),
            tuple(memories_of(told.get("memories"), "game-agent", view.build.game, view.task, view.round)),
            len(spent.usage),
            spent.latency_s,
            spent.throttled_s,
            tuple(spent.usage),
        )

    def _work(self, view: CodeView, shop: Workshop, spent: Spent) -> None:
        talk = Talk(self.agent, prompts.CODER, shop.tools, spent, self.elapsed_s)
        left = self.code_calls
        reply = talk.ask(Text(prompts.coding(view, shop.names, left)))
        while reply.calls:
            answers: list[Part] = []
            for call in reply.calls:
                done = "Refused: no tool call is left" if left < 1 else shop.use(call)
                answers.append(Result(call.call_id, done))
                left -= 1
            if shop.finished is not None or left < 1:
                return
            reply = talk.ask(*answers, Text(f"{left} tool calls are left."))

    # --- the playtester -----------------------------------------------------------------------------------------------

    def play(self, view: PlayView) -> Played:
        """Play until it says so or its actions are used up; then it is asked for its report."""
        assert view.page is not None
        play = _Play(self, view.page, PublicContext(prompts.playing(view)))
        play.run()
        report, told = play.report()
        self.elapsed_s += play.spent.latency_s
        entries = memories_of(told.get("memories"), "gui-player", view.game, view.task, view.round)
        return Played(
            report,
            tuple(entries),
            play.n_actions,
            play.first,
            len(play.spent.usage),
            play.spent.latency_s,
            play.spent.throttled_s,
            tuple(play.spent.usage),
        )


class _Play:
    """One play; never leaves this file."""

    def __init__(self, crew: ModelCrew, page: BuildPage, context: PublicContext) -> None:
        self.crew, self.context = crew, context
        self.screen = BrowserEnvironment(cast("Any", None), None, page)
        self.spent = Spent()
        self.n_actions = self.n_empty = 0
        self.first = self.png = b""
        self.over = False

    def run(self) -> None:
        """Play turn by turn."""
        self._look()
        self.first = self.png
        while not self.over:
            self._turn()

    def _turn(self) -> None:
        elapsed_s = self.crew.elapsed_s + self.spent.latency_s
        decision = self.crew.agent.decide(Observation(self.context, self.png, None, elapsed_s))
        throttled_s = float(decision.usage.get("throttled_s") or 0.0)
        self.spent.add(decision.latency_s or 0.0, throttled_s, decision.usage)
        if decision.stop:
            self.over = True
            return
        feedback = self._done(decision.actions)
        turn = Turn(decision.actions, feedback, decision.reason, picture_name(self.png))
        self.context = remember(self.context, turn, self.crew.history)
        self._look()

    def _done(self, actions: Iterable[JsonObject]) -> str:
        """Do the actions of a turn and return what the player is told; an action that is none ends the turn.

        A turn without an action costs one all the same, so that a model that gives none comes to an end.
        """
        lines: list[str] = []
        before = self.n_actions
        for item in actions:
            line, good = self._one(item)
            lines.append(line)
            if not good or self.over:
                break
        self.n_empty += self.n_actions == before
        self.over = self.over or self._is_spent
        return "\n".join(lines) or "Invalid action: none was given"

    @property
    def _is_spent(self) -> bool:
        return self.n_actions + self.n_empty >= self.crew.play_actions

    def _one(self, item: JsonObject) -> tuple[str, bool]:
        try:
            action = parse_action(item)
        except ActionError as error:
            return f"Invalid action: {error}", False
        if action.name == "answer":
            self.over = True
            return "The play is over.", True
        self.n_actions += 1
        try:
            self.screen.perform(action)
        except InfrastructureFailure:  # a build that hangs or fails is a finding; a dead browser is seen afterwards
            self.over = True
            return GONE, False
        self.over = self._is_spent
        return f"{describe(action)}: done", True

    def _look(self) -> None:
        try:
            self.png = self.screen.screenshot()
            self.crew.agent.screens.add(self.png)
        except InfrastructureFailure:
            self.over = True

    def report(self) -> tuple[Report, JsonObject]:
        """Ask for the report, once more if it cannot be read, and return it with all that was said."""
        fault = ""
        for _ in range(2):
            data, fault = self._asked(fault)
            try:
                if not fault:
                    return report_of(data), data
            except ReportError as error:
                fault = str(error)
        return Report("reached-ending", "low", signals=(UNREADABLE, fault)), {}

    def _asked(self, fault: str) -> tuple[JsonObject, str]:
        """Return the JSON object of an answer, or why there is none."""
        again = f"\n\nThe last report could not be read: {fault}" if fault else ""
        agent, picture = self.crew.agent, picture_name(self.png) if self.png else None
        text = agent.summarize(replace(self.context, asked=Asked(prompts.REPORT + again, picture)))
        took = agent.summary_time
        for used in agent.take_summaries():
            self.spent.add(took.latency_s if took else 0.0, took.throttled_s if took else 0.0, used)
        return object_in(text)


def object_in(text: str) -> tuple[JsonObject, str]:
    """Return the JSON object that a text holds and "", or nothing and why there is none."""
    try:
        data = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError) as error:
        return {}, f"no JSON object: {error}"
    return (data, "") if isinstance(data, dict) else ({}, "no JSON object")


def memories_of(given: Any, role: Role, game: str, task: str, number: int) -> Iterable[Entry]:
    """Yield the memories that a model wrote and that are some; others are left out."""
    for one in _list(given):
        if not isinstance(one, dict):
            continue
        layer: Layer = "skill" if one.get("layer") == "skill" else "world"
        owner: Owner = role if layer == "skill" else "shared"
        archetype = ANY if one.get("archetype") == ANY else ARCHETYPE[game]
        try:
            kind = one["kind"]
            yield Entry(layer, owner, kind, archetype, str(one["about"])[:80], str(one["text"])[:1000], task, number)
        except (KeyError, EntryError):
            continue


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
