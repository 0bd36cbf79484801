"""The maze as a grid. ACTION1 to ACTION4 walk; ACTION6 on the throw or look arrows does those; everything is drawn.

The first two rows are a readout: twelve binary digits of the steps taken, then a cell for every thing that can be
carried, one per grenade left (up to four), and one for every kind of event of the last step. Below it lies the map, a
tile for each cell and for each border between cells, and under the map the eight arrows, throw above look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.agi_maze.layout import Layout, edge_of
from games.agi_maze.rules import EVENTS, Move, State, grenades_left, has, is_open, legal_moves
from games.agi_maze.stage import CARRIED
from games.contract import Reaction, Table
from games.grid import DIRECTION, Cell
from games.grid.actions import CLICK, DIRECTION_OF, TOWARDS, GridAction, click
from games.grid.frame import (
    BLACK,
    BLUE,
    CHARCOAL,
    CYAN,
    GREEN,
    GREY,
    MAGENTA,
    MAROON,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    SILVER,
    SLATE,
    WHITE,
    YELLOW,
    Frame,
    blank,
)  # fmt: skip

TOP, ARROWS = 2, 59
"""Rows above the map; first row of the arrows."""
DIGITS = 12
THINGS = {
    "key": YELLOW, "treasure": ORANGE, "exit": GREEN, "exit_key": PINK, "boat": MAROON, "grenade": RED,
    "flashlight": MAGENTA,
}  # fmt: skip
GROUND = {"pit": PURPLE, "mouth": CYAN}
FLOW = {"river_up": (0, 1), "river_right": (1, 2), "river_down": (2, 1), "river_left": (1, 0)}


class MazeBoard:
    """One level."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._tile = min((ARROWS - TOP) // (2 * layout.rows + 1), 64 // (2 * layout.columns + 1))

    def draw(self, table: Table) -> Frame:
        """Draw unknown cells dark grey, floor white, walls black, unfelt borders grey, you blue, things in colours."""
        state: State = table.state
        frame = blank(BLACK)
        self._readout(frame, state)
        for row in range(self._layout.rows):
            for column in range(self._layout.columns):
                self._cell(frame, state, (row, column))
        self._paint(frame, (2 * state.cell[0] + 1, 2 * state.cell[1] + 1), BLUE, inset=self._tile // 3)
        self._arrows(frame, state)
        return frame

    def _readout(self, frame: Frame, state: State) -> None:
        for place in range(DIGITS):
            frame[0, place] = WHITE if state.steps >> (DIGITS - 1 - place) & 1 else SLATE
        for place, thing in enumerate(CARRIED):
            frame[0, 14 + place] = THINGS[thing] if has(state, thing) else SLATE
        for place in range(min(grenades_left(state), 4)):
            frame[0, 20 + place] = RED
        for place, event in enumerate(EVENTS):
            frame[0, 26 + place] = CYAN if event in state.events else SLATE

    def _cell(self, frame: Frame, state: State, cell: Cell) -> None:
        known = self._layout.map_shown or cell in state.seen
        at = (2 * cell[0] + 1, 2 * cell[1] + 1)
        self._paint(frame, at, WHITE if known else CHARCOAL)
        if known:
            self._content(frame, state, cell, at)
        for side, place in (("right", (at[0], at[1] + 1)), ("down", (at[0] + 1, at[1]))):
            if self._layout.holds((cell[0] + (side == "down"), cell[1] + (side == "right"))):
                felt = self._layout.map_shown or edge_of(cell, side) in state.felt
                open_ = is_open(state, cell, side)
                self._paint(frame, place, GREY if not felt else SILVER if open_ else BLACK)

    def _content(self, frame: Frame, state: State, cell: Cell, at: Cell) -> None:
        ground = self._layout.ground.get(cell)
        thing = None if cell in state.taken else self._layout.things.get(cell)
        if thing is not None:
            self._paint(frame, at, THINGS[thing])
        elif ground in GROUND:
            self._paint(frame, at, GROUND[ground])
        elif ground is not None:
            self._paint(frame, at, CYAN)
            self._paint(frame, at, SLATE, corner=FLOW[ground])

    def _paint(self, frame: Frame, at: Cell, colour: int, *, inset: int = 0, corner: Cell | None = None) -> None:
        tile = self._tile
        top, left = TOP + at[0] * tile, at[1] * tile
        if corner is not None:
            frame[top + corner[0] * (tile - 1) // 2, left + corner[1] * (tile - 1) // 2] = colour
            return
        frame[top + inset : top + tile - inset, left + inset : left + tile - inset] = colour

    def _arrows(self, frame: Frame, state: State) -> None:
        for row, colour, is_there in ((0, RED, grenades_left(state) > 0), (2, MAGENTA, has(state, "flashlight"))):
            for place in range(len(DIRECTION)):
                frame[ARROWS + row : ARROWS + row + 2, 8 * place : 8 * place + 6] = colour if is_there else SLATE

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Walk, throw or look, if that is legal."""
        move = DIRECTION_OF.get(action.number) if action.number != CLICK else self._clicked(action)
        return Reaction(move=move) if move in legal_moves(table.state) else Reaction()

    def _clicked(self, action: GridAction) -> Move | None:
        kind = {0: "bomb_", 1: "look_"}.get((action.y - ARROWS) // 2)
        place, inside = divmod(action.x, 8)
        if kind is None or place >= len(DIRECTION) or inside >= 6:
            return None
        return f"{kind}{list(DIRECTION)[place]}"

    def actions_for(self, table: Table, move: Move) -> tuple[GridAction, ...]:
        """Return the action of a walk, or the click on the arrow of a throw or look."""
        kind, _, side = move.rpartition("_")
        if not kind:
            return (GridAction(TOWARDS[side]),)
        return (click(8 * list(DIRECTION).index(side) + 2, ARROWS + (0 if kind == "bomb" else 2)),)

    def animation(self, table: Table, move: Move) -> tuple[Frame, ...]:
        """Return nothing: what carried the player is told by the events."""
        del table, move
        return ()


@dataclass(frozen=True)
class MazePort:
    """Makes boards."""

    actions: tuple[int, ...] = (1, 2, 3, 4, 6)

    def board(self, layout: Any) -> MazeBoard:
        """Return the board of a level."""
        return MazeBoard(layout)


PORT = MazePort()
