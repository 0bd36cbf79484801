"""Nut and Bolt rules: the top run of one colour moves onto an empty bolt or a matching top nut, as many as fit.

Pure functions over an immutable state. The level is won when every bolt that holds nuts is full and of one colour. A
transfer cannot always be taken back by another one, so a board can become unsolvable while moves remain; undo belongs
to the suite and is not a move.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from games.contract import IllegalMove, JsonObject, JsonValue
from games.nut_and_bolt.layout import Bolt, Layout, Transfer, bolts_from_json


@dataclass(frozen=True)
class State:
    """The nuts on each bolt, bottom to top."""

    layout: Layout = field(repr=False, hash=False)
    bolts: tuple[Bolt, ...]


def initial_state(layout: Layout) -> State:
    """Return the board as the level starts."""
    return State(layout, layout.bolts)


def legal_moves(state: State) -> tuple[Transfer, ...]:
    """Return all transfers, by source, then destination; none once won."""
    if is_won(state):
        return ()
    numbers = range(len(state.bolts))
    return tuple(Transfer(s, d) for s in numbers for d in numbers if nuts_that_move(state, s, d))


def step(state: State, move: Transfer) -> State:
    """Return the board after the transfer. Raises IllegalMove."""
    source, destination = move
    if is_won(state):
        raise IllegalMove("the level is complete")
    if not (0 <= source < len(state.bolts) and 0 <= destination < len(state.bolts)):
        raise IllegalMove(f"{move}: there are bolts 0 to {len(state.bolts) - 1}")
    count = nuts_that_move(state, source, destination)
    if not count:
        raise IllegalMove(f"{move}: from {state.bolts[source]} no nut fits on {state.bolts[destination]}")
    bolts = list(state.bolts)
    bolts[source], moved = bolts[source][:-count], bolts[source][-count:]
    bolts[destination] += moved
    return replace(state, bolts=tuple(bolts))


def nuts_that_move(state: State, source: int, destination: int) -> int:
    """Return how many nuts a transfer moves, 0 if it is not allowed."""
    taken, onto = state.bolts[source], state.bolts[destination]
    if source == destination or not taken or (onto and onto[-1] != taken[-1]):
        return 0
    return min(top_run(taken), state.layout.capacity - len(onto))


def top_run(bolt: Bolt) -> int:
    """Return the number of nuts of one colour at the top of a bolt."""
    count = 0
    while count < len(bolt) and bolt[-1 - count] == bolt[-1]:
        count += 1
    return count


def is_won(state: State) -> bool:
    """Tell whether every bolt that holds nuts is full and of one colour."""
    return all(not bolt or is_complete(bolt, state.layout.capacity) for bolt in state.bolts)


def is_complete(bolt: Bolt, capacity: int) -> bool:
    """Tell whether a bolt is full and of one colour."""
    return len(bolt) == capacity and len(set(bolt)) == 1


def potential(state: State) -> float:
    """Return the sum over colours of the largest homogeneous stack of the colour / (capacity x colours).

    Published (first source document, "Progress potentials"). Decided here: a homogeneous stack is a bolt that holds
    nuts of one colour only; a run on top of another colour is not one. So exactly the won board scores 1.
    """
    colours, capacity = state.layout.colours, state.layout.capacity
    stacks = [bolt for bolt in state.bolts if len(set(bolt)) == 1]
    return sum(max((len(b) for b in stacks if b[0] == colour), default=0) for colour in colours) / (
        capacity * len(colours)
    )


def state_to_json(state: State) -> JsonObject:
    """Return `{"bolts": [...]}`, the colours of each bolt from bottom to top."""
    return {"bolts": [list(bolt) for bolt in state.bolts]}


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`. Raises ValueError on other keys, or if nuts or bolts were added or lost."""
    if set(data) != {"bolts"}:
        raise ValueError(f"got the keys {sorted(data)}, wanted 'bolts'")
    bolts = bolts_from_json(data["bolts"], layout.capacity)
    if len(bolts) != len(layout.bolts):
        raise ValueError(f"bolts: got {len(bolts)}, wanted {len(layout.bolts)}")
    if Counter(nut for bolt in bolts for nut in bolt) != Counter(nut for bolt in layout.bolts for nut in bolt):
        raise ValueError("bolts: the nuts are not those of the level")
    return State(layout, bolts)


def move_to_json(move: Transfer) -> JsonValue:
    """Return `[source, destination]`."""
    return list(move)


def move_from_json(data: JsonValue) -> Transfer:
    """Invert `move_to_json`. Raises ValueError."""
    if not (isinstance(data, list | tuple) and len(data) == 2 and all(type(part) is int for part in data)):
        raise ValueError(f"move {data!r}: wanted [source, destination]")
    return Transfer(data[0], data[1])
