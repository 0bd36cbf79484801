"""Truck Escape as a grid: ACTION6 clicks a vehicle. A white edge is the front of a vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.contract import Reaction, Table
from games.grid.actions import CLICK, GridAction
from games.grid.cells import DIRECTION, GridFrame
from games.grid.frame import BLACK, BODIES, CHARCOAL, WHITE, Frame, blank
from games.grid.tiles import click_on, fill_cells, fitted
from games.truck_escape.layout import Layout, Vehicle
from games.truck_escape.rules import Move, State, blocker

_COLOURS = tuple(colour for colour in BODIES if colour != CHARCOAL)


class TruckBoard:
    """One level."""

    def __init__(self, layout: Layout) -> None:
        self._tiles = fitted(layout.rows, layout.columns, smallest=3)
        self._lot = blank(BLACK)
        fill_cells(self._lot, self._tiles, ((0, 0), (layout.rows - 1, layout.columns - 1)), CHARCOAL)
        self._owner = {cell: vehicle.tail for vehicle in layout.vehicles for cell in vehicle.cells}
        self._colour = {vehicle.tail: _COLOURS[k % len(_COLOURS)] for k, vehicle in enumerate(layout.vehicles)}

    def draw(self, table: Table) -> Frame:
        """Draw the lot dark, every parked vehicle in one colour with its front edge white."""
        state: State = table.state
        frame = self._lot.copy()
        for tail in state.parked:
            vehicle = state.layout.by_tail[tail]
            fill_cells(frame, self._tiles, vehicle.cells, self._colour[tail])
            _draw_front(frame, self._tiles, vehicle)
        return frame

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Let the clicked vehicle leave if its way is free."""
        cell = self._tiles.cell_at(action.x, action.y) if action.number == CLICK else None
        tail = None if cell is None else self._owner.get(cell)
        if tail is None or tail not in table.state.parked or blocker(table.state, tail) is not None:
            return Reaction()
        return Reaction(move=tail)

    def actions_for(self, table: Table, move: Move) -> tuple[GridAction, ...]:
        """Return the click on the vehicle's tail."""
        return (click_on(self._tiles, move),)

    def animation(self, table: Table, move: Move) -> tuple[Frame, ...]:
        """Return nothing: a vehicle leaves at once."""
        return ()


def _draw_front(frame: Frame, tiles: GridFrame, vehicle: Vehicle) -> None:
    (row, column), tile = vehicle.cells[-1], tiles.tile_px
    down, right = DIRECTION[vehicle.direction]
    top, left = tiles.y + row * tile, tiles.x + column * tile
    top, height = (top + (tile - 1 if down > 0 else 0), 1) if down else (top, tile)
    left, width = (left + (tile - 1 if right > 0 else 0), 1) if right else (left, tile)
    frame[top : top + height, left : left + width] = WHITE


@dataclass(frozen=True)
class TruckPort:
    """Makes boards."""

    actions: tuple[int, ...] = (6,)

    def board(self, layout: Any) -> TruckBoard:
        """Return the board of a level."""
        return TruckBoard(layout)


PORT = TruckPort()
