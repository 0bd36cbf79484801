"""Clue House on the screen: one room at a time, what is on its walls, and what a tap comes to. Nothing is ever held."""

from __future__ import annotations

from games.clue_house.layout import Card, Exit, fact_to_json
from games.clue_house.place import DOORS, LYING, PANEL, buttons, tap_in
from games.clue_house.rules import Move, State, is_won, lies_here, panel_in_use, passable, pocket
from games.contract import BOARD, Drag, Gesture, JsonObject, Note, Reaction, Table, Tap
from games.grid import Cell

GO_MS, TAKE_MS, PRESS_MS, SHAKE_MS = 420, 420, 160, 420
TINTS = ("teal", "maroon", "navy", "green", "brown", "purple", "orange", "blue", "grey")


def scene(table: Table) -> JsonObject:
    """Return the room the player stands in and the keys carried; of other rooms nothing."""
    state: State = table.state
    card = state.layout.card_in.get(state.room)
    return {
        "plate": plate_of(state.room),
        "tint": TINTS[(4 * state.room[0] + 7 * state.room[1]) % len(TINTS)],
        "exits": [_exit_json(state, side, way) for side, way in state.layout.exits[state.room].items()],
        "lying": _lying_json(state),
        "card": None if card is None else _card_json(card),
        "panel": _panel_json(state),
        "pocket": [state.layout.looks[colour] for colour in pocket(state)],
        "found": is_won(state),
    }


def plate_of(room: Cell) -> str:
    """Return the name on a room's brass plate: column letter and row number, as in B3."""
    return f"{chr(ord('A') + room[1])}{room[0] + 1}"


def _lying_json(state: State) -> str | None:
    lying = lies_here(state)
    return lying if lying is None or state.room == state.layout.treasure else state.layout.looks[lying]


def _exit_json(state: State, side: str, way: Exit) -> JsonObject:
    emblem = None if way.lock is None else state.layout.lock_in[way.lock].emblem
    colour = None if way.colour is None else state.layout.looks[way.colour]
    return {"side": side, "kind": way.kind, "colour": colour, "emblem": emblem, "passable": passable(state, way)}


def _card_json(card: Card) -> JsonObject:
    return {"emblem": card.emblem, "kind": card.kind, "fact": fact_to_json(card)}


def _panel_json(state: State) -> JsonObject | None:
    lock = state.layout.lock_in.get(state.room)
    if lock is None:
        return None
    is_open = state.room in state.opened
    return {
        "emblem": lock.emblem,
        "kind": lock.kind,
        "side": lock.side,
        "prompt": list(lock.prompt),
        "buttons": list(lock.buttons),
        "entered": list(state.entered),
        "length": len(lock.answer),
        "lamp": "open" if is_open else "wrong" if state.wrong else "off",
    }


def react(table: Table, gesture: Gesture) -> Reaction:
    """Walk, take or press; a door that does not open says why."""
    state: State = table.state
    if isinstance(gesture, Drag) and gesture.finished and BOARD.contains(gesture.x0, gesture.y0):
        return Reaction(note=Note("drag", tone="mistake"))
    if not isinstance(gesture, Tap) or not BOARD.contains(gesture.x, gesture.y) or is_won(state):
        return Reaction()
    return (
        _tap_panel(state, gesture)
        or _tap_table(state, gesture)
        or _tap_door(state, gesture)
        or Reaction(note=Note("nothing", tone="mistake"))
    )


def _tap_panel(state: State, tap: Tap) -> Reaction | None:
    lock = state.layout.lock_in.get(state.room)
    if lock is None or not PANEL.contains(tap.x, tap.y):
        return None
    if panel_in_use(state) is None:
        return Reaction(note=Note("unlocked"))
    places = zip(lock.buttons, buttons(len(lock.buttons)), strict=True)
    symbol = next((symbol for symbol, place in places if place.contains(tap.x, tap.y)), None)
    if symbol is None:
        return Reaction(note=Note("buttons", tone="mistake"))
    return Reaction(move=f"press:{symbol}", motion={"kind": "press", "symbol": symbol, "duration_ms": PRESS_MS})


def _tap_table(state: State, tap: Tap) -> Reaction | None:
    lying = _lying_json(state)
    if lying is None or not LYING.contains(tap.x, tap.y):
        return None
    return Reaction(move="take", motion={"kind": "take", "what": lying, "duration_ms": TAKE_MS})


def _tap_door(state: State, tap: Tap) -> Reaction | None:
    for side, way in state.layout.exits[state.room].items():
        if DOORS[side].contains(tap.x, tap.y):
            if passable(state, way):
                return Reaction(move=f"go:{side}", motion={"kind": "go", "side": side, "duration_ms": GO_MS})
            return _refused(side, way)
    return None


def _refused(side: str, way: Exit) -> Reaction:
    values = {} if way.kind != "key" else {"colour": way.colour}
    motion = {"kind": "rattle", "side": side, "duration_ms": SHAKE_MS}
    return Reaction(note=Note(f"door_{way.kind}", values, tone="mistake"), motion=motion)


def gestures(table: Table, move: Move) -> tuple[Gesture, ...]:
    """Return the tap that makes a legal move."""
    what, _, value = move.partition(":")
    if what == "go":
        return (tap_in(DOORS[value]),)
    if what == "take":
        return (tap_in(LYING),)
    symbols = table.state.layout.lock_in[table.state.room].buttons
    return (tap_in(buttons(len(symbols))[symbols.index(value)]),)
