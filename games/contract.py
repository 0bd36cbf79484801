"""What every game fulfils, on one page.

A game is one folder. Its `game.py` holds a module-level `GAME` that satisfies `Game`; `games.registry` finds it there.
`games.assembled` puts a `Game` together from the folder's modules.
Three kinds of parts never mix:

* the **rules** are pure functions over an immutable, hashable state and never see a pixel;
* the **stage** turns a board in play into a scene (what a player sees) and a gesture into a move or visible feedback;
* the **sight** reads a scene, and only a scene, the way somebody looking at the picture does.

All coordinates are viewport pixels, origin top left, y down, inside 1280 x 900. Boards are drawn inside `BOARD`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

JsonValue = Any
"""A value `json.dumps` accepts. Typed `Any` because a recursive alias costs more casts than it finds faults."""
JsonObject = Mapping[str, JsonValue]


class Rect(NamedTuple):
    """An axis-parallel rectangle in viewport pixels."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, x: float, y: float) -> bool:
        """Tell whether (x, y) lies inside, left and top edge included, right and bottom edge not."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


VIEWPORT = Rect(0, 0, 1280, 900)
BOARD = Rect(40, 96, 840, 784)
"""Where a game may draw and is touched. The shell owns the rest: top bar, instruction panel, message line."""


@dataclass(frozen=True, order=True)
class LevelId:
    """One layout of an objective. `str()` gives `game/difficulty/number`."""

    game: str
    difficulty: str
    number: int
    """1-based within the difficulty."""

    def __str__(self) -> str:
        return f"{self.game}/{self.difficulty}/{self.number}"

    @classmethod
    def parse(cls, text: str) -> LevelId:
        """Read `game/difficulty/number`. Raises ValueError naming what was found."""
        parts = text.split("/")
        if len(parts) != 3 or not all(parts) or not parts[2].isdecimal():
            raise ValueError(f"level id {text!r}: wanted game/difficulty/number, as in bolt_unscrew/hard/1")
        return cls(parts[0], parts[1], int(parts[2]))


class LevelError(ValueError):
    """A layout is malformed. The message names the field, the value found and the value wanted."""


class IllegalMove(ValueError):
    """`step` was asked for a move that the rules do not allow in this state."""


# --- gestures: what a hand does, already assembled from pointer and key events by the suite -------------------------


@dataclass(frozen=True)
class Tap:
    """A press and release at one place (less than `DRAG_THRESHOLD_PX` apart)."""

    x: float
    y: float


@dataclass(frozen=True)
class Drag:
    """A press, a movement, a release. While not `finished` the button is still down: preview only, never a move."""

    x0: float
    y0: float
    x1: float
    y1: float
    finished: bool = True


@dataclass(frozen=True)
class KeyPress:
    """One key, in the names of the GUI action set: a letter, Enter, Tab, Escape, Space, Backspace, ArrowLeft, ..."""

    key: str


Gesture = Tap | Drag | KeyPress
DRAG_THRESHOLD_PX = 8.0


# --- a board in play ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Note:
    """A message for the player: a key into the game's texts, with values to fill in. Public, never about progress."""

    key: str
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    tone: Literal["plain", "mistake"] = "plain"


@dataclass(frozen=True)
class Table:
    """A settled rules state and what the hand holds (a lifted screw, a chosen bolt); `held` is JSON or None."""

    state: Any
    held: JsonValue = None


@dataclass(frozen=True)
class Reaction:
    """What a gesture came to. At most one move; the suite applies it with `step` and keeps the history.

    `held` is the selection afterwards; `note` the message line; `motion` tells the view how to animate from the old
    settled scene to the new one (game-specific JSON, must contain `duration_ms`), and never what the settled scene is.
    """

    held: JsonValue = None
    move: Any | None = None
    note: Note | None = None
    motion: JsonObject | None = None


@dataclass(frozen=True)
class Option:
    """A move as somebody who looks at the picture sees it."""

    move: JsonValue
    """The move in its JSON form; only for records, two options of one scene differ in it."""
    gestures: tuple[Gesture, ...]
    appeal: float
    """How much it looks like progress at a glance, in [0, 1]; computed from the scene alone."""


# --- a game -----------------------------------------------------------------------------------------------------------


class Rules(Protocol):
    """Pure functions over one game's states and moves; a module with these names fulfils it."""

    def initial_state(self, layout: Any) -> Any:
        """Return the settled state a level starts in. A state is frozen, hashable, and carries its layout."""

    def legal_moves(self, state: Any) -> tuple[Any, ...]:
        """Return all legal moves in a fixed order; empty iff won or stuck. Every one changes the state."""

    def step(self, state: Any, move: Any) -> Any:
        """Return the settled state after `move`; `state` is untouched. Raises IllegalMove."""

    def is_won(self, state: Any) -> bool:
        """Tell whether the level is complete."""

    def state_to_json(self, state: Any) -> JsonObject:
        """Return every field of the state except its layout, canonically: equal states give equal JSON."""

    def state_from_json(self, layout: Any, data: JsonObject) -> Any:
        """Invert `state_to_json`. Raises ValueError on anything not of its form."""

    def move_to_json(self, move: Any) -> JsonValue:
        """Return the move as JSON (a string or a short list)."""

    def move_from_json(self, data: JsonValue) -> Any:
        """Invert `move_to_json`. Raises ValueError."""


class Stage(Protocol):
    """What a player sees and does; a module with these names fulfils it."""

    def scene(self, table: Table) -> JsonObject:
        """Return what a player sees of the board, as JSON for the view: a function of the table alone."""

    def react(self, table: Table, gesture: Gesture) -> Reaction:
        """Turn a gesture on the board into a move, a selection or visible feedback. Never raises."""

    def gestures(self, table: Table, move: Any) -> tuple[Gesture, ...]:
        """Return the gestures that perform a legal `move` from this table, in order; they cope with any `held`."""


class Sight(Protocol):
    """What somebody reads off the picture; a module with this name fulfils it."""

    def options(self, scene: JsonObject) -> tuple[Option, ...]:
        """Return the moves that can be read off a scene; for a table with nothing held, exactly the legal ones."""


class Game(Rules, Stage, Sight, Protocol):
    """One puzzle game: rules, stage, sight and texts."""

    name: str
    """Folder name and the first part of a level id."""
    difficulties: tuple[str, ...]
    """In menu order, easiest first."""
    has_undo: bool

    def parse_layout(self, data: JsonObject) -> Any:
        """Read one level's layout into the game's frozen layout type. Raises LevelError."""

    def potential(self, state: Any) -> float:
        """Return progress in [0, 1] as published (first source document); exactly 1.0 iff won."""

    def texts(self, language: Literal["en", "zh"]) -> Mapping[str, Any]:
        """Return title, instructions (a list of sentences), difficulty names, and a template per note key."""
