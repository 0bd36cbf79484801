"""Bolt Unscrew mechanics, quasi-static and exact: how each board rests, given the anchors that hold a screw.

A screw pins every board that has a hole within `ALIGN` of the screw's anchor. Pinned twice a board is fixed. Pinned
once it turns about the anchor (not the hole's centre) until its centre hangs straight below, or until it first touches
another screw's peg; it turns on when that peg leaves. A board whose centre is within `BALANCE` of the pivot stays as it
is. A board whose centre stands exactly above the pivot (within `LEVEL` radians) falls clockwise, to the right. Without
a pin it drops off the plate. Boards do not collide with each other; drilled holes do not let a peg pass.

Boards never interact, so each is a small automaton over its poses, compiled on demand. A pose is kept as integers
(micro-units, nanoradians) and every pose is computed from integers alone. A pivot in the board's own frame is rounded
to `OFFSET_GRID`, which all hole offsets are multiples of; the pose reached then depends only on that pivot and on the
peg (or on hanging), not on the pose left: a place reached on two ways is the same integers, in every process.
"""

from __future__ import annotations

import math
from functools import lru_cache
from threading import RLock
from typing import NamedTuple

from games.bolt_unscrew.contact import core_distance, entering_angles, runs_into_wood
from games.bolt_unscrew.layout import OFFSET_GRID, Anchor, Board, Layout, Point

PEG = 14.0
"""Radius of a screw's peg, and of the circle of an anchor that must be free of wood to receive one."""
ALIGN = 6.0
"""Largest distance between an anchor and a hole through which its screw pins. The hole in the wood is drawn `HOLE`."""
HOLE = PEG + ALIGN
HEAD = 22.0
"""Radius of a screw's head (drawing and hit-testing only)."""
BALANCE = 0.5
"""Distance of the centre from the pivot below which a board is balanced."""
TOUCH = 1e-3
"""A peg this near to the wood touches it; wood this little over an anchor's circle does not cover it."""
LEVEL = 1e-6
"""Radians within which a board hangs, or stands exactly upright."""
MICRO, NANO = 1e6, 1e9
FULL_TURN = round(math.tau * NANO)
"""Nanoradians."""
_SEAM = -3.3
"""Angles are kept in [-3.3, -3.3 + 2 pi): the seam lies where no authored or hanging board rests."""


class Pose(NamedTuple):
    """Where a board is: its centre in micro-units and its angle in nanoradians, as integers."""

    x: int
    y: int
    angle: int

    @property
    def centre(self) -> Point:
        """The centre in authoring units."""
        return self.x / MICRO, self.y / MICRO

    @property
    def angle_rad(self) -> float:
        """Direction of the u axis, radians, clockwise on screen."""
        return self.angle / NANO

    def to_world(self, offset: Point) -> Point:
        """Return the place on the plate of a point of the board's own frame."""
        cosine, sine = math.cos(self.angle_rad), math.sin(self.angle_rad)
        return (
            self.x / MICRO + cosine * offset[0] - sine * offset[1],
            self.y / MICRO + sine * offset[0] + cosine * offset[1],
        )

    def to_board(self, place: Point) -> Point:
        """Return the point of the board's own frame that lies at a place of the plate."""
        cosine, sine = math.cos(self.angle_rad), math.sin(self.angle_rad)
        x, y = place[0] - self.x / MICRO, place[1] - self.y / MICRO
        return cosine * x + sine * y, cosine * y - sine * x


class Swing(NamedTuple):
    """What a board does when one screw pins it: pegs in the order it would meet them, then where it hangs."""

    turn: int
    """+1 clockwise on screen, -1 counterclockwise, 0 if it stays."""
    stops: tuple[tuple[int, int], ...]
    """(bit of the peg's anchor, pose id reached), nearest first; a peg that blocks at once keeps the pose."""
    end: int
    """Pose id it comes to if no peg stops it."""


OUT = -1
"""Pose id of a board that has left the plate."""


class BoardAutomaton:
    """The poses of one board, numbered in the order they are met. The numbers mean nothing outside this object."""

    def __init__(self, board: Board, anchors: tuple[Anchor, ...]) -> None:
        self.n_anchors = len(anchors)
        self._board = board
        self._places: tuple[Point, ...] = tuple((anchor.x, anchor.y) for anchor in anchors)
        self.poses: list[Pose] = []
        self.aligned: list[int] = []
        """Per pose: mask of the anchors at which a screw pins the board."""
        self.covered: list[int] = []
        """Per pose: mask of the anchors that solid wood covers."""
        self.holding: list[int] = []
        """Per pose: mask of the anchors whose screw may hold a board that rests so: pins and pegs in touch."""
        self._compiling = RLock()
        """Held while something new is compiled: a server's thread and an evaluator's may play one layout at once."""
        self._ids: dict[Pose, int] = {}
        self._swings: dict[tuple[int, int], Swing] = {}
        self.authored = self.id_of(_rounded(board.x, board.y, math.radians(board.angle_deg)))

    def id_of(self, pose: Pose) -> int:
        """Return the number of a pose, numbering it if it is new."""
        number = self._ids.get(pose)
        return self._number(pose) if number is None else number

    def rest(self, number: int, occupied: int) -> int:
        """Return where a board in a pose comes to rest, given the mask of anchors with a screw; `OUT` if it drops."""
        pins = self.aligned[number] & occupied
        if not pins:
            return OUT
        if pins & (pins - 1):
            return number
        swing = self.swing(number, pins.bit_length() - 1)
        for peg, reached in swing.stops:
            if peg & occupied:
                return reached
        return swing.end

    def swing(self, number: int, pivot: int) -> Swing:
        """Return what the board does in a pose when only the screw at anchor `pivot` pins it."""
        key = (number, pivot)
        found = self._swings.get(key)
        if found is None:
            with self._compiling:
                found = self._swings[key] = self._swing(number, pivot)
        return found

    def close(self) -> dict[tuple[int, int], Swing]:
        """Compile every pose that any order of moves could lead to; return the swing of each (pose id, pivot)."""
        number = 0
        while number < len(self.poses):
            for pivot in range(self.n_anchors):
                if self.aligned[number] >> pivot & 1:
                    self.swing(number, pivot)
            number += 1
        return dict(self._swings)

    def _number(self, pose: Pose) -> int:
        with self._compiling:
            if pose not in self._ids:
                aligned, covered, touching = self._masks(pose)
                self.aligned.append(aligned)
                self.covered.append(covered)
                self.holding.append(aligned | touching)
                self.poses.append(pose)
                self._ids[pose] = len(self.poses) - 1
            return self._ids[pose]

    def _masks(self, pose: Pose) -> tuple[int, int, int]:
        aligned = covered = touching = 0
        rim, core = self._board.rim, self._board.core
        for index, place in enumerate(self._places):
            u, v = pose.to_board(place)
            gap = core_distance(core, u, v) - rim
            if any(math.hypot(u - hole[0], v - hole[1]) <= ALIGN for hole in self._board.holes):
                aligned |= 1 << index
            elif gap < PEG - TOUCH:
                covered |= 1 << index
            elif gap <= PEG + TOUCH:
                touching |= 1 << index
        return aligned, covered, touching

    def _swing(self, number: int, pivot: int) -> Swing:
        pose = self.poses[number]
        u, v = pose.to_board(self._places[pivot])
        pivot_uv = round(u / OFFSET_GRID) * OFFSET_GRID, round(v / OFFSET_GRID) * OFFSET_GRID
        if math.hypot(*pivot_uv) < BALANCE:
            return Swing(0, (), number)
        hanging = math.pi / 2 - math.atan2(-pivot_uv[1], -pivot_uv[0])
        travel = _wrapped(hanging - pose.angle_rad, -math.pi)
        if abs(travel) <= LEVEL:
            return Swing(0, (), number)
        turn = 1 if travel > 0 or travel < LEVEL - math.pi else -1
        end = self._turned(pivot, pivot_uv, hanging)
        limit = (end.angle - pose.angle) * turn % FULL_TURN
        stops = self._stops(pose, pivot, pivot_uv, turn, limit)
        reached = tuple((1 << peg, number if at is None else self.id_of(at)) for _, peg, at in stops)
        return Swing(turn, reached, self.id_of(end))

    def _stops(
        self, pose: Pose, pivot: int, pivot_uv: Point, turn: int, limit: int
    ) -> list[tuple[int, int, Pose | None]]:
        """Return (nanoradians travelled, peg, pose reached or None for the present one), nearest first."""
        stops: list[tuple[int, int, Pose | None]] = []
        for peg in range(len(self._places)):
            if peg == pivot:
                continue
            if self._blocks_at_once(pose, pivot_uv, peg, turn):
                stops.append((0, peg, None))
                continue
            meetings = (
                ((reached.angle - pose.angle) * turn % FULL_TURN, peg, reached)
                for reached in self._meetings(pivot, pivot_uv, peg, turn)
            )
            first = min(meetings, default=None)
            if first is not None and first[0] <= limit:
                stops.append(first)
        return sorted(stops, key=lambda stop: stop[:2])

    def _blocks_at_once(self, pose: Pose, pivot_uv: Point, peg: int, turn: int) -> bool:
        at = pose.to_board(self._places[peg])
        gap = core_distance(self._board.core, *at) - self._board.rim
        return abs(gap - PEG) <= TOUCH and runs_into_wood(self._board.core, pivot_uv, at, turn)

    def _meetings(self, pivot: int, pivot_uv: Point, peg: int, turn: int) -> list[Pose]:
        """Return the poses in which the board, turning about the pivot, comes to touch the peg; no start matters."""
        away_x = self._places[peg][0] - self._places[pivot][0]
        away_y = self._places[peg][1] - self._places[pivot][1]
        direction, rho = math.atan2(away_y, away_x), math.hypot(away_x, away_y)
        reach = self._board.rim + PEG
        angles = entering_angles(self._board.core, reach, pivot_uv, rho, turn)
        return [self._turned(pivot, pivot_uv, direction - beta) for beta in angles]

    def _turned(self, pivot: int, pivot_uv: Point, angle: float) -> Pose:
        angle = _wrapped(angle, _SEAM)
        cosine, sine = math.cos(angle), math.sin(angle)
        x = self._places[pivot][0] - (cosine * pivot_uv[0] - sine * pivot_uv[1])
        y = self._places[pivot][1] - (sine * pivot_uv[0] + cosine * pivot_uv[1])
        return _rounded(x, y, angle)


@lru_cache(maxsize=256)
def automata(layout: Layout) -> tuple[BoardAutomaton, ...]:
    """Return the boards' automata, shared by everything that plays this layout in this process."""
    return tuple(BoardAutomaton(board, layout.anchors) for board in layout.boards)


def _wrapped(angle: float, seam: float) -> float:
    return (angle - seam) % math.tau + seam


def _rounded(x: float, y: float, angle: float) -> Pose:
    return Pose(round(x * MICRO), round(y * MICRO), round(_wrapped(angle, _SEAM) * NANO))
