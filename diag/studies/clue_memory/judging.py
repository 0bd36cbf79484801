"""The judge of one play: a separate agent on its own session, put where the player left off, asked about milestones.

It never touches the player's session: what it clicks changes its own copy alone. What it is told, the player never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from diag.running.station import Seat
from diag.session.actions import ActionError, parse_action
from diag.session.contract import Agent, PublicContext, Turn
from diag.session.history import HistoryPolicy, remember
from diag.session.observation import observe
from diag.session.pictures import PictureStore
from diag.studies.clue_memory import prompts
from diag.studies.clue_memory.formats import FormatError, read_verdict, says
from diag.studies.clue_memory.judge import Completion, Milestone, judged
from games.suite.snapshot import Snapshot

WINDOW = HistoryPolicy(recent_turns=5, pictures=5, summary_every_turns=5)
"""What a judge keeps of one milestone: five pictures, as published."""


@dataclass
class Judge:
    """One judge in one play."""

    agent: Agent
    place: Seat
    """Its own session, where the player left off."""
    pictures: PictureStore
    most_actions: int
    """For each milestone."""
    n_actions: int = 0

    def judge(self, checks: Sequence[Milestone]) -> Completion:
        """Check milestones in order until one fails. Raises InfrastructureFailure."""
        return judged(checks, self._holds)

    def _holds(self, milestone: Milestone) -> bool:
        """Ask about one milestone; an answer that is no verdict when no action is left, or stops, is a no."""
        context = PublicContext("")
        for left in range(self.most_actions, -1, -1):
            context, verdict = self._asked(context, milestone, left)
            if verdict is not None:
                return verdict
        return False

    def _asked(self, context: PublicContext, milestone: Milestone, left: int) -> tuple[PublicContext, bool | None]:
        environment = self.place.environment
        png = environment.screenshot()
        instruction = prompts.JUDGE.format(text=milestone.text, left=left)
        shown = PublicContext(instruction, recent=context.recent)
        answer = self.agent.decide(observe(environment, self.agent, shown, png, 0.0))
        if answer.stop or says(answer.reason, "verdict"):
            return shown, _verdict(answer.reason)
        line = self._perform(answer.actions[:1]) if left else "no action is left"
        turn = Turn(tuple(answer.actions[:1]), line, answer.reason, self.pictures.save(png))
        return remember(shown, turn, WINDOW), None

    def _perform(self, actions: Sequence[Any]) -> str:
        for raw in actions:
            try:
                self.place.environment.perform(parse_action(raw))
            except ActionError as error:
                return f"Invalid action: {error}"
            self.n_actions += 1
        return "done"


def _verdict(text: str) -> bool:
    try:
        return read_verdict(text)
    except FormatError:
        return False


def put(place: Seat, final: Snapshot) -> None:
    """Put a fresh session where a player left off."""
    if final.level is not None and final.state is not None:
        place.session.place(final.level, final.state, won_levels=final.won_levels)
    if place.page is not None:
        place.page.settle()
