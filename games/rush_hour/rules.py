"""Rush Hour rules: a vehicle slides along its axis, any number of cells up to the first obstacle, in one move.

Pure functions over an immutable state. The level is won when the target touches the right side, where it drives out.
Every move can be taken back by the opposite move, so the game has no dead ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from games.contract import IllegalMove, JsonObject, JsonValue
from games.rush_hour.layout import Cell, Layout, Slide


@dataclass(frozen=True)
class State:
    """Where the vehicles stand: per vehicle the column (horizontal) or row (vertical) of its first cell."""

    layout: Layout = field(repr=False, hash=False)
    at: tuple[int, ...]


def initial_state(layout: Layout) -> State:
    """Return the board as the level starts."""
    return State(layout, tuple(vehicle.start for vehicle in layout.vehicles))


def legal_moves(state: State) -> tuple[Slide, ...]:
    """Return every slide, by vehicle, then offset from far left (up) to far right (down); none once won."""
    if is_won(state):
        return ()
    taken = occupied(state)
    return tuple(
        Slide(vehicle, offset)
        for vehicle in range(len(state.at))
        for back, forth in (reach(state, vehicle, taken),)
        for offset in range(-back, forth + 1)
        if offset
    )


def step(state: State, move: Slide) -> State:
    """Return the board after the slide. Raises IllegalMove naming what is in the way."""
    if is_won(state):
        raise IllegalMove("the level is complete")
    if not 0 <= move.vehicle < len(state.at) or move.offset == 0:
        raise IllegalMove(f"{move}: no such vehicle, or no distance")
    back, forth = reach(state, move.vehicle, occupied(state))
    if not -back <= move.offset <= forth:
        raise IllegalMove(f"vehicle {move.vehicle} by {move.offset}: can move from -{back} to {forth}")
    at = list(state.at)
    at[move.vehicle] += move.offset
    return replace(state, at=tuple(at))


def is_won(state: State) -> bool:
    """Tell whether the target touches the exit."""
    return state.at[state.layout.target] == state.layout.goal


def occupied(state: State) -> frozenset[Cell]:
    """Return all cells under a vehicle or a bush."""
    vehicles = zip(state.layout.vehicles, state.at, strict=True)
    return state.layout.bushes.union(*(vehicle.cells(at) for vehicle, at in vehicles))


def reach(state: State, vehicle: int, taken: frozenset[Cell]) -> tuple[int, int]:
    """Return how many cells a vehicle can move left (up) and right (down)."""
    line, at = state.layout.vehicles[vehicle], state.at[vehicle]

    def is_free(coordinate: int) -> bool:
        cell = (line.row, coordinate) if line.axis == "h" else (coordinate, line.column)
        return 0 <= coordinate < state.layout.line_cells(vehicle) and cell not in taken

    back = forth = 0
    while is_free(at - back - 1):
        back += 1
    while is_free(at + line.length + forth):
        forth += 1
    return back, forth


def state_to_json(state: State) -> JsonObject:
    """Return `{"at": [...]}`, one coordinate per vehicle."""
    return {"at": list(state.at)}


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`. Raises ValueError on other keys, wrong counts, vehicles outside or overlapping."""
    at = data.get("at")
    if set(data) != {"at"} or not isinstance(at, list) or len(at) != len(layout.vehicles):
        raise ValueError(f"got {data!r}, wanted 'at' with {len(layout.vehicles)} whole numbers")
    for vehicle, value in enumerate(at):
        last = layout.line_cells(vehicle) - layout.vehicles[vehicle].length
        if type(value) is not int or not 0 <= value <= last:
            raise ValueError(f"at[{vehicle}]: got {value!r}, wanted a whole number from 0 to {last}")
    state = State(layout, tuple(at))
    covered = len(layout.bushes) + sum(vehicle.length for vehicle in layout.vehicles)
    if len(occupied(state)) != covered:
        raise ValueError(f"at {at!r}: two things share a cell")
    return state


def move_to_json(move: Slide) -> JsonValue:
    """Return `[vehicle, offset]`."""
    return list(move)


def move_from_json(data: JsonValue) -> Slide:
    """Invert `move_to_json`. Raises ValueError."""
    if not (isinstance(data, list | tuple) and len(data) == 2 and all(type(part) is int for part in data)):
        raise ValueError(f"move {data!r}: wanted [vehicle, offset]")
    return Slide(data[0], data[1])
