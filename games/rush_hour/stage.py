"""Rush Hour on the screen: where things are drawn, and what a drag on them means.

Everything is in viewport pixels. While a drag is not finished the vehicle under it follows the hand up to the first
obstacle (`held`); on release it settles on the nearest cell it can reach.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from games.contract import BOARD, Drag, Gesture, JsonObject, KeyPress, Note, Reaction, Table
from games.rush_hour.layout import Layout, Slide, Vehicle
from games.rush_hour.rules import State, is_won, occupied, reach

FRAME_PX = 30
"""Width of the kerb around the grid."""
ROAD_PX = 112
"""Length of the road that leads away from the exit."""
LARGEST_CELL_PX = 118
LEAVE_MS = 700
SLIDE_MS_PER_CELL = 90
SHAKE_MS = 320


class Grid(NamedTuple):
    """Where the cells are: the top left corner of cell (0, 0), and the side of a cell."""

    x: int
    y: int
    cell: int


def grid_of(layout: Layout) -> Grid:
    """Return the largest grid, in whole pixels, that fits the board with its kerb and the road to the right."""
    room_x, room_y = BOARD.width - 2 * FRAME_PX - ROAD_PX, BOARD.height - 2 * FRAME_PX
    cell = int(min(LARGEST_CELL_PX, room_x // layout.columns, room_y // layout.rows))
    x = BOARD.x + FRAME_PX + (room_x - cell * layout.columns) / 2
    y = BOARD.y + FRAME_PX + (room_y - cell * layout.rows) / 2
    return Grid(int(x), int(y), cell)


def scene(table: Table) -> JsonObject:
    """Return the kerb, the road, the bushes and the vehicles; a vehicle under a drag has a `shift` along its axis."""
    state: State = table.state
    layout, grid = state.layout, grid_of(state.layout)
    shifts = _shifts(table)
    return {
        "grid": {"x": grid.x, "y": grid.y, "cell": grid.cell, "rows": layout.rows, "columns": layout.columns},
        "exit": {"y": grid.y + layout.exit_row * grid.cell, "road": ROAD_PX},
        "bushes": [[grid.x + c * grid.cell, grid.y + r * grid.cell] for r, c in sorted(layout.bushes)],
        "vehicles": [
            _drawn(vehicle, at, grid, is_target=i == layout.target, leaves=i == layout.target and is_won(state))
            | {"shift": shifts.get(i, 0)}
            for i, (vehicle, at) in enumerate(zip(layout.vehicles, state.at, strict=True))
        ],
    }


def react(table: Table, gesture: Gesture) -> Reaction:
    """Turn a drag into a slide, a preview, or a note that says why nothing moved."""
    if isinstance(gesture, KeyPress) or is_won(table.state):
        return Reaction()
    is_drag = isinstance(gesture, Drag)
    x, y = (gesture.x0, gesture.y0) if isinstance(gesture, Drag) else (gesture.x, gesture.y)
    vehicle = vehicle_under(table.state, x, y)
    if vehicle is None:
        return Reaction(note=Note("grab_a_vehicle") if is_drag and _bush_under(table.state, x, y) else None)
    if not isinstance(gesture, Drag):
        return Reaction(note=Note("drag_it"), motion=_shake(table.state, vehicle))
    shift = _clamped_shift(table.state, vehicle, gesture)
    if not gesture.finished:
        return Reaction(held={"vehicle": vehicle, "shift": shift})
    return _released(table.state, vehicle, gesture, shift)


def gestures(table: Table, move: Slide) -> tuple[Gesture, ...]:
    """Return one drag, from the middle of the vehicle over a whole number of cells."""
    state: State = table.state
    grid, vehicle = grid_of(state.layout), state.layout.vehicles[move.vehicle]
    drawn = _drawn(vehicle, state.at[move.vehicle], grid, is_target=False, leaves=False)
    return (drag_of(drawn, move.offset * grid.cell),)


def drag_of(drawn: Mapping[str, float | str], pixels: float) -> Drag:
    """Return the drag that moves a drawn vehicle by `pixels` along its axis."""
    x = float(drawn["x"]) + float(drawn["width"]) / 2
    y = float(drawn["y"]) + float(drawn["height"]) / 2
    return Drag(x, y, x + pixels, y) if drawn["axis"] == "h" else Drag(x, y, x, y + pixels)


def vehicle_under(state: State, x: float, y: float) -> int | None:
    """Return the number of the vehicle whose cells contain the point (x, y), or None."""
    grid = grid_of(state.layout)
    cell = (math.floor((y - grid.y) / grid.cell), math.floor((x - grid.x) / grid.cell))
    vehicles = enumerate(zip(state.layout.vehicles, state.at, strict=True))
    return next((i for i, (vehicle, at) in vehicles if cell in vehicle.cells(at)), None)


def _released(state: State, vehicle: int, gesture: Drag, shift: float) -> Reaction:
    cell = grid_of(state.layout).cell
    offset = math.floor(shift / cell + 0.5)
    if offset:
        back = shift - offset * cell
        milliseconds = 60 + round(abs(back) / cell * SLIDE_MS_PER_CELL)
        if state.at[vehicle] + offset == state.layout.goal and vehicle == state.layout.target:
            back, milliseconds = back - _way_out(state.layout), LEAVE_MS
        motion = {"kind": "slide", "vehicle": vehicle, "from": back, "duration_ms": milliseconds}
        return Reaction(move=Slide(vehicle, offset), motion=motion)
    along, across = _parts(state.layout.vehicles[vehicle], gesture)
    if max(abs(along), abs(across)) < cell / 2:
        return Reaction(motion=_return(vehicle, shift))
    if abs(along) < abs(across):
        return Reaction(note=Note("other_axis", tone="mistake"), motion=_shake(state, vehicle))
    if abs(along) - abs(shift) < cell / 4:
        return Reaction(motion=_return(vehicle, shift))
    return Reaction(note=Note("in_the_way", tone="mistake"), motion=_shake(state, vehicle))


def _clamped_shift(state: State, vehicle: int, gesture: Drag) -> float:
    """Return the pixels the vehicle follows the hand along its axis, up to the first obstacle."""
    along, _ = _parts(state.layout.vehicles[vehicle], gesture)
    back, forth = reach(state, vehicle, occupied(state))
    cell = grid_of(state.layout).cell
    return max(-back * cell, min(forth * cell, along))


def _parts(vehicle: Vehicle, gesture: Drag) -> tuple[float, float]:
    """Return the drag along and across the vehicle's axis, in pixels."""
    dx, dy = gesture.x1 - gesture.x0, gesture.y1 - gesture.y0
    return (dx, dy) if vehicle.axis == "h" else (dy, dx)


def _way_out(layout: Layout) -> float:
    """Return the pixels from the goal out of the picture: a target that has won has driven away."""
    grid = grid_of(layout)
    return BOARD.x + BOARD.width - grid.x - layout.goal * grid.cell


def _shifts(table: Table) -> dict[int, float]:
    held = table.held
    return {held["vehicle"]: held["shift"]} if held else {}


def _drawn(vehicle: Vehicle, at: int, grid: Grid, *, is_target: bool, leaves: bool) -> dict[str, float | str | bool]:
    (row, column), *_ = vehicle.cells(at)
    along, across = vehicle.length * grid.cell, grid.cell
    return {
        "x": BOARD.x + BOARD.width if leaves else grid.x + column * grid.cell,
        "y": grid.y + row * grid.cell,
        "width": along if vehicle.axis == "h" else across,
        "height": across if vehicle.axis == "h" else along,
        "axis": vehicle.axis,
        "target": is_target,
    }


def _bush_under(state: State, x: float, y: float) -> bool:
    grid = grid_of(state.layout)
    return (math.floor((y - grid.y) / grid.cell), math.floor((x - grid.x) / grid.cell)) in state.layout.bushes


def _shake(state: State, vehicle: int) -> JsonObject:
    return {"kind": "shake", "vehicle": vehicle, "duration_ms": SHAKE_MS}


def _return(vehicle: int, shift: float) -> JsonObject | None:
    """Return the motion back to where the vehicle stood, if it was moved at all."""
    return {"kind": "slide", "vehicle": vehicle, "from": shift, "duration_ms": 120} if shift else None
