"""Nut and Bolt as a grid: ACTION6 takes the top run of a bolt, ACTION6 on another bolt moves it; ACTION7 undoes.

A refused destination leaves the run taken, a second click on its bolt puts it down, as with a mouse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.contract import LevelError, Reaction, Table
from games.grid.actions import CLICK, GridAction, click
from games.grid.frame import BLACK, BOARD_ROWS, BODIES, GREY, SIDE, SLATE, WHITE, YELLOW, Frame, blank
from games.nut_and_bolt.layout import COLOURS, Layout, Transfer
from games.nut_and_bolt.rules import State, is_won, nuts_that_move

_FLOOR = BOARD_ROWS - 2
"""The row below the lowest nut: there stands the bolt's head, yellow while its run is taken."""
_WIDEST, _HIGHEST = 9, 7


class NutBoard:
    """One level. What is held is the number of the bolt whose top run is taken."""

    def __init__(self, layout: Layout) -> None:
        count = len(layout.bolts)
        self._pitch, self._nut_rows = min(SIDE // count, _WIDEST), min((_FLOOR - 2) // layout.capacity, _HIGHEST)
        if self._pitch < 4 or self._nut_rows < 2:
            raise LevelError(f"{count} bolts of {layout.capacity} nuts do not fit, wanted at most 16 bolts of 29 nuts")
        self._left = (SIDE - self._pitch * count) // 2
        self._count = count
        free = iter(kind for kind in range(2 * len(BODIES)) if not set(COLOURS[kind : kind + 1]) & set(layout.colours))
        self._kind = {name: COLOURS.index(name) if name in COLOURS else next(free) for name in layout.colours}
        self._empty = blank(BLACK)
        top = _FLOOR - self._nut_rows * layout.capacity - 1
        for bolt in range(count):
            left, right = self._columns(bolt)
            self._empty[top:_FLOOR, (left + right) // 2] = SLATE
            self._empty[_FLOOR, left:right] = GREY

    def _columns(self, bolt: int) -> tuple[int, int]:
        """Return the columns of a bolt's nuts, the second not included; one column to the right stays free."""
        left = self._left + bolt * self._pitch
        return left, left + self._pitch - 1

    def draw(self, table: Table) -> Frame:
        """Draw every nut as a bar of its colour; colours from the thirteenth on have a white mark."""
        state: State = table.state
        frame = self._empty.copy()
        for number, bolt in enumerate(state.bolts):
            left, right = self._columns(number)
            for height, nut in enumerate(bolt):
                kind = self._kind[nut]
                bottom = _FLOOR - height * self._nut_rows
                frame[bottom - self._nut_rows + 1 : bottom, left:right] = BODIES[kind % len(BODIES)]
                if kind >= len(BODIES):
                    frame[bottom - 1, (left + right) // 2] = WHITE
        if table.held is not None:
            left, right = self._columns(table.held)
            frame[_FLOOR, left:right] = YELLOW
        return frame

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Take a run, put it down, or move it."""
        state: State = table.state
        bolt = self._bolt_at(action.x) if action.number == CLICK else None
        if is_won(state) or bolt is None:
            return Reaction(held=table.held)
        if table.held is None:
            return Reaction(held=bolt if state.bolts[bolt] else None)
        if bolt == table.held:
            return Reaction()
        if nuts_that_move(state, table.held, bolt):
            return Reaction(move=Transfer(table.held, bolt))
        return Reaction(held=table.held)

    def _bolt_at(self, x: int) -> int | None:
        bolt = (x - self._left) // self._pitch
        return bolt if 0 <= bolt < self._count else None

    def actions_for(self, table: Table, move: Transfer) -> tuple[GridAction, ...]:
        """Return the clicks on source and destination; one that is taken needs no second click.

        Another bolt that is taken is put down first, so from such a table there are three.
        """
        places = [click((left + right) // 2, BOARD_ROWS // 2) for left, right in map(self._columns, range(self._count))]
        before = () if table.held in (None, move.source) else (places[table.held],)
        take = () if table.held == move.source else (places[move.source],)
        return (*before, *take, places[move.destination])

    def animation(self, table: Table, move: Transfer) -> tuple[Frame, ...]:
        """Return nothing: nuts move at once."""
        return ()


@dataclass(frozen=True)
class NutPort:
    """Makes boards."""

    actions: tuple[int, ...] = (6, 7)

    def board(self, layout: Any) -> NutBoard:
        """Return the board of a level."""
        return NutBoard(layout)


PORT = NutPort()
