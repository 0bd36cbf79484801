"""The rules of the maze: find the key, open the treasure with it, leave by the exit, before the steps are used up.

A step is one move, whether it leads anywhere or not: walking into a wall costs one. A river carries whoever stands in
it two cells downstream (one next to the mouth) unless the boat was found. A pit leads to the next of its cycle. What
lies in a cell is taken on the way in; the treasure only with the key. Some exits want a key of their own. A grenade
breaks an inner wall, the flashlight shows the cells in a straight line up to the next wall. The map is hidden: the
state remembers what was seen and which borders were felt. Source: the published rules of AGI Maze.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.agi_maze.layout import Edge, Layout, edge_of, neighbour
from games.contract import IllegalMove, JsonObject, JsonValue
from games.grid import DIRECTION, Cell

Move = str
MOVES: tuple[Move, ...] = (*DIRECTION, *(f"bomb_{side}" for side in DIRECTION), *(f"look_{side}" for side in DIRECTION))
EVENTS = (
    "bumped", "swept", "fell", "key", "exit_key", "treasure", "boat", "grenade", "flashlight", "locked", "shut", "out",
    "blown", "fizzled", "looked",
)  # fmt: skip
"""What a step can come to, in the order in which it is told."""
TAKEN_AT_ONCE = ("key", "exit_key", "boat", "grenade", "flashlight")


@dataclass(frozen=True)
class State:
    """Where the player is and has been, what was taken and broken, and the steps of this attempt."""

    layout: Layout
    cell: Cell
    taken: frozenset[Cell] = frozenset()
    """Cells whose thing was taken."""
    blown: frozenset[Edge] = frozenset()
    """Walls that are broken."""
    thrown: int = 0
    """Grenades used."""
    steps: int = 0
    seen: frozenset[Cell] = frozenset()
    """Cells whose ground and things are known; not kept where the map is shown."""
    felt: frozenset[Edge] = frozenset()
    """Borders known to be a wall or open; not kept where the map is shown."""
    events: tuple[str, ...] = ()
    """What the last step came to."""


def initial_state(layout: Layout) -> State:
    """Return the maze with the player at the start."""
    return State(layout, layout.start, seen=frozenset() if layout.map_shown else frozenset({layout.start}))


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return walks, then throws, then looks, each in the order of DIRECTION; none when won or out of steps."""
    if is_won(state) or is_over(state):
        return ()
    throws = [f"bomb_{side}" for side in DIRECTION] if grenades_left(state) else []
    looks = [f"look_{side}" for side in DIRECTION] if has(state, "flashlight") else []
    return (*DIRECTION, *throws, *looks)


def is_over(state: State) -> bool:
    """Tell whether the attempt's steps are used up."""
    return state.steps >= state.layout.hard_max_steps


def is_won(state: State) -> bool:
    """Tell whether the player stands at the exit with everything that it wants."""
    return state.cell == state.layout.exit and may_leave(state)


def may_leave(state: State) -> bool:
    """Tell whether the exit is open: the treasure was taken, and the exit's key where there is one."""
    return has(state, "treasure") and (state.layout.exit_key is None or has(state, "exit_key"))


def has(state: State, thing: str) -> bool:
    """Tell whether a thing of that name was taken."""
    return any(state.layout.things[cell] == thing for cell in state.taken)


def grenades_left(state: State) -> int:
    """Return how many grenades can still be thrown."""
    found = sum(cell in state.taken for cell in state.layout.grenades)
    return state.layout.grenades_carried + found - state.thrown


def is_open(state: State, cell: Cell, side: str) -> bool:
    """Tell whether one can walk from a cell to that side."""
    edge = edge_of(cell, side)
    inside = state.layout.holds(neighbour(cell, side))
    return inside and (edge not in state.layout.walls or edge in state.blown)


def step(state: State, move: Move) -> State:
    """Return the state after a move.

    Raises:
        IllegalMove: the attempt is over, or there is nothing to throw or to look with.
    """
    if move not in legal_moves(state):
        raise IllegalMove(f"{move}: wanted one of {', '.join(legal_moves(state)) or 'none, the attempt is over'}")
    what, _, side = move.rpartition("_")
    spent = replace(state, steps=state.steps + 1, events=())
    if what == "bomb":
        return _thrown(spent, side)
    return _looked(spent, side) if what == "look" else _walked(spent, side)


def _walked(state: State, side: str) -> State:
    state = _felt(state, (edge_of(state.cell, side),))
    if not is_open(state, state.cell, side):
        return replace(state, events=("bumped",))
    return _arrived(_carried(replace(state, cell=neighbour(state.cell, side))))


def _carried(state: State) -> State:
    """Let river and pits do their work on whoever has just come into a cell."""
    layout = state.layout
    state = _saw(state, (state.cell,))
    if state.cell in layout.river and not has(state, "boat"):
        at = layout.river.index(state.cell)
        way = layout.river[at + 1 : at + 3]
        state = _saw(state, way)
        return replace(state, cell=way[-1], events=("swept",)) if way else state
    if state.cell in layout.pits:
        there = layout.pits[(layout.pits.index(state.cell) + 1) % len(layout.pits)]
        return replace(_saw(state, (there,)), cell=there, events=("fell",))
    return state


def _arrived(state: State) -> State:
    """Take what lies here."""
    thing = state.layout.things.get(state.cell)
    if thing is None or state.cell in state.taken:
        return state
    if thing == "exit":
        return replace(state, events=(*state.events, "out" if may_leave(state) else "shut"))
    if thing == "treasure" and not has(state, "key"):
        return replace(state, events=(*state.events, "locked"))
    return replace(state, taken=state.taken | {state.cell}, events=(*state.events, thing))


def _thrown(state: State, side: str) -> State:
    edge = edge_of(state.cell, side)
    state = replace(_felt(state, (edge,)), thrown=state.thrown + 1)
    if edge in state.layout.walls and edge not in state.blown:
        return replace(state, blown=state.blown | {edge}, events=("blown",))
    return replace(state, events=("fizzled",))


def _looked(state: State, side: str) -> State:
    cells, edges = [state.cell], [edge_of(state.cell, side)]
    while is_open(state, cells[-1], side):
        cells.append(neighbour(cells[-1], side))
        edges.append(edge_of(cells[-1], side))
    return replace(_felt(_saw(state, cells), edges), events=("looked",))


def _saw(state: State, cells: tuple[Cell, ...] | list[Cell]) -> State:
    return state if state.layout.map_shown else replace(state, seen=state.seen | set(cells))


def _felt(state: State, edges: tuple[Edge, ...] | list[Edge]) -> State:
    inner = {edge for edge in edges if _is_inner(state.layout, edge)}
    return state if state.layout.map_shown else replace(state, felt=state.felt | inner)


def _is_inner(layout: Layout, edge: Edge) -> bool:
    return layout.holds((edge[0], edge[1])) and layout.holds(neighbour((edge[0], edge[1]), edge[2]))


def potential(state: State) -> float:
    """Return the share of what has to be done that is done; 1.0 exactly when the player is out."""
    if is_won(state):
        return 1.0
    wanted = ["key", "treasure", *(["exit_key"] if state.layout.exit_key is not None else [])]
    return sum(has(state, thing) for thing in wanted) / (len(wanted) + 1)


def state_to_json(state: State) -> JsonObject:
    """Return every field of the state except its layout."""
    return {
        "cell": list(state.cell),
        "taken": [list(cell) for cell in sorted(state.taken)],
        "blown": [list(edge) for edge in sorted(state.blown)],
        "thrown": state.thrown,
        "steps": state.steps,
        "seen": [list(cell) for cell in sorted(state.seen)],
        "felt": [list(edge) for edge in sorted(state.felt)],
        "events": list(state.events),
    }


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`.

    Raises:
        ValueError: wrong form, or things that the layout does not have.
    """
    wanted = {"cell", "taken", "blown", "thrown", "steps", "seen", "felt", "events"}
    if set(data) != wanted:
        raise ValueError(f"state {data!r:.200}: wanted {', '.join(sorted(wanted))}")
    taken, seen = _cells(layout, data["taken"]), _cells(layout, data["seen"])
    blown, felt = _edges(layout, data["blown"]), _edges(layout, data["felt"])
    events = data["events"]
    if not isinstance(events, list) or not all(event in EVENTS for event in events):
        raise ValueError(f"events {events!r:.80}: wanted some of {', '.join(EVENTS)}")
    if not taken <= set(layout.things) - {layout.exit} or not blown <= layout.walls:
        raise ValueError(f"state {data!r:.200}: wanted cells with a thing that can be taken, and walls that there are")
    if layout.map_shown and (seen or felt):
        raise ValueError(f"state {data!r:.200}: wanted nothing in seen and felt where the map is shown")
    steps = _count("steps", data["steps"], layout.hard_max_steps)
    thrown = _count("thrown", data["thrown"], layout.grenades_carried + sum(cell in taken for cell in layout.grenades))
    (cell,) = _cells(layout, [data["cell"]])
    return State(layout, cell, taken, blown, thrown, steps, seen, felt, tuple(events))


def _count(name: str, value: JsonValue, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{name} {value!r:.80}: wanted an integer from 0 to {most}")
    return value


def _cells(layout: Layout, value: JsonValue) -> frozenset[Cell]:
    return frozenset((item[0], item[1]) for item in _items(layout, value, 2))


def _edges(layout: Layout, value: JsonValue) -> frozenset[Edge]:
    found = frozenset((item[0], item[1], item[2]) for item in _items(layout, value, 3))
    for edge in found:
        if edge[2] not in ("right", "down") or not _is_inner(layout, edge):
            raise ValueError(f"edge {list(edge)!r:.80}: wanted [row, column, right or down] between two cells")
    return found


def _items(layout: Layout, value: JsonValue, length: int) -> Iterator[list[JsonValue]]:
    items = value if isinstance(value, list) else [value]
    for item in items:
        fits = isinstance(item, list) and len(item) == length and all(type(part) is int for part in item[:2])
        if not fits or not layout.holds((item[0], item[1])):
            raise ValueError(f"{item!r:.80}: wanted {length} parts, the first two a cell of the maze")
        yield item


def move_to_json(move: Move) -> JsonValue:
    """Return the move itself."""
    return move


def move_from_json(data: JsonValue) -> Move:
    """Invert `move_to_json`. Raises ValueError."""
    if not isinstance(data, str) or data not in MOVES:
        raise ValueError(f"move {data!r:.80}: wanted one of {', '.join(MOVES)}")
    return data
