"""Bolt Unscrew as a grid: ACTION6 takes a screw, ACTION6 on a free hole moves it there.

The plate is drawn to scale on the left. Sixty-four cells cannot show how a board under others lies, so the right margin
is a readout: one row a board, four hexadecimal digits (colours 0 to 15) each for its centre's x, its centre's y and its
angle. A browser shows less: there, what lies under wood is hidden.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from games.bolt_unscrew.layout import Board, Layout, Point
from games.bolt_unscrew.mechanics import FULL_TURN, HEAD, HOLE, MICRO, Pose
from games.bolt_unscrew.rules import Move, State, free_anchors, is_won
from games.contract import LevelError, Reaction, Table
from games.grid.actions import CLICK, GridAction, click
from games.grid.frame import (
    BLACK,
    BOARD_ROWS,
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
    SIDE,
    SILVER,
    SLATE,
    WHITE,
    YELLOW,
    Frame,
    blank,
)

_DIGITS = 4
_PLATE_COLUMNS = SIDE - 3 * _DIGITS - 1
_WOODS = (ORANGE, MAROON, PINK, PURPLE, GREEN, CYAN, MAGENTA, SLATE)
_STEPS_PER_UNIT = 100
"""The readout counts hundredths of an authoring unit, and 65,536ths of a turn."""
_REACH = 2.5
"""How far from a screw or a free hole, in frame cells, a click still means it."""
_MARGIN = HEAD + 6

Cells = np.ndarray[Any, np.dtype[np.intp]]


@dataclass
class BoltBoard:
    """One level. What is held is the anchor of the screw that is lifted."""

    layout: Layout
    _unit: float = field(init=False)
    """Frame cells per authoring unit."""
    _shapes: dict[tuple[int, Pose], tuple[Cells, Cells]] = field(default_factory=dict, init=False)
    """Per board and pose: the frame cells (flat) of its wood and of its drilled holes."""

    def __post_init__(self) -> None:
        if len(self.layout.boards) > BOARD_ROWS:
            raise LevelError(f"{len(self.layout.boards)} boards, wanted at most {BOARD_ROWS} for the readout")
        left, top, right, bottom = _extent(self.layout)
        self._unit = min(_PLATE_COLUMNS / (right - left), BOARD_ROWS / (bottom - top))
        self._x0 = left - (_PLATE_COLUMNS / self._unit - (right - left)) / 2
        self._y0 = top - (BOARD_ROWS / self._unit - (bottom - top)) / 2
        self._places = [self._frame_cell((anchor.x, anchor.y)) for anchor in self.layout.anchors]
        if len(set(self._places)) < len(self._places):
            raise LevelError(f"two of {len(self._places)} anchors share a frame cell, wanted them further apart")
        rows, columns = np.mgrid[0:BOARD_ROWS, 0:_PLATE_COLUMNS]
        self._x, self._y = self._x0 + (columns + 0.5) / self._unit, self._y0 + (rows + 0.5) / self._unit
        self._plate = blank(BLACK)
        self._plate[:BOARD_ROWS, :_PLATE_COLUMNS] = CHARCOAL

    def _frame_cell(self, place: Point) -> tuple[int, int]:
        return int((place[1] - self._y0) * self._unit), int((place[0] - self._x0) * self._unit)

    def draw(self, table: Table) -> Frame:
        """Draw plate, boards from back to front, free holes black with a grey rim, screws white, the lifted yellow."""
        state: State = table.state
        frame = self._plate.copy()
        flat = frame.reshape(-1)
        for index in range(len(self._places)):
            if not state.occupied >> index & 1:
                self._spot(frame, index, BLACK, BLACK)
        for index in self.layout.drawing_order:
            pose = state.poses[index]
            if pose is not None:
                wood, holes = self._shape(index, pose)
                flat[wood] = _WOODS[index % len(_WOODS)]
                flat[holes] = BLACK
                frame[index, _PLATE_COLUMNS + 1 :] = _readout(pose)
        for index in free_anchors(state):
            self._spot(frame, index, GREY, BLACK)
        for index in state.screws:
            rim = YELLOW if index == table.held else SILVER
            self._spot(frame, index, rim, RED if index == table.held else WHITE)
        return frame

    def _spot(self, frame: Frame, anchor: int, rim: int, centre: int) -> None:
        row, column = self._places[anchor]
        frame[max(row - 1, 0) : min(row + 2, BOARD_ROWS), max(column - 1, 0) : min(column + 2, _PLATE_COLUMNS)] = rim
        frame[row, column] = centre

    def _shape(self, index: int, pose: Pose) -> tuple[Cells, Cells]:
        found = self._shapes.get((index, pose))
        if found is None:
            found = self._shapes[index, pose] = self._rastered(self.layout.boards[index], pose)
        return found

    def _rastered(self, board: Board, pose: Pose) -> tuple[Cells, Cells]:
        """Return the frame cells whose middle lies on the wood, and those whose middle lies in a drilled hole."""
        (x, y), cosine, sine = pose.centre, math.cos(pose.angle_rad), math.sin(pose.angle_rad)
        u, v = cosine * (self._x - x) + sine * (self._y - y), cosine * (self._y - y) - sine * (self._x - x)
        wood = np.hypot(np.maximum(np.abs(u) - board.core, 0.0), v) <= board.rim
        drilled = np.zeros_like(wood)
        for hole in board.holes:
            drilled |= np.hypot(u - hole[0], v - hole[1]) < HOLE
        return _flat(wood & ~drilled), _flat(wood & drilled)

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Take a screw, put it down, or move it; a click on nothing puts down what is lifted."""
        state: State = table.state
        if action.number != CLICK or is_won(state):
            return Reaction(held=table.held)
        free = free_anchors(state)
        meant = self._nearest(action, (*state.screws, *free))
        if meant is None:
            return Reaction()
        if meant in free:
            return Reaction(move=None if table.held is None else Move(table.held, meant))
        return Reaction(held=None if meant == table.held else meant)

    def _nearest(self, action: GridAction, anchors: tuple[int, ...]) -> int | None:
        distances = {anchor: math.dist(self._places[anchor], (action.y, action.x)) for anchor in anchors}
        near = min(distances, key=lambda anchor: (distances[anchor], anchor), default=None)
        return near if near is not None and distances[near] <= _REACH else None

    def actions_for(self, table: Table, move: Move) -> tuple[GridAction, ...]:
        """Return the clicks on screw and hole; a lifted screw needs no second click."""
        source, target = (click(self._places[index][1], self._places[index][0]) for index in move)
        return (target,) if table.held == move.source else (source, target)

    def animation(self, table: Table, move: Move) -> tuple[Frame, ...]:
        """Return nothing: boards come to rest at once."""
        return ()


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom, in authoring units, of all anchors and of the boards as authored."""
    xs, ys = [anchor.x for anchor in layout.anchors], [anchor.y for anchor in layout.anchors]
    left, right, top, bottom = min(xs) - _MARGIN, max(xs) + _MARGIN, min(ys) - _MARGIN, max(ys) + _MARGIN
    for board in layout.boards:
        angle = math.radians(board.angle_deg)
        across = board.core * abs(math.cos(angle)) + board.rim
        down = board.core * abs(math.sin(angle)) + board.rim
        left, right = min(left, board.x - across), max(right, board.x + across)
        top, bottom = min(top, board.y - down), max(bottom, board.y + down)
    return left, top, right, bottom


def _flat(mask: np.ndarray[Any, np.dtype[np.bool_]]) -> Cells:
    rows, columns = np.nonzero(mask)
    return rows * SIDE + columns


def _readout(pose: Pose) -> list[int]:
    steps = MICRO / _STEPS_PER_UNIT
    numbers = (round(pose.x / steps), round(pose.y / steps), round(pose.angle * 16**_DIGITS / FULL_TURN))
    return [number >> 4 * place & 15 for number in numbers for place in reversed(range(_DIGITS))]


@dataclass(frozen=True)
class BoltPort:
    """Makes boards."""

    actions: tuple[int, ...] = (6,)

    def board(self, layout: Any) -> BoltBoard:
        """Return the board of a level."""
        return BoltBoard(layout)


PORT = BoltPort()
