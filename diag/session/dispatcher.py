"""The dispatcher: checks each raw action, applies it, waits, and records the snapshot that answers it.

Actions of a decision run in order. The first that violates the schema ends the batch: what came before it has been
executed and counts, what comes after it is not, and the agent is told. Nothing is clamped or repaired. Feedback is
public: it says what the hand did, never what it meant to the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from diag.records import Ending, EventKind
from diag.session.actions import Action, ActionError, parse_action, parse_batch
from diag.session.clock import Clock
from diag.session.environment import Environment
from diag.session.limits import Goal, Limits, StopCondition
from games.contract import JsonObject
from games.digest import canonical_json
from games.suite.snapshot import Snapshot, Transition

CONTINUE_PROMPT = "Completion could not be confirmed. The task is not finished yet; please continue."
CLAIM_CONFIRMED = "Completion is confirmed."
CLAIM_REFUSED = "Completion could not be confirmed. The session ends here."


class Record(Protocol):
    """Appends one event at the current clock; bound to the attempt's log by the loop."""

    def __call__(self, kind: EventKind, data: dict[str, Any]) -> None:
        """Write the event."""


@dataclass(frozen=True)
class Ended:
    """Why an attempt is over."""

    ending: Ending
    reason: str
    failure_kind: str | None = None


@dataclass(frozen=True)
class Dispatched:
    """What a decision came to."""

    feedback: str
    n_executed: int
    ended: Ended | None


@dataclass
class Dispatcher:
    """Executes decisions within the budgets. One per attempt; it counts actions and claims."""

    environment: Environment
    clock: Clock
    record: Record
    limits: Limits
    settle_wait_s: float
    goal: Goal | None
    stop_conditions: Sequence[StopCondition] = ()
    continuation_prompts: int = 0
    """Unverified claims that are answered by `CONTINUE_PROMPT`; the next one ends the attempt."""
    n_executed: int = 0
    n_claims: int = 0
    n_invalid_in_a_row: int = 0
    _n_seen: int = field(default=0, init=False)
    """Transitions that are already in the log."""

    def dispatch(self, raw: Sequence[JsonObject]) -> Dispatched:
        """Execute the actions of one decision, in order, until one is invalid or the attempt ends."""
        lines: list[str] = []
        executed_before = self.n_executed
        ended: Ended | None = None
        for place, item in enumerate(raw or ({},)):
            ended = self.budget()
            if ended is None:
                line, valid, ended = self._one(raw, place, item)
                lines.append(line)
                if not valid:
                    lines += self._dropped(len(raw) - place - 1)
                    break
            if ended is not None:
                break
        n_executed = self.n_executed - executed_before
        self.n_invalid_in_a_row = 0 if n_executed else self.n_invalid_in_a_row + 1
        return Dispatched("\n".join(lines), n_executed, ended or self.budget())

    def budget(self) -> Ended | None:
        """Return the ending if a budget is used up."""
        if self.clock.elapsed_s() >= self.limits.time_s:
            return Ended("time_limit", f"{self.limits.time_s:g} s")
        if self.limits.actions is not None and self.n_executed >= self.limits.actions:
            return Ended("action_limit", f"{self.limits.actions} actions")
        row = self.limits.invalid_decisions_in_a_row
        if row is not None and self.n_invalid_in_a_row >= row:
            return Ended("invalid_action_limit", f"{row} decisions in a row without an action that could be executed")
        return None

    def take_snapshot(self) -> Ended | None:
        """Record the snapshot as of now with the transitions since the last one; return what they end."""
        snapshot = self.environment.snapshot()
        new = self.environment.transitions(self._n_seen)
        self._n_seen += len(new)
        self.record("snapshot", snapshot_json(snapshot, new))
        for condition in self.stop_conditions:
            ending = condition.ending(snapshot, new)
            if ending is not None:
                return Ended(ending, condition.name)
        return None

    def perform(self, action: Action) -> None:
        """Apply an action. A `wait` also serves as its settling time: overlapping waits count once."""
        self.environment.perform(action)
        self._spend(action.seconds or 0.0)

    def settle(self, action: Action) -> None:
        """Wait what is left of the settling time after the action."""
        self._spend(max(0.0, self.settle_wait_s - (action.seconds or 0.0)))

    def _spend(self, seconds: float) -> None:
        """Wait, but not beyond the deadline."""
        self.clock.wait(min(seconds, max(0.0, self.limits.time_s - self.clock.elapsed_s())))

    def _one(self, raw: Sequence[JsonObject], place: int, item: JsonObject) -> tuple[str, bool, Ended | None]:
        """Check and execute one action; return its feedback, whether it was valid, and what it ended."""
        try:
            action = self._checked(raw, place, item)
        except ActionError as error:
            self._log(None, item, str(error))
            return f"Invalid action: {error}", False, None
        if action.name == "answer":
            return self._claim(action)
        index = self.n_executed
        self.n_executed += 1
        self.perform(action)
        line = f"{describe(action)}: done"
        self._log(index, action.to_json(), line)
        ended = self.take_snapshot()
        self.settle(action)
        return line, True, ended

    @staticmethod
    def _checked(raw: Sequence[JsonObject], place: int, item: JsonObject) -> Action:
        if not raw:
            parse_batch(raw)
        action = parse_action(item)
        if action.name == "answer" and place != len(raw) - 1:
            raise ActionError("answer ends the attempt, so it can only be the last action of a batch")
        return action

    def _claim(self, action: Action) -> tuple[str, bool, Ended | None]:
        """Check a completion claim: one too many that cannot be verified ends the attempt."""
        index = self.n_executed
        self.n_executed += 1
        line, ended = self._judge()
        self._log(index, action.to_json(), line)
        return line, True, self.take_snapshot() or ended

    def _judge(self) -> tuple[str, Ended | None]:
        if self.goal is not None and self.goal.reached(self.environment.snapshot()):
            return CLAIM_CONFIRMED, Ended("won", "verified_claim")
        self.n_claims += 1
        if self.n_claims > self.continuation_prompts:
            return CLAIM_REFUSED, Ended("unverified_claim", f"unverified completion claim number {self.n_claims}")
        return CONTINUE_PROMPT, None

    def _log(self, index: int | None, action: JsonObject, feedback: str) -> None:
        data = {"index": index, "action": loggable(action), "valid": index is not None, "feedback": feedback}
        self.record("action", data)

    @staticmethod
    def _dropped(n_dropped: int) -> list[str]:
        return [f"The {n_dropped} actions after it were not executed."] if n_dropped > 0 else []


def loggable(raw: Any) -> Any:
    """Return raw agent output as it is if it is JSON (no NaN, no foreign objects), else its description."""
    try:
        canonical_json(raw)
    except (TypeError, ValueError):
        return {"not_json": repr(raw)[:500]}
    return raw


def describe(action: Action) -> str:
    """Return an action as the agent is told of it: name and arguments."""
    arguments = ", ".join(f"{name}={value}" for name, value in action.to_json().items() if name != "name")
    return f"{action.name}({arguments})"


def snapshot_json(snapshot: Snapshot, transitions: Sequence[Transition]) -> dict[str, Any]:
    """Return the data of a `snapshot` event."""
    return {
        "screen": snapshot.screen,
        "level": None if snapshot.level is None else str(snapshot.level),
        "state_digest": snapshot.state_digest,
        "won": snapshot.won,
        "potential": snapshot.potential,
        "n_transitions": snapshot.n_transitions,
        "transitions": [{**asdict(change), "level": str(change.level)} for change in transitions],
    }
