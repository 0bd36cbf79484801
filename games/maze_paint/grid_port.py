"""Maze Paint as a grid: ACTION1 to ACTION4 swipe. Every tile has one colour, the ball is a mark."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.contract import Reaction, Table
from games.grid.actions import DIRECTION_OF, TOWARDS, GridAction
from games.grid.frame import BLACK, CYAN, GREY, RED, WHITE, Frame, blank
from games.grid.tiles import fill, fitted
from games.maze_paint.layout import Layout
from games.maze_paint.rules import Move, State, is_won, slide


class MazeBoard:
    """One level."""

    def __init__(self, layout: Layout) -> None:
        self._tiles = fitted(len(layout.rows), len(layout.rows[0]))
        self._bare = blank(BLACK)
        for row in range(len(layout.rows)):
            for column in range(len(layout.rows[0])):
                cell = (row, column)
                fill(self._bare, self._tiles, cell, WHITE if cell in layout.floor else GREY)

    def draw(self, table: Table) -> Frame:
        """Walls grey, bare floor white, painted floor light blue, the ball a red square in its cell."""
        state: State = table.state
        frame = self._bare.copy()
        for cell in state.painted:
            fill(frame, self._tiles, cell, CYAN)
        fill(frame, self._tiles, state.ball, RED, inset=1 if self._tiles.tile_px > 2 else 0)
        return frame

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Swipe, if the ball can shift."""
        direction = DIRECTION_OF.get(action.number)
        if direction is None or is_won(table.state) or not slide(table.state.layout, table.state.ball, direction):
            return Reaction()
        return Reaction(move=direction)

    def actions_for(self, table: Table, move: Move) -> tuple[GridAction, ...]:
        """Return the swipe."""
        return (GridAction(TOWARDS[move]),)

    def animation(self, table: Table, move: Move) -> tuple[Frame, ...]:
        """Return one frame for each cell the ball crosses before it stops."""
        state: State = table.state
        path = slide(state.layout, state.ball, move)[:-1]
        between = (replace(state, ball=cell, painted=state.painted | set(path[: k + 1])) for k, cell in enumerate(path))
        return tuple(self.draw(Table(each)) for each in between)


@dataclass(frozen=True)
class MazePort:
    """Makes boards."""

    actions: tuple[int, ...] = (1, 2, 3, 4)

    def board(self, layout: Any) -> MazeBoard:
        """Return the board of a level."""
        return MazeBoard(layout)


PORT = MazePort()
