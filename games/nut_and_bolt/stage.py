"""Nut and Bolt on the screen: where the bolts stand, and what a tap on one means.

Everything is in viewport pixels. The first tap lifts the top run (`held` is the number of its bolt), the second names
the destination; a tap on the lifted bolt puts the run down again. A refused destination leaves the run lifted.
"""

from __future__ import annotations

import math

from games.contract import BOARD, Drag, Gesture, JsonObject, KeyPress, Note, Reaction, Rect, Table, Tap
from games.nut_and_bolt.layout import Layout, Transfer
from games.nut_and_bolt.rules import State, is_won, nuts_that_move, top_run

MOST_IN_ONE_ROW, MOST_IN_TWO_ROWS = 6, 16
MOST_ROWS = 4
SHELF_PX = 12
"""Room left and right of a row."""
LARGEST_SLOT_PX = 168
LARGEST_NUT_PX = (122, 58)
"""Width, height."""
GAP_PX = 24
"""Room between the nuts of two bolts, while a nut is at least twice as wide."""
ABOVE_PX = 58
"""Room above a full stack: the bolt's tip and a lifted run."""
BELOW_PX = 46
"""Room for the bolt's head."""
LIFT_MS, TRANSFER_MS, SHAKE_MS = 150, 420, 320


def slots(layout: Layout) -> tuple[Rect, ...]:
    """Return the rectangle in which each bolt stands and is tapped, row by row."""
    count = len(layout.bolts)
    columns, rows, width, height = _best_rows(count, layout.capacity)
    top = BOARD.y + (BOARD.height - rows * height) / 2
    return tuple(
        Rect(_row_left(count, columns, row, width) + (i - row * columns) * width, top + row * height, width, height)
        for i in range(count)
        for row in (i // columns,)
    )


def nut_size(layout: Layout) -> tuple[float, float]:
    """Return the width and height of a nut."""
    _, _, width, height = _best_rows(len(layout.bolts), layout.capacity)
    return _nut_in(width, height, layout.capacity)


def _best_rows(count: int, capacity: int) -> tuple[int, int, float, float]:
    """Return columns, rows, a slot's width and height: 16 bolts in at most two rows, more where nuts are largest."""
    if count <= MOST_IN_TWO_ROWS:
        return _in_rows(count, 1 if count <= MOST_IN_ONE_ROW else 2, capacity)
    found = [_in_rows(count, rows, capacity) for rows in range(2, MOST_ROWS + 1)]
    return max(found, key=lambda one: min(part for part in _nut_in(one[2], one[3], capacity)))


def _in_rows(count: int, rows: int, capacity: int) -> tuple[int, int, float, float]:
    columns = math.ceil(count / rows)
    width = min(LARGEST_SLOT_PX, (BOARD.width - 2 * SHELF_PX) // columns)
    return columns, rows, width, min(BOARD.height // rows, ABOVE_PX + BELOW_PX + capacity * LARGEST_NUT_PX[1])


def _nut_in(width: float, height: float, capacity: int) -> tuple[float, float]:
    high = math.floor((height - ABOVE_PX - BELOW_PX) / capacity)
    return min(LARGEST_NUT_PX[0], width - min(GAP_PX, width // 3)), min(LARGEST_NUT_PX[1], high)


def scene(table: Table) -> JsonObject:
    """Return the bolts with their nuts from bottom to top, and how many of the top ones are lifted."""
    state: State = table.state
    width, height = nut_size(state.layout)
    return {
        "capacity": state.layout.capacity,
        "nut": {"width": width, "height": height},
        "bolts": [
            {
                "slot": list(slot),
                "x": slot.x + slot.width / 2,
                "floor": slot.y + slot.height - BELOW_PX,
                "nuts": [state.layout.looks[nut] for nut in bolt],
                "lifted": top_run(bolt) if table.held == i else 0,
            }
            for i, (slot, bolt) in enumerate(zip(slots(state.layout), state.bolts, strict=True))
        ],
    }


def react(table: Table, gesture: Gesture) -> Reaction:
    """Turn a tap into a lift, a transfer, a put-down, or a note that says why nothing moved."""
    state: State = table.state
    if is_won(state):
        return Reaction()
    if isinstance(gesture, KeyPress):
        return Reaction(held=table.held)
    bolt = _tapped(state.layout, gesture)
    if bolt is None:
        is_drag = (
            isinstance(gesture, Drag) and gesture.finished and bolt_at(state.layout, gesture.x0, gesture.y0) is not None
        )
        return Reaction(held=table.held, note=Note("tap_bolts") if is_drag else None)
    if table.held is None:
        return _lift(state, bolt)
    if bolt == table.held:
        count = top_run(state.bolts[bolt])
        return Reaction(motion={"kind": "drop", "bolt": bolt, "count": count, "duration_ms": LIFT_MS})
    return _transfer(state, table.held, bolt)


def gestures(table: Table, move: Transfer) -> tuple[Gesture, ...]:
    """Return the taps that perform a transfer, whatever is lifted now."""
    places = [_middle(slot) for slot in slots(table.state.layout)]
    return taps_for(places, table.held, move.source, move.destination)


def taps_for(places: list[Tap], held: int | None, source: int, destination: int) -> tuple[Gesture, ...]:
    """Return the taps of a transfer: put down what is lifted unless it is the source, lift, place."""
    if held == source:
        return (places[destination],)
    before = () if held is None else (places[held],)
    return (*before, places[source], places[destination])


def bolt_at(layout: Layout, x: float, y: float) -> int | None:
    """Return the number of the bolt whose slot contains (x, y), or None."""
    return next((i for i, slot in enumerate(slots(layout)) if slot.contains(x, y)), None)


def _lift(state: State, bolt: int) -> Reaction:
    if not state.bolts[bolt]:
        return Reaction(note=Note("empty_bolt", tone="mistake"), motion=_shake(bolt))
    return Reaction(held=bolt, motion={"kind": "lift", "bolt": bolt, "duration_ms": LIFT_MS})


def _transfer(state: State, source: int, destination: int) -> Reaction:
    count = nuts_that_move(state, source, destination)
    if count:
        left = top_run(state.bolts[source]) - count
        motion = {"kind": "transfer", "source": source, "bolt": destination, "count": count, "left": left}
        return Reaction(move=Transfer(source, destination), motion={**motion, "duration_ms": TRANSFER_MS})
    moving, top = state.bolts[source][-1], state.bolts[destination][-1]
    full = len(state.bolts[destination]) == state.layout.capacity
    note = Note("bolt_full", tone="mistake") if full and moving == top else _other_colour(moving, top)
    return Reaction(held=source, note=note, motion=_shake(destination))


def _other_colour(moving: str, top: str) -> Note:
    return Note("other_colour", {"moving": moving, "top": top}, tone="mistake")


def _tapped(layout: Layout, gesture: Tap | Drag) -> int | None:
    """Return the bolt of a tap; a finished drag within one slot is a shaky tap, any other drag is none."""
    if isinstance(gesture, Tap):
        return bolt_at(layout, gesture.x, gesture.y)
    first, last = bolt_at(layout, gesture.x0, gesture.y0), bolt_at(layout, gesture.x1, gesture.y1)
    return first if gesture.finished and first == last else None


def _middle(slot: Rect) -> Tap:
    return Tap(slot.x + slot.width / 2, slot.y + slot.height / 2)


def _row_left(count: int, columns: int, row: int, width: float) -> float:
    in_row = min(columns, count - row * columns)
    return BOARD.x + (BOARD.width - in_row * width) / 2


def _shake(bolt: int) -> JsonObject:
    return {"kind": "shake", "bolt": bolt, "duration_ms": SHAKE_MS}
