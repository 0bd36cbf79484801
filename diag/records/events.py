"""What the events of a log hold: one frozen record per kind.

The list of kinds, the conformance suite and the reference page are made from them.
A kind of study names its own events in `StudyKind.events`; in a log they are `room.word`.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field
from typing import Any, ClassVar, Protocol


class EventRecord(Protocol):
    """A frozen dataclass whose fields are the keys of an event's data."""

    event: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


def if_any() -> Any:
    """Declare a field that may be absent."""
    return field(default=None)


@dataclass(frozen=True)
class EpisodeStart:
    """The first line: what the unit is, what the agent was given, what the arms of its block must share."""

    event: ClassVar[str] = "episode_start"
    unit_id: str
    """The unit."""
    attempt: int
    """Which attempt at it, from 1."""
    plan_hash: str
    """The plan that it belongs to."""
    study: str
    """Name of the study."""
    arm: str
    """Arm letter."""
    cohort: str
    """Cohort of its block."""
    block_id: str
    """Its block."""
    checkpoint_id: str
    """What the block starts from: a checkpoint, an objective, a game."""
    agent: dict[str, Any]
    """Name, whether simulated, privilege."""
    limits: dict[str, Any]
    """Budgets, settling wait and history as they held."""
    clock: str
    """wall, working or virtual."""
    digests: dict[str, str]
    """What the arms of a block must share."""
    level: str | None
    """`game/difficulty/number`, or none if no one level is assigned."""
    environment: str
    """What is played: a browser, the rules, a grid, ..."""
    context: dict[str, Any]
    """Instruction, prefix, memory and summary as the agent was given them."""
    intervention: str
    """Name of the arm's intervention."""
    intervention_privilege: str
    """What writing it took."""
    browser: str | None
    """The browser's build."""
    start_state: Any
    """The restored state; none where play begins at a home screen. A kind of study adds facts of its own."""


@dataclass(frozen=True)
class Observation:
    """A screenshot that the agent is shown."""

    event: ClassVar[str] = "observation"
    picture: str | None
    """SHA-256 name of the picture; none on the rules alone."""
    settled: str
    """settled, unsettled or unknown."""


@dataclass(frozen=True)
class Decision:
    """An answer of the agent."""

    event: ClassVar[str] = "decision"
    actions: list[Any]
    """Its actions, as it gave them."""
    reason: str
    """Its stated reason."""
    latency_s: float
    """Seconds of inference on the study's clock."""
    stop: bool
    """Whether it ends the attempt by itself."""
    usage: dict[str, Any]
    """What the client reports: tokens, cost, the endpoint, faults."""
    late: bool
    """Whether it came at or after the deadline; then nothing is dispatched."""


@dataclass(frozen=True)
class Acted:
    """One action of a decision, executed or refused."""

    event: ClassVar[str] = "action"
    action: Any
    """The action."""
    valid: bool
    """Whether it was executed."""
    feedback: str
    """What the agent is told of it."""
    index: int | None = if_any()
    """If executed: how many were executed before."""


@dataclass(frozen=True)
class Seen:
    """The board as the evaluator knows it: before the first decision and after every executed action."""

    event: ClassVar[str] = "snapshot"
    screen: str
    """Which screen is shown."""
    level: str | None
    """`game/difficulty/number` of the board; none in a menu."""
    state_digest: str | None
    """Digest of the rules state."""
    won: bool
    """Whether the board is complete."""
    potential: float | None
    """The game's progress measure."""
    n_transitions: int
    """Transitions of the session so far."""
    transitions: list[dict[str, Any]]
    """New ones since the last snapshot: index, kind (enter, move, undo, restart, leave, placed), level, move, state,
    won, potential."""


@dataclass(frozen=True)
class Summarised:
    """A text that replaces the oldest turns in context."""

    event: ClassVar[str] = "summary"
    text: str
    """The text."""


@dataclass(frozen=True)
class Probed:
    """A question asked in isolation: it enters no history."""

    event: ClassVar[str] = "probe"
    name: str
    """Which probe."""
    at_s: float
    """When it was due."""
    question: str
    """What was asked."""
    answer: str
    """What was answered."""
    usage: dict[str, Any]
    """What the client reports."""


@dataclass(frozen=True)
class Controlled:
    """An action of a controller; it counts in no budget of the agent."""

    event: ClassVar[str] = "controller"
    what: str
    """Why: enter, advance, restart, a first action."""
    action: Any
    """The action."""


@dataclass(frozen=True)
class Failed:
    """The apparatus failed."""

    event: ClassVar[str] = "error"
    kind: str
    """Which part: api, browser, restoration, response, suite, ..."""
    message: str
    """What happened."""


@dataclass(frozen=True)
class EpisodeEnd:
    """The last line. A log without one is no outcome."""

    event: ClassVar[str] = "episode_end"
    ending: str
    """Why the attempt ended."""
    reason: str
    """The same in words."""
    failure_kind: str | None
    """Of an infrastructure failure: its kind."""
    harness_s: float = if_any()
    """If the clock is real: seconds that were neither the agent's nor a declared wait."""


@dataclass(frozen=True)
class GridFrame:
    """The answer of a grid environment to one action."""

    event: ClassVar[str] = "grid.frame"
    action: str
    """The action; RESET opens the play."""
    frames: Any
    """Frames, each stored once: the settled one last."""
    status: str
    """playing, won or lost."""
    levels_completed: int
    """So far in this play."""
    full_reset: bool
    """Whether the whole play began again."""


CORE_EVENTS: tuple[type[EventRecord], ...] = (
    EpisodeStart, Observation, Decision, Acted, Seen, Summarised, Probed, Controlled, Failed, EpisodeEnd, GridFrame,
)  # fmt: skip
