"""Clue House rules: walk from room to room, take keys, press a lock's buttons, take the treasure.

Pure functions over an immutable state. A move is `go:SIDE`, `take` or `press:SYMBOL`. A lock counts presses: when there
are as many as its answer has, the right ones open its door for good and any others are forgotten (a red lamp stays lit
until the next press or until the room is left). Leaving a room forgets what was pressed. The rules never ask whether a
card was seen: guessing is allowed, and `games.clue_house.layout.search_size` says how much of it that takes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.clue_house.layout import COLOURS, SHAPES, Exit, Layout, Lock
from games.contract import IllegalMove, JsonObject, JsonValue
from games.grid import DIRECTION, Cell

Move = str
MOVES: tuple[Move, ...] = (
    *(f"go:{side}" for side in DIRECTION),
    "take",
    *(f"press:{symbol}" for symbol in (*SHAPES, *COLOURS)),
)


@dataclass(frozen=True)
class State:
    """Where the player is, what was taken, which doors were unlocked, and what is pressed on this room's panel."""

    layout: Layout
    room: Cell
    taken: frozenset[Cell] = frozenset()
    """Rooms whose key or treasure was taken."""
    opened: frozenset[Cell] = frozenset()
    """Rooms whose panel was given its answer."""
    entered: tuple[str, ...] = ()
    wrong: bool = False
    """The last full entry on this panel was wrong."""


def initial_state(layout: Layout) -> State:
    """Return the house with the player at its start."""
    return State(layout, layout.start)


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return walks in the order of DIRECTION, then take, then the panel's buttons."""
    if is_won(state):
        return ()
    walks = [f"go:{side}" for side, way in state.layout.exits[state.room].items() if passable(state, way)]
    takes = ["take"] if lies_here(state) is not None else []
    panel = panel_in_use(state)
    presses = [] if panel is None else [f"press:{symbol}" for symbol in panel.buttons]
    return (*walks, *takes, *presses)


def passable(state: State, way: Exit) -> bool:
    """Tell whether a door lets the player through now."""
    if way.kind == "key":
        return way.colour in pocket(state)
    return way.kind == "open" or (way.kind == "lock" and way.lock in state.opened)


def pocket(state: State) -> tuple[str, ...]:
    """Return the colours of the keys carried, in the layout's order."""
    return tuple(colour for room, colour in state.layout.keys if room in state.taken)


def lies_here(state: State) -> str | None:
    """Return what lies in this room: a key's colour, `treasure`, or None."""
    if state.room in state.taken:
        return None
    return "treasure" if state.room == state.layout.treasure else state.layout.key_in.get(state.room)


def panel_in_use(state: State) -> Lock | None:
    """Return this room's panel if its door is still locked."""
    return None if state.room in state.opened else state.layout.lock_in.get(state.room)


def step(state: State, move: Move) -> State:
    """Return the state after a move.

    Raises:
        IllegalMove: the level is won, or nothing here allows the move.
    """
    if move not in legal_moves(state):
        raise IllegalMove(f"{move}: wanted one of {', '.join(legal_moves(state)) or 'none, the treasure is taken'}")
    what, _, value = move.partition(":")
    if what == "go":
        there = state.layout.exits[state.room][value].to
        return replace(state, room=there, entered=(), wrong=False)
    if what == "take":
        return replace(state, taken=state.taken | {state.room})
    return _pressed(state, value)


def _pressed(state: State, symbol: str) -> State:
    answer = state.layout.lock_in[state.room].answer
    entered = (*state.entered, symbol)
    if len(entered) < len(answer):
        return replace(state, entered=entered, wrong=False)
    if entered == answer:
        return replace(state, entered=(), wrong=False, opened=state.opened | {state.room})
    return replace(state, entered=(), wrong=True)


def is_won(state: State) -> bool:
    """Tell whether the treasure is taken."""
    return state.layout.treasure in state.taken


def potential(state: State) -> float:
    """Return the share of keys, locks and treasure that are done; 1.0 exactly when the treasure is taken."""
    if is_won(state):
        return 1.0
    whole = len(state.layout.keys) + len(state.layout.locks) + 1
    return (len(state.taken) + len(state.opened)) / whole


def state_to_json(state: State) -> JsonObject:
    """Return every field of the state except its layout."""
    return {
        "room": list(state.room),
        "taken": [list(room) for room in sorted(state.taken)],
        "opened": [list(room) for room in sorted(state.opened)],
        "entered": list(state.entered),
        "wrong": state.wrong,
    }


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`.

    Raises:
        ValueError: wrong form, or things that the layout does not have.
    """
    if set(data) != {"room", "taken", "opened", "entered", "wrong"} or type(data["wrong"]) is not bool:
        raise ValueError(f"state {data!r:.200}: wanted room, taken, opened, entered, wrong")
    taken, opened = _rooms(data["taken"]), _rooms(data["opened"])
    state = State(layout, _room(data["room"]), frozenset(taken), frozenset(opened), _entered(data), data["wrong"])
    if taken != sorted(set(taken)) or not set(taken) <= {*layout.key_in, layout.treasure}:
        raise ValueError(f"state {data!r:.200}: wanted rooms with a key or treasure, each once, in reading order")
    if opened != sorted(set(opened)) or not set(opened) <= set(layout.lock_in):
        raise ValueError(f"state {data!r:.200}: wanted rooms with a panel, each once, in reading order")
    _check_here(state, data)
    return state


def _check_here(state: State, data: JsonObject) -> None:
    if state.room not in state.layout.exits:
        raise ValueError(f"state {data!r:.200}: wanted a room with a door")
    panel = panel_in_use(state)
    at_work = bool(state.entered) or state.wrong
    if not at_work:
        return
    if panel is None or (state.entered and state.wrong) or len(state.entered) >= len(panel.answer):
        raise ValueError(f"state {data!r:.200}: wanted presses only on a locked panel, fewer than open it")
    if not set(state.entered) <= set(panel.buttons):
        raise ValueError(f"state {data!r:.200}: wanted presses of the panel's own buttons")


def _entered(data: JsonObject) -> tuple[str, ...]:
    found = data["entered"]
    if not isinstance(found, list) or not all(isinstance(symbol, str) for symbol in found):
        raise ValueError(f"entered {found!r:.80}: wanted a list of symbols")
    return tuple(found)


def _rooms(value: JsonValue) -> list[Cell]:
    if not isinstance(value, list):
        raise ValueError(f"rooms {value!r:.80}: wanted a list of [row, column]")
    return [_room(item) for item in value]


def _room(value: JsonValue) -> Cell:
    if not isinstance(value, list) or len(value) != 2 or not all(type(part) is int for part in value):
        raise ValueError(f"room {value!r:.80}: wanted [row, column]")
    return value[0], value[1]


def move_to_json(move: Move) -> JsonValue:
    """Return the move itself."""
    return move


def move_from_json(data: JsonValue) -> Move:
    """Invert `move_to_json`. Raises ValueError."""
    if not isinstance(data, str) or data not in MOVES:
        raise ValueError(f"move {data!r:.80}: wanted go:SIDE, take or press:SYMBOL")
    return data
