"""Truck Escape on the screen: the scene a player sees, and what a tap comes to. Nothing is ever held."""

from __future__ import annotations

from games.contract import BOARD, Drag, Gesture, JsonObject, Note, Reaction, Table, Tap
from games.grid import Cell, GridFrame, fit
from games.truck_escape.layout import Layout, Vehicle
from games.truck_escape.rules import Move, State, blocker

MARGIN_PX = 62
CELL_MS, LEAVE_MS, BUMP_MS = 55, 260, 420


def scene(table: Table) -> JsonObject:
    """Return frame and parked vehicles in reading order of their tails: everything there is to see."""
    state: State = table.state
    parked = [_vehicle_json(state.layout.by_tail[tail]) for tail in sorted(state.parked)]
    return {"frame": frame(state.layout).to_json(), "vehicles": parked}


def frame(layout: Layout) -> GridFrame:
    """Return where the lot lies on the screen; the margin is the street around it."""
    return fit(layout.rows, layout.columns, margin_px=MARGIN_PX)


def _vehicle_json(vehicle: Vehicle) -> JsonObject:
    return {"tail": list(vehicle.tail), "direction": vehicle.direction, "length": vehicle.length}


def react(table: Table, gesture: Gesture) -> Reaction:
    """Let the tapped vehicle leave, or show what it bumps into."""
    state: State = table.state
    if isinstance(gesture, Drag) and gesture.finished and BOARD.contains(gesture.x0, gesture.y0):
        return Reaction(note=Note("drag", tone="mistake"))
    if not isinstance(gesture, Tap) or not BOARD.contains(gesture.x, gesture.y):
        return Reaction()
    vehicle = _vehicle_at(state, frame(state.layout).cell_at(gesture.x, gesture.y))
    if vehicle is None:
        return Reaction(note=Note("empty", tone="mistake")) if state.parked else Reaction()
    other = blocker(state, vehicle.tail)
    return _leave(state.layout, vehicle) if other is None else _bump(state.layout, vehicle, state.layout.by_tail[other])


def _vehicle_at(state: State, cell: Cell | None) -> Vehicle | None:
    return next((v for v in state.layout.vehicles if v.tail in state.parked and cell in v.cells), None)


def _leave(layout: Layout, vehicle: Vehicle) -> Reaction:
    cells = len(layout.way_out(vehicle)) + vehicle.length
    motion = {"kind": "leave", "vehicle": _vehicle_json(vehicle), "duration_ms": LEAVE_MS + CELL_MS * cells}
    return Reaction(move=vehicle.tail, motion=motion)


def _bump(layout: Layout, vehicle: Vehicle, other: Vehicle) -> Reaction:
    """Drive up to the other vehicle and back; `gap` is the number of free cells between them."""
    way = [vehicle.cell_ahead(vehicle.length + k) for k in range(max(layout.rows, layout.columns))]
    gap = next(k for k, cell in enumerate(way) if cell in other.cells)
    motion = {
        "kind": "bump",
        "tail": list(vehicle.tail),
        "hit": list(other.tail),
        "gap": gap,
        "duration_ms": BUMP_MS + CELL_MS * gap,
    }
    return Reaction(note=Note("blocked", tone="mistake"), motion=motion)


def gestures(table: Table, move: Move) -> tuple[Gesture, ...]:
    """Return the tap on the middle of the vehicle."""
    layout: Layout = table.state.layout
    return (tap_on(frame(layout), layout.by_tail[move].cells),)


def tap_on(grid: GridFrame, cells: tuple[Cell, ...]) -> Tap:
    """Return the tap in the middle of a row of cells."""
    (x0, y0), (x1, y1) = grid.centre(cells[0]), grid.centre(cells[-1])
    return Tap((x0 + x1) / 2, (y0 + y1) / 2)
