"""Truck Escape rules: a vehicle leaves straight ahead if no other vehicle stands between it and the edge.

Pure functions over an immutable state. A move is the tail cell of the vehicle that leaves. Vehicles never stop half
way, so removing is all that can happen. Progress: first source document, appendix A.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.contract import IllegalMove, JsonObject, JsonValue
from games.grid import Cell
from games.truck_escape.layout import Layout

Move = Cell


@dataclass(frozen=True)
class State:
    """A settled lot: the tail cells of the vehicles that are still parked."""

    layout: Layout
    parked: frozenset[Cell]


def initial_state(layout: Layout) -> State:
    """Return the full lot."""
    return State(layout, frozenset(layout.by_tail))


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the vehicles that can leave, in the layout's order."""
    return tuple(v.tail for v in state.layout.vehicles if v.tail in state.parked and blocker(state, v.tail) is None)


def blocker(state: State, tail: Cell) -> Cell | None:
    """Return the nearest vehicle in the way of a parked one, None if its way is free."""
    return next((other for other in state.layout.lanes[tail] if other in state.parked), None)


def step(state: State, move: Move) -> State:
    """Return the lot without the vehicle.

    Raises:
        IllegalMove: no vehicle is parked with its tail there, or another one is in its way.
    """
    if move not in state.parked:
        raise IllegalMove(f"{move}: no vehicle is parked with its tail there")
    if (other := blocker(state, move)) is not None:
        raise IllegalMove(f"{move}: the vehicle at {other} is in the way")
    return replace(state, parked=state.parked - {move})


def is_won(state: State) -> bool:
    """Tell whether the lot is empty."""
    return not state.parked


def potential(state: State) -> float:
    """Return the share of vehicles that have left."""
    return 1 - len(state.parked) / len(state.layout.vehicles)


def state_to_json(state: State) -> JsonObject:
    """Return the tail cells of the parked vehicles in reading order."""
    return {"parked": [list(tail) for tail in sorted(state.parked)]}


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`.

    Raises:
        ValueError: wrong form, or a vehicle that the layout does not have.
    """
    tails = data.get("parked")
    if set(data) != {"parked"} or not isinstance(tails, list):
        raise ValueError(f"state {data!r:.200}: wanted a list of tail cells under 'parked'")
    parked = [move_from_json(tail) for tail in tails]
    if parked != sorted(set(parked)) or not layout.by_tail.keys() >= set(parked):
        raise ValueError(f"state {data!r:.200}: wanted tails of the layout's vehicles, each once, in reading order")
    return State(layout, frozenset(parked))


def move_to_json(move: Move) -> JsonValue:
    """Return the tail cell as [row, column]."""
    return list(move)


def move_from_json(data: JsonValue) -> Move:
    """Invert `move_to_json`. Raises ValueError."""
    if not isinstance(data, list) or len(data) != 2 or not all(type(part) is int for part in data):
        raise ValueError(f"move {data!r:.80}: wanted a tail cell [row, column]")
    return data[0], data[1]
