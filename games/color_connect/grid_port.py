"""Color Connect as a grid: ACTION6 clicks a cell as a mouse does, ACTION1 to ACTION4 lead the active path on by a cell.

A tile shows its cell's links to its neighbours, so a drawing is read off the frame: corners tell dots (filled) from
paths, white corners the head of the active path, white links at a dot that the path has left or reached it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from games.color_connect.layout import Layout
from games.color_connect.rules import Move, State, click, is_won
from games.contract import Reaction, Table
from games.grid.actions import CLICK, DIRECTION_OF, GridAction
from games.grid.cells import DIRECTION, Cell
from games.grid.frame import BLACK, BODIES, GREY, SLATE, WHITE, Frame, blank
from games.grid.tiles import click_on, fill, fitted


class ConnectBoard:
    """One level. Nothing is held: the active path is part of the state."""

    def __init__(self, layout: Layout) -> None:
        self._tiles = fitted(layout.rows, layout.columns, smallest=3)
        self._middle = self._tiles.tile_px // 2
        self._empty = blank(BLACK)
        for cell in layout.cells:
            self._paint(self._empty, cell, self._middle, self._middle, SLATE)
        for cell in layout.blocked:
            fill(self._empty, self._tiles, cell, GREY)
        for dot, pair in layout.dots.items():
            fill(self._empty, self._tiles, dot, _body(pair))
            self._mark(self._empty, dot, pair)

    def draw(self, table: Table) -> Frame:
        """Draw the dots, the paths with their links, and the corners of the head."""
        state: State = table.state
        frame = self._empty.copy()
        for pair, path in enumerate(state.paths):
            for cell in path:
                if cell not in state.layout.dots:
                    fill(frame, self._tiles, cell, _body(pair), inset=1)
                    self._mark(frame, cell, pair)
            for one, other in pairwise(path):
                self._link(frame, state.layout, one, other, pair)
                self._link(frame, state.layout, other, one, pair)
        if state.active is not None:
            last = self._tiles.tile_px - 1
            for down in (0, last):
                for right in (0, last):
                    self._paint(frame, state.paths[state.active][-1], down, right, WHITE)
        return frame

    def _paint(self, frame: Frame, cell: Cell, down: int, right: int, colour: int) -> None:
        """Paint one frame cell of a tile, counted from the tile's top left."""
        tile = self._tiles.tile_px
        frame[self._tiles.y + cell[0] * tile + down, self._tiles.x + cell[1] * tile + right] = colour

    def _mark(self, frame: Frame, cell: Cell, pair: int) -> None:
        if pair >= len(BODIES):
            self._paint(frame, cell, self._middle, self._middle, WHITE)

    def _link(self, frame: Frame, layout: Layout, cell: Cell, other: Cell, pair: int) -> None:
        """Paint the middle of the edge of `cell` that faces `other`; white on a dot, which is filled already."""
        last = self._tiles.tile_px - 1
        side = {-1: 0, 0: self._middle, 1: last}
        colour = WHITE if cell in layout.dots else _body(pair)
        self._paint(frame, cell, side[other[0] - cell[0]], side[other[1] - cell[1]], colour)

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Click a cell, or lead the active path on to the next one."""
        state: State = table.state
        cell = self._meant(state, action)
        if is_won(state) or cell is None or not state.layout.holds(cell):
            return Reaction()
        return Reaction(move=cell if isinstance(click(state, cell), State) else None)

    def _meant(self, state: State, action: GridAction) -> Cell | None:
        if action.number == CLICK:
            return self._tiles.cell_at(action.x, action.y)
        if action.number not in DIRECTION_OF or state.active is None:
            return None
        down, right = DIRECTION[DIRECTION_OF[action.number]]
        row, column = state.paths[state.active][-1]
        return row + down, column + right

    def actions_for(self, table: Table, move: Move) -> tuple[GridAction, ...]:
        """Return the click on the cell."""
        return (click_on(self._tiles, move),)

    def animation(self, table: Table, move: Move) -> tuple[Frame, ...]:
        """Return nothing: a path is drawn at once."""
        return ()


def _body(pair: int) -> int:
    return BODIES[pair % len(BODIES)]


@dataclass(frozen=True)
class ConnectPort:
    """Makes boards."""

    actions: tuple[int, ...] = (1, 2, 3, 4, 6)

    def board(self, layout: Any) -> ConnectBoard:
        """Return the board of a level."""
        return ConnectBoard(layout)


PORT = ConnectPort()
