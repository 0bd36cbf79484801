"""What the evaluator may know of a session. It comes from the session on the server, never through the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.contract import JsonObject, JsonValue, LevelId

Screen = Literal["home", "difficulties", "levels", "playing"]
TransitionKind = Literal["enter", "move", "undo", "restart", "leave", "placed"]
"""`enter`: a level was opened from a menu or by "next level"; `leave`: its board was left for a menu;
`placed`: the checkpoint controller set the board."""


@dataclass(frozen=True)
class Transition:
    """One change of the board in play, in the order it happened; every settled state of a session is in one."""

    index: int
    """0-based within the session, without gaps."""
    kind: TransitionKind
    level: LevelId
    move: JsonValue | None
    """The move of kind `move` in JSON form, else None."""
    state: JsonObject
    """The settled state afterwards (`Game.state_to_json`); for `leave` the state that was left."""
    won: bool
    potential: float


@dataclass(frozen=True)
class Snapshot:
    """The session as it stands, settled."""

    screen: Screen
    level: LevelId | None
    """The level on the board; None outside `playing`."""
    state: JsonObject | None
    state_digest: str | None
    """SHA-256 over the canonical JSON of level id and state."""
    held: JsonValue
    won: bool
    """The board in play is complete (the win dialog is showing)."""
    potential: float | None
    won_levels: tuple[LevelId, ...]
    n_transitions: int
    """Transitions so far; `SessionHandle.transitions(since)` returns them."""
