"""A model that plays grid games: one question and one action a turn, through the study's own agent.

It is shown frames and nothing else. Of its past it keeps every action of the last turns with the facts of its answer,
the frames of the last three, and its own words with them; what is older is dropped and said to be.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from diag.agents.grid.contract import Answer, NoAction, Sight
from diag.agents.grid.shown import CELL_PX, View, facts, offered, parts
from diag.agents.models.agent import ModelAgent
from diag.agents.models.calling import Answered
from diag.agents.models.conversation import Call, Conversation, Kept, Message, Part, Result, Text, merged
from diag.agents.models.formats.contract import last_line_is_stop
from diag.agents.models.formats.thoughts import spoken
from diag.agents.models.reply import Reply, Tool
from diag.records import InfrastructureFailure
from games.contract import JsonObject
from games.digest import sha256_of
from games.grid.actions import CLICK, NAMES, ActionError, GridAction, click
from games.grid.contract import Observation
from games.grid.frame import SIDE

TOOL = "take_action"
FRAMES_KEPT = 3
"""Latest frames in context, the current one included."""
TURNS_KEPT = 60
"""Latest actions in context."""
SENT = (
    f"the latest {FRAMES_KEPT} frames (each 64 lines of 64 digits, a picture of {SIDE * CELL_PX} px square, "
    f"or both) and {TURNS_KEPT} actions"
)
"""What a request holds, for a plan."""
SYSTEM = """\
You play a game on a grid of 64 x 64 cells. A cell has one of sixteen colours, which the text writes as 0 to f. Nobody \
tells you the rules: find out what the actions do. x is a column and y a row, both from 0 at the top left to 63.

Call take_action once a turn with one of the actions that are available. ACTION6 needs x and y, the others take none. \
The state GAME_OVER means that the attempt is lost; RESET then begins the level again. Every action counts, RESET too. \
When a level is complete the next one begins at once. To give up, answer with the single word STOP on the last line."""


def model_facts() -> JsonObject:
    """Return what decides how models are asked."""
    return {"grid_model": sha256_of([SYSTEM, TOOL, FRAMES_KEPT, TURNS_KEPT, CELL_PX])}


@dataclass(frozen=True)
class _Turn:
    """One decision of the model and what it came to."""

    reason: str
    call: JsonObject | None
    """Arguments as the model gave them; None if it called nothing."""
    result: str
    before: Observation
    """What it was decided on."""
    kept: Kept
    """What its provider wants back with it."""


@dataclass
class GridModel:
    """A model in one play. A `GridPlayer`; `answer` holds what the last question took."""

    agent: ModelAgent
    view: View
    objective: str
    elapsed_s: Callable[[], float]
    """The attempt's clock."""
    answer: Answer | None = field(default=None, init=False)
    _turns: list[_Turn] = field(default_factory=list, init=False)
    _action: GridAction | None = field(default=None, init=False)

    def choose(self, sight: Sight) -> GridAction:
        """Ask for the next action.

        Raises:
            ActionError: the answer holds none that is available; its words say why.
            NoAction: the model gives up.
            InfrastructureFailure: the endpoint failed (`api`, `response`).
        """
        self._close(sight)
        numbers = offered(sight.seen, sight.attempt_actions)
        sent = self._conversation(sight, numbers)
        tools = (Tool(TOOL, "Take one action in the game; the next frame follows.", _schema(numbers)),)
        request = self.agent.client.request(sent, tools, self.agent.sampling)
        elapsed_s, began = self.elapsed_s(), time.monotonic()
        got = self.agent.asker.ask("decide", elapsed_s, request, sent, self.agent.attempt_limit_s - elapsed_s)
        usage = {**self.agent.asker.usage(got, sent), "format": TOOL, "view": self.view}
        reason = spoken(got.reply.text).strip()
        self.answer = Answer(reason, got.latency_s, time.monotonic() - began, got.throttled_s, usage)
        return self._read(got, reason, numbers, sight.seen)

    def _read(self, got: Answered, reason: str, numbers: tuple[int, ...], seen: Observation) -> GridAction:
        calls = got.reply.calls
        arguments = dict(calls[0].arguments) if calls else None
        self._turns.append(_Turn(reason, arguments, "", seen, Kept(got.reply.kept)))
        self._action = None
        if not calls and last_line_is_stop(reason):
            raise NoAction(reason)
        self._action = _action(got.reply, numbers)
        return self._action

    def _close(self, sight: Sight) -> None:
        """Write down what the last action came to."""
        if self._turns:
            last = self._turns[-1]
            numbers = offered(sight.seen, sight.attempt_actions)
            result = sight.feedback or facts(sight.seen, len(self._turns), self._action, numbers)
            self._turns[-1] = replace(last, result=result)

    def _conversation(self, sight: Sight, numbers: tuple[int, ...]) -> Conversation:
        kept = self._turns[-TURNS_KEPT:]
        left_out = len(self._turns) - len(kept)
        opening = f"{self.objective}\n\n({left_out} earlier actions are left out.)" if left_out else self.objective
        messages = [Message("user", (Text(opening),))]
        for place, turn in enumerate(kept):
            recent = place > len(kept) - FRAMES_KEPT
            shown = parts(turn.before.frame, self.view, "The frame then") if recent else ()
            messages += [Message("user", shown)] if shown else []
            messages += _told(turn, left_out + place, with_words=recent)
        now = self._now(sight, numbers)
        return Conversation(SYSTEM, merged((*messages, Message("user", now))))

    def _now(self, sight: Sight, numbers: tuple[int, ...]) -> tuple[Part, ...]:
        seen = sight.seen
        known = Text(facts(seen, len(self._turns), self._action, numbers))
        completed = self._turns and seen.levels_completed > self._turns[-1].before.levels_completed
        finished = seen.frames[-2] if completed and len(seen.frames) > 1 else None
        before = () if finished is None else parts(finished, self.view, "The last frame of the level just completed")
        return (*before, known, *parts(seen.frame, self.view, "The frame now"))


def _told(turn: _Turn, place: int, *, with_words: bool) -> list[Message]:
    words: tuple[Part, ...] = (turn.kept,) if turn.kept.blocks else ()
    words += (Text(turn.reason),) if turn.reason and with_words else ()
    if turn.call is None:
        return [Message("assistant", words or (Text("(no action)"),)), Message("user", (Text(turn.result),))]
    call = Call(f"call_{place}", TOOL, turn.call)
    return [Message("assistant", (*words, call)), Message("user", (Result(call.call_id, turn.result),))]


def _schema(numbers: tuple[int, ...]) -> JsonObject:
    cell = {"type": "integer", "minimum": 0, "maximum": SIDE - 1}
    where = {"x": {**cell, "description": "Column, of ACTION6 alone."}, "y": {**cell, "description": "Row."}}
    name = {"type": "string", "enum": [NAMES[number] for number in numbers]}
    fields = {"action": name, **(where if CLICK in numbers else {})}
    return {"type": "object", "properties": fields, "required": ["action"]}


def _action(reply: Reply, numbers: tuple[int, ...]) -> GridAction:
    """Return the action of an answer. Raises ActionError, and InfrastructureFailure for a tool that was not offered."""
    if len(reply.calls) != 1:
        raise ActionError(f"{len(reply.calls) or 'no'} calls of {TOOL}: wanted one a turn")
    if reply.calls[0].name != TOOL:
        raise InfrastructureFailure(
            "response", f"the model called {reply.calls[0].name!r:.100}, which it was not given"
        )
    given: Mapping[str, Any] = reply.calls[0].arguments
    names = {NAMES[number]: number for number in numbers}
    name = given.get("action")
    if not isinstance(name, str) or name not in names:
        raise ActionError(f"action: got {name!r:.80}, wanted one of {', '.join(names)}")
    where = {key: value for key, value in given.items() if key != "action" and value is not None}
    if names[name] == CLICK:
        return click(where.get("x"), where.get("y"))
    if where:
        raise ActionError(f"{name}: got {', '.join(map(str, where))[:80]}, wanted no other field")
    return GridAction(names[name])
