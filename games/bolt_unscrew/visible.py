"""What of a Bolt Unscrew board can be seen: what lies wholly under wood or under a screw's head is not in the scene.

Places are in authoring units. A thing is seen if any of its sample points is; a sliver between two samples counts as
hidden, which errs on the side of showing less.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from games.bolt_unscrew.layout import Board, Point
from games.bolt_unscrew.mechanics import HEAD, HOLE, PEG, Pose
from games.bolt_unscrew.rules import State

_RINGS = (0.0, 0.5, 0.8, 0.97)
_SPOKES = 12
_STEP = 12.0
"""Distance of the sample points along a board, in units."""


@dataclass(frozen=True)
class Piece:
    """A board that is still on the plate."""

    index: int
    board: Board
    pose: Pose

    @cached_property
    def reach(self) -> float:
        """Radius about its centre, in units, outside which there is nothing of the board or its drilled holes."""
        drilled = [math.hypot(*hole) + HOLE for hole in self.board.holes]
        return max([self.board.core + self.board.rim, *drilled])

    @cached_property
    def frame(self) -> tuple[Point, float, float]:
        """Centre, and cosine and sine of the board's angle."""
        return self.pose.centre, math.cos(self.pose.angle_rad), math.sin(self.pose.angle_rad)

    def is_solid_at(self, place: Point) -> bool:
        """Tell whether a place of the plate is under this board's wood; its drilled holes are not wood."""
        (x, y), cosine, sine = self.frame
        dx, dy = place[0] - x, place[1] - y
        u, v = cosine * dx + sine * dy, cosine * dy - sine * dx
        if math.hypot(max(abs(u) - self.board.core, 0.0), v) > self.board.rim:
            return False
        return not any(math.hypot(u - hole[0], v - hole[1]) < HOLE for hole in self.board.holes)


@dataclass(frozen=True)
class Cover:
    """What may hide a thing: the boards in front of it, and the heads of the screws."""

    pieces: Sequence[Piece]
    heads: Sequence[Point]

    def near(self, centre: Point, radius: float) -> Cover:
        """Return the part of the cover that can touch a disc; the rest need not be asked about any place in it."""
        x, y = centre
        return Cover(
            [one for one in self.pieces if math.dist(one.pose.centre, centre) < radius + one.reach],
            [head for head in self.heads if math.hypot(head[0] - x, head[1] - y) < radius + HEAD],
        )

    def leaves_any(self, samples: Iterator[Point]) -> bool:
        """Tell whether at least one of the places is not hidden."""
        return any(
            not any(math.hypot(place[0] - x, place[1] - y) < HEAD for x, y in self.heads)
            and not any(piece.is_solid_at(place) for piece in self.pieces)
            for place in samples
        )

    def leaves_any_of_disc(self, centre: Point, radius: float) -> bool:
        """Tell whether a sampled disc is not wholly hidden."""
        return self.near(centre, radius).leaves_any(_disc_samples(centre, radius))


@dataclass(frozen=True)
class Visible:
    """The things of a board that can be seen."""

    pieces: tuple[tuple[Piece, tuple[Point, ...]], ...]
    """From the back to the front, each with the drilled holes (own frame) that can be seen."""
    anchors: tuple[int, ...]
    """Holes of the plate without a screw, or with a lifted one, of which at least a part can be seen."""


def pieces_of(state: State) -> tuple[Piece, ...]:
    """Return the boards on the plate from the back to the front."""
    layout = state.layout
    placed = ((index, state.poses[index]) for index in layout.drawing_order)
    return tuple(Piece(index, layout.boards[index], pose) for index, pose in placed if pose is not None)


@lru_cache(maxsize=64)
def visible(state: State, lifted: int | None) -> Visible:
    """Return what can be seen of a state while the screw at anchor `lifted` is in the hand."""
    anchors, pieces = state.layout.anchors, pieces_of(state)
    heads = [(anchors[index].x, anchors[index].y) for index in state.screws if index != lifted]
    shown = []
    for depth, piece in enumerate(pieces):
        near = Cover(pieces[depth + 1 :], heads).near(piece.pose.centre, piece.reach)
        if near.leaves_any(_board_samples(piece)):
            shown.append((piece, tuple(_seen_holes(piece, near))))
    empty = [index for index in range(len(anchors)) if index == lifted or not state.occupied >> index & 1]
    cover = Cover(pieces, heads)
    seen = [i for i in empty if cover.leaves_any_of_disc((anchors[i].x, anchors[i].y), PEG)]
    return Visible(tuple(shown), tuple(seen))


def wood_at(state: State, place: Point) -> bool:
    """Tell whether wood is the topmost thing at a place, heads left aside."""
    return any(piece.is_solid_at(place) for piece in pieces_of(state))


def _seen_holes(piece: Piece, cover: Cover) -> Iterator[Point]:
    for hole in piece.board.holes:
        if cover.leaves_any_of_disc(piece.pose.to_world(hole), HOLE):
            yield hole


def _disc_samples(centre: Point, radius: float) -> Iterator[Point]:
    for ring in _RINGS:
        for spoke in range(_SPOKES if ring else 1):
            angle = math.tau * spoke / _SPOKES
            yield centre[0] + ring * radius * math.cos(angle), centre[1] + ring * radius * math.sin(angle)


def _board_samples(piece: Piece) -> Iterator[Point]:
    board = piece.board
    columns = max(2, math.ceil(board.length / _STEP))
    for column in sorted(range(columns + 1), key=lambda column: column % 3):  # coarse first: most boards show soon
        u = (column / columns - 0.5) * (board.length - 2)
        for share in (-0.96, -0.5, 0.0, 0.5, 0.96):
            place = piece.pose.to_world((u, share * board.rim))
            if piece.is_solid_at(place):
                yield place
