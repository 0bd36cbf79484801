"""The controller: it sends prompts and resumes. It never reads an observation or what the agent says.

On a return it reads two things that the client saved: whether the environment has ended, and the step index. A return
with a new step is progress; a second one in a row without is the end (ours, after the authors' earlier controller: the
document's "one of two protocols" is not published). Only the conditions that manage RESET also read the game's state.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from diag.session.dispatcher import Ended
from diag.studies.continuation import prompts
from diag.studies.continuation.agents import Conversing, Hands, Returned
from diag.studies.continuation.condition import Condition

TROUBLE_STEPS = 50
"""Steps at a level, beyond the last point of trouble, after which the textual condition asks for a look back."""
MOST_RETURNS = 1_000
"""A guard: with so many returns the run is ended, whatever the progress."""
Tell = Callable[[str, dict[str, Any]], None]
"""(word of the event, data): appends it to the log at the current clock."""


@dataclass
class Controller:
    """One run of one condition."""

    condition: Condition
    goal: str
    agent: Conversing
    hands: Hands
    tell: Tell
    reset: Callable[[], str]
    """Calls RESET through the client, on the controller's own account."""
    _n_prompts: int = field(default=0, init=False)
    _reset_step: int | None = field(default=None, init=False)
    """Step of a RESET that the controller has just called."""
    _trouble_at: tuple[int, int] = field(default=(0, 0), init=False)
    """Levels completed and steps at the level at the last point of trouble."""

    def run(self, output: str) -> Ended | None:
        """Go on until the environment has ended (None: it says why itself) or the agent returns twice for nothing.

        Args:
            output: what the client said at initialisation.
        """
        condition, idle, step = self.condition, 0, 0
        prompt = prompts.first(self.goal, condition.instruction, output, also=condition.also)
        self._send("first", prompt)
        while not (saved := self.hands.client.saved)["terminal"]:
            idle = 0 if saved["step"] > step else idle + 1
            step = saved["step"]
            if idle == 2:
                return Ended("no_progress", "returned twice in a row without a step")
            if self._n_prompts >= MOST_RETURNS:
                return Ended("return_limit", f"{MOST_RETURNS} returns")
            self._resume(stuck=idle == 1)
            if self._reset_step is not None:  # the controller's own step is no progress of the agent's
                step, self._reset_step = self._reset_step, None
        return None

    def _resume(self, *, stuck: bool) -> None:
        notices: tuple[str, ...] = ()
        output, kind = "", "continue"
        if self.condition.resets and self._state() == "GAME_OVER":
            notices, output, kind = self._reset_by_controller()
        elif self.condition.kind == "textual" and self._state() == "GAME_OVER":
            self._send("analyse", prompts.ANALYSE)
            if not self.hands.client.saved["terminal"]:
                notices, output, kind = self._reset_by_controller()
        elif self.condition.kind == "textual" and self._in_trouble():
            notices, kind = (prompts.TROUBLE.format(steps=TROUBLE_STEPS),), "trouble"
        elif stuck:
            notices, kind = (prompts.STUCK,), "stuck"
        self._send(kind, prompts.again(self.goal, self.condition.instruction, notices=notices, output=output))

    def _reset_by_controller(self) -> tuple[tuple[str, ...], str, str]:
        output = self.reset()
        self._reset_step = self.hands.client.saved["step"]
        return (prompts.RESET_NOTICE,), output, "reset"

    def _send(self, kind: str, prompt: str) -> Returned:
        """Resume the conversation, and record what was said on either side, and where the environment stood."""
        self._n_prompts += 1
        before = self.hands.client.saved["step"]
        self.tell("prompt", {"n": self._n_prompts, "kind": kind, "text": prompt, "step": before})
        found = self.agent.invoke(prompt, self.hands)
        saved = self.hands.client.saved
        self.tell(
            "return",
            {"n": self._n_prompts, "report": found.report, "step": saved["step"], "terminal": saved["terminal"],
             "progress": saved["step"] > before, "usage": vars(found.usage)},
        )  # fmt: skip
        return found

    def _metadata(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.hands.client.observed("metadata.txt"))
        return found

    def _state(self) -> str:
        return str(self._metadata()["state"])

    def _in_trouble(self) -> bool:
        seen = self._metadata()
        level, steps = int(seen["levels_completed"]), int(seen["level_actions"])
        since = steps - self._trouble_at[1] if level == self._trouble_at[0] else steps
        if since <= TROUBLE_STEPS:
            return False
        self._trouble_at = level, steps
        return True
