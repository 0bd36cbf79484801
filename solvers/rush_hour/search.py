"""Layered breadth-first search over packed Rush Hour boards.

Moves can be taken back, so a successor of layer k lies in layer k - 1, k or k + 1: two layers are enough to tell what
is new, and finished layers shrink to 8 bytes a board (coordinates only), kept to walk the shortest path back.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from games.grid import LONGEST_SIDE
from games.rush_hour.layout import Layout, Slide
from games.rush_hour.rules import State, is_won, legal_moves
from solvers.certificate import Certificate, DeadEnd, Solvable, Solved, Undecided
from solvers.rush_hour.packed import PackedBoard, packed_board

ANY_LENGTH = LONGEST_SIDE
ONE_CELL = 1

Coordinates = Sequence[int]
"""The coordinates of the boards of one layer, packed, a few bits a vehicle."""


@dataclass(frozen=True)
class Found:
    """A shortest path, as packed boards from the start to the first won one, and what it cost."""

    path: tuple[int, ...]
    states_closed: int


@dataclass(frozen=True)
class Exhausted:
    """Every reachable board was closed and none wins."""

    states_closed: int


def shortest(board: PackedBoard, start: int, state_limit: int) -> Found | Exhausted | Undecided:
    """Return a shortest path from a board that is not won."""
    finished: list[Coordinates] = []
    before: set[int] = set()
    layer = {start}
    closed = 0
    while layer:
        if last := min((current for current in layer if board.winning_move(current)), default=0):
            return Found((*_walk_back(board, last, finished), last, last + board.winning_move(last)), closed)
        closed += len(layer)
        if closed > state_limit:
            return Undecided(state_limit)
        finished.append(_coordinates(board, layer))
        before, layer = layer, next_layer(board, layer, before)
    return Exhausted(closed)


def next_layer(board: PackedBoard, layer: set[int], before: set[int]) -> set[int]:
    """Return the boards one move beyond `layer` that are neither in it nor in the layer before it."""
    after: set[int] = set()
    add = after.add
    for line in board.lines:
        mask = line.mask
        for current in layer:
            for delta in line[current & mask]:
                add(current + delta)
    after -= before
    after -= layer
    return after


def distances(layout: Layout, at: Sequence[int], state_limit: int) -> list[set[int]] | Undecided:
    """Return all reachable unfinished boards by exact distance: item k holds the packed boards k + 1 slides from a win.

    The list is empty if no win is reachable. This is for generators, which look for the farthest board.
    """
    board = packed_board(layout, ANY_LENGTH)
    layer, before = {board.pack(at)}, set[int]()
    reached = set(layer)
    while layer:
        before, layer = layer, next_layer(board, layer, before)
        reached |= layer
        if len(reached) > state_limit:
            return Undecided(state_limit)
    layers = [{current for current in reached if board.winning_move(current)}]
    before = set()
    while layers[-1]:
        layers.append(next_layer(board, layers[-1], before))
        before = layers[-2]
    return layers[:-1]


def step_distance(state: State, *, state_limit: int) -> int | Undecided | None:
    """Return the exact least number of cells to move in all to a win, None if there is none."""
    if is_won(state):
        return 0
    board = packed_board(state.layout, ONE_CELL)
    result = shortest(board, board.pack(state.at), state_limit)
    if isinstance(result, Found):
        return len(result.path) - 1
    return None if isinstance(result, Exhausted) else result


class RushHourSolver:
    """The solver as `solvers.certificate.Solver` describes it; every solution is a shortest one."""

    game = "rush_hour"
    version: ClassVar[str] = "1"

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state. `optimal` changes nothing: the first win found is at the least number of slides."""
        if is_won(state):
            return Solved()
        board = packed_board(state.layout, ANY_LENGTH)
        result = shortest(board, board.pack(state.at), state_limit)
        if isinstance(result, Exhausted):
            return DeadEnd("exhausted_search" if legal_moves(state) else "no_available_hole", result.states_closed)
        if isinstance(result, Undecided):
            return result
        slides = _slides(board, result.path)
        return Solvable(slides, exact=True, lower_bound=len(slides))

    def distance(self, state: State, *, state_limit: int) -> int | Undecided | None:
        """Return the exact least number of slides to a win, None if there is none."""
        certificate = self.certify(state, state_limit=state_limit)
        if isinstance(certificate, Solved):
            return 0
        if isinstance(certificate, Solvable):
            return certificate.distance
        return certificate if isinstance(certificate, Undecided) else None


def _slides(board: PackedBoard, path: tuple[int, ...]) -> tuple[Slide, ...]:
    return tuple(board.slide_between(a, b) for a, b in pairwise(path))


def _walk_back(board: PackedBoard, last: int, finished: list[Coordinates]) -> list[int]:
    """Return the boards of a shortest path before `last`: in each finished layer, one that a move away leads from."""
    path: list[int] = []
    current = last
    for layer in reversed(finished):
        near = {successor >> board.occupancy_bits: successor for successor in board.successors(current)}
        current = near[min(coordinates for coordinates in layer if coordinates in near)]
        path.append(current)
    return path[::-1]


def _coordinates(board: PackedBoard, layer: set[int]) -> Coordinates:
    numbers = [current >> board.occupancy_bits for current in layer]
    return array("Q", numbers) if board.coordinate_bits * len(board.layout.vehicles) <= 64 else numbers


SOLVER = RushHourSolver()
