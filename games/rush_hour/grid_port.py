"""Rush Hour as a grid: ACTION6 takes a vehicle, ACTION1 to ACTION4 shift it by one cell along its axis.

With a vehicle taken, ACTION6 on a free cell in its line slides it until its end covers that cell, so every slide is two
actions at most. A mouse drags instead: counts of actions cannot be compared with counts of drags.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.contract import Reaction, Table
from games.grid.actions import CLICK, DIRECTION_OF, TOWARDS, GridAction
from games.grid.cells import DIRECTION, Cell
from games.grid.frame import BLACK, BODIES, CHARCOAL, GREEN, RED, SLATE, WHITE, YELLOW, Frame, blank
from games.grid.tiles import click_on, fill, fill_cells, fitted
from games.rush_hour.layout import Layout, Slide
from games.rush_hour.rules import State, is_won, occupied, reach

_COLOURS = tuple(colour for colour in BODIES if colour not in (RED, GREEN, CHARCOAL))


class RushBoard:
    """One level. What is held is the number of the vehicle taken."""

    def __init__(self, layout: Layout) -> None:
        self._tiles = fitted(layout.rows, layout.columns, margin=1, smallest=4)
        self._lot = blank(BLACK)
        fill_cells(self._lot, self._tiles, ((0, 0), (layout.rows - 1, layout.columns - 1)), CHARCOAL)
        for bush in layout.bushes:
            fill(self._lot, self._tiles, bush, GREEN)
        top, right = self._tiles.y + layout.exit_row * self._tiles.tile_px, self._tiles.x
        right += layout.columns * self._tiles.tile_px
        self._lot[top : top + self._tiles.tile_px, right] = YELLOW

    def draw(self, table: Table) -> Frame:
        """Draw each vehicle as a rectangle of its own, the target red, the one taken with a white rim."""
        state: State = table.state
        frame = self._lot.copy()
        for number, (vehicle, at) in enumerate(zip(state.layout.vehicles, state.at, strict=True)):
            cells = vehicle.cells(at)
            fill_cells(frame, self._tiles, cells, WHITE if number == table.held else SLATE)
            fill_cells(frame, self._tiles, cells, _colour(state.layout, number), inset=1)
        return frame

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Take a vehicle, or slide the one taken."""
        state: State = table.state
        if is_won(state):
            return Reaction()
        if action.number == CLICK:
            return self._clicked(state, table.held, self._tiles.cell_at(action.x, action.y))
        direction = DIRECTION_OF.get(action.number)
        if table.held is None or direction is None:
            return Reaction(held=table.held)
        down, right = DIRECTION[direction]
        along = right if state.layout.vehicles[table.held].axis == "h" else down
        return _slid(state, table.held, along)

    def _clicked(self, state: State, held: int | None, cell: Cell | None) -> Reaction:
        if cell is None:
            return Reaction(held=held)
        pairs = enumerate(zip(state.layout.vehicles, state.at, strict=True))
        taken = next((number for number, (vehicle, at) in pairs if cell in vehicle.cells(at)), None)
        if taken is not None:
            return Reaction(held=taken)
        return Reaction() if held is None else _slid(state, held, _offset_to(state, held, cell))

    def actions_for(self, table: Table, move: Slide) -> tuple[GridAction, ...]:
        """Return the click that takes the vehicle, unless it is taken, and the shift or the click on where to."""
        state: State = table.state
        vehicle, at = state.layout.vehicles[move.vehicle], state.at[move.vehicle]
        take = () if table.held == move.vehicle else (click_on(self._tiles, vehicle.cells(at)[0]),)
        if abs(move.offset) == 1:
            names = ("left", "right") if vehicle.axis == "h" else ("up", "down")
            return (*take, GridAction(TOWARDS[names[move.offset > 0]]))
        end = vehicle.cells(at + move.offset)[-1 if move.offset > 0 else 0]
        return (*take, click_on(self._tiles, end))

    def animation(self, table: Table, move: Slide) -> tuple[Frame, ...]:
        """Return one frame for each cell the vehicle passes before it stops."""
        state: State = table.state
        step = 1 if move.offset > 0 else -1
        passed = (
            State(state.layout, (*state.at[: move.vehicle], at, *state.at[move.vehicle + 1 :]))
            for at in range(state.at[move.vehicle] + step, state.at[move.vehicle] + move.offset, step)
        )
        return tuple(self.draw(Table(each, table.held)) for each in passed)


def _colour(layout: Layout, number: int) -> int:
    return RED if number == layout.target else _COLOURS[number % len(_COLOURS)]


def _offset_to(state: State, number: int, cell: Cell) -> int:
    """Return how far the vehicle must slide for its end to cover a cell outside it; 0 if not in its line."""
    vehicle, at = state.layout.vehicles[number], state.at[number]
    line, along = (vehicle.row, cell[1]) if vehicle.axis == "h" else (vehicle.column, cell[0])
    if (cell[0] if vehicle.axis == "h" else cell[1]) != line:
        return 0
    return along - at if along < at else along - (at + vehicle.length - 1)


def _slid(state: State, vehicle: int, offset: int) -> Reaction:
    back, forth = reach(state, vehicle, occupied(state))
    return Reaction(held=vehicle, move=Slide(vehicle, offset) if offset and -back <= offset <= forth else None)


@dataclass(frozen=True)
class RushPort:
    """Makes boards."""

    actions: tuple[int, ...] = (1, 2, 3, 4, 6)

    def board(self, layout: Any) -> RushBoard:
        """Return the board of a level."""
        return RushBoard(layout)


PORT = RushPort()
