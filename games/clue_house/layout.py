"""The layout of a Clue House level: rooms on a grid, doors, keys, one locked treasure, and cards that tell the codes.

JSON, rooms as [row, column] and sides as up, right, down, left:

    {"rows": 3, "columns": 4, "start": [2, 0], "treasure": [0, 3],
     "doors": [{"room": [2, 0], "side": "right", "kind": "open"},          open, key, lock or one_way
               {"room": [1, 1], "side": "up", "kind": "key", "colour": "red"}],
     "keys": [{"room": [0, 0], "colour": "red"}],
     "cards": [{"room": [2, 1], "emblem": "moon", "kind": "code", "fact": ["star", "disc", "heart", "star"]}],
     "locks": [{"room": [1, 3], "side": "up", "emblem": "moon", "kind": "code", "prompt": [], "answer": [...]}]}

Sides are 1 to 26; keys and doors have up to 16 colours, of any names. A card and a lock of one emblem belong together;
cards without a lock are there to be told apart. Other keys are errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from games.colours import looks, read_colour
from games.contract import JsonObject, LevelError
from games.grid import DIRECTION, Cell, side_of

LONGEST_SIDE = 26
"""Rows or columns: the plate in a room names its column by a letter."""
MOST_KEYS = 16
"""As many as lie side by side in the pocket."""
SHAPES = ("disc", "square", "triangle", "diamond", "star", "heart")
COLOURS = ("red", "blue", "yellow", "green", "orange", "purple")
KEY_COLOURS = (*COLOURS, "cyan", "pink", "lime", "brown", "teal", "navy", "maroon", "coral", "mint", "white")
"""Of the keys of our own levels. A layout may name any colour."""
EMBLEMS = ("moon", "sun", "leaf", "crown", "wave", "bolt")
OPPOSITE = {"up": "down", "right": "left", "down": "up", "left": "right"}

DoorKind = Literal["open", "key", "lock", "one_way"]
ExitKind = Literal["open", "key", "lock", "shut"]
ClueKind = Literal["code", "legend", "order"]


@dataclass(frozen=True)
class Exit:
    """A door as it is met from one room; `shut` is the far side of a one-way door."""

    kind: ExitKind
    to: Cell
    colour: str | None = None
    lock: Cell | None = None
    """The room whose panel opens it."""


@dataclass(frozen=True)
class Card:
    """A fact on the wall. `code`: shapes in order. `legend`: (colour, shape) pairs. `order`: colours, first to last."""

    room: Cell
    emblem: str
    kind: ClueKind
    fact: tuple[Any, ...]


@dataclass(frozen=True)
class Lock:
    """A panel beside a door. `prompt`: colours shown above the buttons; `answer`: the presses that open the door."""

    room: Cell
    side: str
    emblem: str
    kind: ClueKind
    prompt: tuple[str, ...]
    answer: tuple[str, ...]

    @property
    def buttons(self) -> tuple[str, ...]:
        """What can be pressed, in the order of the panel."""
        return COLOURS if self.kind == "order" else SHAPES


@dataclass(frozen=True)
class Layout:
    """A house. Rooms without a door are not part of it."""

    rows: int
    columns: int
    start: Cell
    treasure: Cell
    doors: tuple[tuple[Cell, str, DoorKind, str | None], ...]
    """(room, side, kind, colour of the key)."""
    keys: tuple[tuple[Cell, str], ...]
    cards: tuple[Card, ...]
    locks: tuple[Lock, ...]

    @cached_property
    def exits(self) -> Mapping[Cell, Mapping[str, Exit]]:
        """The doors of every room by side, sides in the order of DIRECTION."""
        found: dict[Cell, dict[str, Exit]] = {}
        panel = {(lock.room, lock.side): lock.room for lock in self.locks}
        for room, side, kind, colour in self.doors:
            there = neighbour(room, side)
            lock = panel.get((room, side))
            ways: tuple[ExitKind, ExitKind] = ("open", "shut") if kind == "one_way" else (kind, kind)
            found.setdefault(room, {})[side] = Exit(ways[0], there, colour, lock)
            found.setdefault(there, {})[OPPOSITE[side]] = Exit(ways[1], room, colour, lock)
        return {room: {side: ways[side] for side in DIRECTION if side in ways} for room, ways in found.items()}

    @cached_property
    def key_in(self) -> Mapping[Cell, str]:
        """Colour of the key that lies in a room at the start."""
        return dict(self.keys)

    @cached_property
    def looks(self) -> Mapping[str, str]:
        """What the colour of each key and keyhole is drawn as (`games.colours`)."""
        return looks([*(colour for _, colour in self.keys), *(door[3] for door in self.doors if door[3] is not None)])

    @cached_property
    def card_in(self) -> Mapping[Cell, Card]:
        """The card on a room's wall."""
        return {card.room: card for card in self.cards}

    @cached_property
    def lock_in(self) -> Mapping[Cell, Lock]:
        """The panel in a room."""
        return {lock.room: lock for lock in self.locks}


def neighbour(room: Cell, side: str) -> Cell:
    """Return the room on that side, inside the house or not."""
    return room[0] + DIRECTION[side][0], room[1] + DIRECTION[side][1]


def answer_of(kind: ClueKind, fact: Sequence[Any], prompt: Sequence[str]) -> tuple[str, ...]:
    """Return what a card's fact makes of a panel's prompt: the presses that open its door."""
    if kind == "legend":
        meaning = dict(fact)
        return tuple(meaning[colour] for colour in prompt)
    return tuple(fact)


def search_size(lock: Lock) -> int:
    """Return how many answers a lock can have for somebody who never saw its card: the stated search.

    A code is any sequence of shapes; a legend gives different colours different shapes; an order is a permutation.
    """
    if lock.kind == "code":
        return int(len(SHAPES) ** len(lock.answer))
    size = 1
    for taken in range(len(lock.answer)):
        size *= len(lock.buttons) - taken
    return size


def parse_layout(data: JsonObject) -> Layout:
    """Read a layout.

    Raises:
        LevelError: naming the field, what was found and what was wanted.
    """
    for name in data:
        if name not in _FIELDS:
            raise LevelError(f"{name}: unknown field, wanted {', '.join(_FIELDS)}")
    rows, columns = (side_of(data, name, longest=LONGEST_SIDE) for name in ("rows", "columns"))
    room = _Rooms(rows, columns)
    layout = Layout(
        rows,
        columns,
        room.read("start", data.get("start")),
        room.read("treasure", data.get("treasure")),
        tuple(_door(where, item, room) for where, item in _items(data, "doors")),
        tuple(_key(where, item, room) for where, item in _items(data, "keys")),
        tuple(_card(where, item, room) for where, item in _items(data, "cards")),
        tuple(_lock(where, item, room) for where, item in _items(data, "locks")),
    )
    _check(layout)
    return layout


def layout_to_json(layout: Layout) -> JsonObject:
    """Return a layout in the form `parse_layout` reads."""
    doors = [
        {"room": list(room), "side": side, "kind": kind, **({} if colour is None else {"colour": colour})}
        for room, side, kind, colour in layout.doors
    ]
    cards = [
        {"room": list(card.room), "emblem": card.emblem, "kind": card.kind, "fact": fact_to_json(card)}
        for card in layout.cards
    ]
    locks = [
        {
            "room": list(lock.room),
            "side": lock.side,
            "emblem": lock.emblem,
            "kind": lock.kind,
            "prompt": list(lock.prompt),
            "answer": list(lock.answer),
        }
        for lock in layout.locks
    ]
    keys = [{"room": list(room), "colour": colour} for room, colour in layout.keys]
    places = {"start": list(layout.start), "treasure": list(layout.treasure)}
    sizes = {"rows": layout.rows, "columns": layout.columns}
    return {**sizes, **places, "doors": doors, "keys": keys, "cards": cards, "locks": locks}


def fact_to_json(card: Card) -> list[Any]:
    """Return a card's fact as JSON."""
    return [list(part) if isinstance(part, tuple) else part for part in card.fact]


_FIELDS = ("rows", "columns", "start", "treasure", "doors", "keys", "cards", "locks")


@dataclass(frozen=True)
class _Rooms:
    rows: int
    columns: int

    def read(self, where: str, value: Any) -> Cell:
        if not isinstance(value, list) or len(value) != 2 or not all(type(part) is int for part in value):
            raise LevelError(f"{where}: got {value!r:.80}, wanted a room [row, column]")
        if not self.holds((value[0], value[1])):
            raise LevelError(f"{where}: got {value}, wanted a room inside {self.rows} x {self.columns}")
        return value[0], value[1]

    def holds(self, room: Cell) -> bool:
        return 0 <= room[0] < self.rows and 0 <= room[1] < self.columns


def _items(data: JsonObject, name: str) -> list[tuple[str, JsonObject]]:
    found = data.get(name)
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise LevelError(f"{name}: got {found!r:.80}, wanted a list of objects")
    return [(f"{name}[{k}]", item) for k, item in enumerate(found)]


def _one_of(where: str, value: Any, wanted: Sequence[str]) -> Any:
    if not isinstance(value, str) or value not in wanted:
        raise LevelError(f"{where}: got {value!r:.80}, wanted one of {', '.join(wanted)}")
    return value


def _door(where: str, item: JsonObject, room: _Rooms) -> tuple[Cell, str, DoorKind, str | None]:
    here = room.read(f"{where}.room", item.get("room"))
    side = _one_of(f"{where}.side", item.get("side"), tuple(DIRECTION))
    if not room.holds(neighbour(here, side)):
        raise LevelError(f"{where}.side: got {side!r} of {list(here)}, wanted a side with a room behind it")
    kind: DoorKind = _one_of(f"{where}.kind", item.get("kind"), get_args(DoorKind))
    colour = item.get("colour")
    if kind == "key":
        colour = read_colour(f"{where}.colour", colour)
    elif colour is not None:
        raise LevelError(f"{where}.colour: got {colour!r:.80}, wanted none on a door of kind {kind}")
    return here, side, kind, colour


def _key(where: str, item: JsonObject, room: _Rooms) -> tuple[Cell, str]:
    place = room.read(f"{where}.room", item.get("room"))
    return place, read_colour(f"{where}.colour", item.get("colour"))


def _card(where: str, item: JsonObject, room: _Rooms) -> Card:
    kind: ClueKind = _one_of(f"{where}.kind", item.get("kind"), get_args(ClueKind))
    place, emblem = _place(where, item, room)
    fact = item.get("fact")
    if not isinstance(fact, list) or not _is_fact(kind, fact):
        raise LevelError(f"{where}.fact: got {fact!r:.80}, wanted {_WANTED[kind]}")
    return Card(place, emblem, kind, tuple(tuple(part) if isinstance(part, list) else part for part in fact))


_WANTED = {
    "code": "2 to 6 shapes",
    "legend": "a [colour, shape] pair for each of the six colours, every shape once",
    "order": "the six colours, each once",
}


def _is_fact(kind: ClueKind, fact: list[Any]) -> bool:
    if kind == "code":
        return 2 <= len(fact) <= 6 and all(part in SHAPES for part in fact)
    if kind == "order":
        return sorted(map(str, fact)) == sorted(COLOURS)
    if not all(isinstance(part, list) and len(part) == 2 for part in fact):
        return False
    return sorted(str(part[0]) for part in fact) == sorted(COLOURS) and sorted(str(part[1]) for part in fact) == sorted(
        SHAPES
    )


def _lock(where: str, item: JsonObject, room: _Rooms) -> Lock:
    kind: ClueKind = _one_of(f"{where}.kind", item.get("kind"), get_args(ClueKind))
    place, emblem = _place(where, item, room)
    side = _one_of(f"{where}.side", item.get("side"), tuple(DIRECTION))
    prompt, answer = (_words(f"{where}.{name}", item.get(name)) for name in ("prompt", "answer"))
    lock = Lock(place, side, emblem, kind, prompt, answer)
    distinct = len(set(prompt)) == len(prompt) and set(prompt) <= set(COLOURS)
    if not distinct or len(prompt) != (len(answer) if kind == "legend" else 0):
        raise LevelError(f"{where}.prompt: got {list(prompt)!r:.80}, wanted a colour per press of a legend, else none")
    if not 2 <= len(answer) <= 6 or not set(answer) <= set(lock.buttons):
        raise LevelError(f"{where}.answer: got {list(answer)!r:.80}, wanted 2 to 6 of {', '.join(lock.buttons)}")
    return lock


def _place(where: str, item: JsonObject, room: _Rooms) -> tuple[Cell, str]:
    return room.read(f"{where}.room", item.get("room")), _one_of(f"{where}.emblem", item.get("emblem"), EMBLEMS)


def _words(where: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise LevelError(f"{where}: got {value!r:.80}, wanted a list of names")
    return tuple(value)


def _check(layout: Layout) -> None:
    """What one item alone cannot show: things that share a place or an emblem, and cards that open their locks."""
    walls = [
        wall for room, side, _, _ in layout.doors for wall in ((room, side), (neighbour(room, side), OPPOSITE[side]))
    ]
    places = [room for room, _ in layout.keys] + [layout.treasure]
    coloured = {door[3] for door in layout.doors} - {None} | {colour for _, colour in layout.keys}
    if len(coloured) > MOST_KEYS:
        raise LevelError(f"keys: got {len(coloured)} colours of keys and doors, wanted at most {MOST_KEYS}")
    listed: tuple[tuple[str, list[Any]], ...] = (
        ("doors: sides of rooms", walls),
        ("keys and treasure: rooms", places),
        ("keys: colours", [colour for _, colour in layout.keys]),
        ("cards: rooms", [card.room for card in layout.cards]),
        ("cards: emblems", [card.emblem for card in layout.cards]),
        ("locks: rooms", [lock.room for lock in layout.locks]),
        ("locks: emblems", [lock.emblem for lock in layout.locks]),
    )
    for what, found in listed:
        for one in found:
            if found.count(one) > 1:
                raise LevelError(f"{what}: {one} is there twice, wanted each once")
    behind = sorted((room, side) for room, side, kind, _ in layout.doors if kind == "lock")
    panels = sorted((lock.room, lock.side) for lock in layout.locks)
    if behind != panels:
        raise LevelError(f"locks: panels at {panels}, wanted one for each door of kind lock: {behind}")
    if layout.start not in layout.exits:
        raise LevelError(f"start: {list(layout.start)} has no door")
    _check_answers(layout)


def _check_answers(layout: Layout) -> None:
    cards = {card.emblem: card for card in layout.cards}
    for lock in layout.locks:
        card = cards.get(lock.emblem)
        if card is not None and (card.kind, answer_of(card.kind, card.fact, lock.prompt)) != (lock.kind, lock.answer):
            raise LevelError(f"cards: the {card.emblem} card does not tell the answer {list(lock.answer)} of its lock")
