"""Draws Bolt Unscrew layouts from motifs, and says what is untidy about a layout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

import numpy as np

from games.bolt_unscrew.contact import core_distance
from games.bolt_unscrew.layout import PLAY_ZONE, Anchor, Board, Layout, Point
from games.bolt_unscrew.mechanics import HEAD, HOLE, PEG, Pose, automata
from solvers.generators.bolt_motif import Beam, Joint, Motif, Part

HOLE_MARGIN = 3.0
"""Least wood between a drilled hole and the edge of its board."""
CLEARANCE = 2.0
"""Least room between a free hole's circle, or a screw's head, and wood it has nothing to do with."""
ANCHOR_SPACING = 50.0
_COLOUR = {"level": "oak", "upright": "walnut", "rising": "cherry", "falling": "teak", "disc": "maple"}
_Item = TypeVar("_Item")


def draw_layout(motif: Motif, rng: np.random.Generator) -> Layout:
    """Return one layout of a motif, tidy or not. Draws the optional parts first, then the groups of free holes."""
    parts = (*motif.fixed, *_chosen(motif.optional, motif.n_optional, rng))
    holes = {hole for group in _chosen(motif.holes, motif.n_holes, rng) for hole in group}
    joints = {joint for part in parts for joint in _joints(part)}
    boards = sorted((board for part in parts for board in _boards(part, joints)), key=_depth)
    anchors = [Anchor(x, y, True) for x, y in sorted(joints, key=_reading_order)]
    anchors += [Anchor(x, y, False) for x, y in sorted(holes - joints, key=_reading_order)]
    return Layout(tuple(anchors), tuple(replace(board, layer=layer) for layer, board in enumerate(boards)))


def untidy(layout: Layout) -> Iterator[str]:
    """Yield what is wrong with the look of the authored board; nothing if it may be released."""
    for one, other in combinations(layout.anchors, 2):
        if math.dist((one.x, one.y), (other.x, other.y)) < ANCHOR_SPACING:
            yield f"anchors at {one.x:g}, {one.y:g} and {other.x:g}, {other.y:g} are too near"
    for index, (board, automaton) in enumerate(zip(layout.boards, automata(layout), strict=True)):
        pose = automaton.poses[automaton.authored]
        if not _inside_play_zone(board, pose):
            yield f"boards[{index}] leaves the play zone"
        if any(core_distance(board.core, *hole) > board.rim - HOLE - HOLE_MARGIN for hole in board.holes):
            yield f"boards[{index}] has a hole at its edge"
        for anchor in layout.anchors:
            if not _is_clear(board, pose.to_board((anchor.x, anchor.y)), HEAD if anchor.screw else PEG):
                yield f"boards[{index}] half covers the anchor at {anchor.x:g}, {anchor.y:g}"
    for upper, lower in combinations(layout.boards, 2):
        if _coincide(upper, lower):
            yield f"the board at {lower.x:g}, {lower.y:g} has the outline of another"


def _chosen(options: Sequence[_Item], bounds: tuple[int, int], rng: np.random.Generator) -> list[_Item]:
    count = int(rng.integers(bounds[0], bounds[1] + 1))
    return [options[index] for index in sorted(rng.permutation(len(options))[:count])]


def _joints(part: Part) -> Iterator[Joint]:
    for beam in part.beams:
        yield from beam
    for joint, _ in part.discs:
        yield joint


def _reading_order(joint: Joint) -> tuple[int, int]:
    return joint[1], joint[0]


def _boards(part: Part, joints: set[Joint]) -> Iterator[Board]:
    for beam in part.beams:
        yield _drilled(_strip(beam, part.overhang, part.width), joints)
    for (x, y), radius in part.discs:
        yield _drilled(Board("disc", x, y, 0, 2 * radius, 2 * radius, (), 0, _COLOUR["disc"]), joints)


def _strip(beam: Beam, overhang: int, width: int) -> Board:
    """Return the strip through a beam's joints, u from left to right (or from top to bottom)."""
    first, last = min(beam), max(beam)
    x, y = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
    angle = round(math.degrees(math.atan2(last[1] - first[1], last[0] - first[0])), 6)
    length = round(math.dist(first, last), 1) + 2 * overhang
    return Board("strip", x, y, angle, length, width, (), 0, _COLOUR[_direction(angle)])


def _direction(angle_deg: float) -> str:
    if angle_deg == 0:
        return "level"
    if abs(angle_deg) == 90:
        return "upright"
    return "falling" if angle_deg > 0 else "rising"


def _drilled(board: Board, joints: set[Joint]) -> Board:
    """Return the board with a hole for every joint that its wood covers far enough from the edge."""
    pose = _authored_pose(board)
    places = [pose.to_board(joint) for joint in sorted(joints)]
    deep = [place for place in places if core_distance(board.core, *place) <= board.rim - HOLE - HOLE_MARGIN]
    return replace(board, holes=tuple((round(u, 4) + 0.0, round(v, 4) + 0.0) for u, v in deep))


def _authored_pose(board: Board) -> Pose:
    return Pose(round(board.x * 1e6), round(board.y * 1e6), round(math.radians(board.angle_deg) * 1e9))


def _depth(board: Board) -> tuple[bool, float, float, float]:
    """Discs behind strips, long strips behind short ones, so that every board shows."""
    return board.shape == "strip", -board.length, board.y, board.x


def _inside_play_zone(board: Board, pose: Pose) -> bool:
    left, top, right, bottom = PLAY_ZONE
    ends = (pose.to_world((-board.core, 0)), pose.to_world((board.core, 0)))
    return all(
        left <= x - board.rim and x + board.rim <= right and top <= y - board.rim and y + board.rim <= bottom
        for x, y in ends
    )


def _is_clear(board: Board, place: Point, radius: float) -> bool:
    """Tell whether an anchor lies clear of a board, in a drilled hole of it, or (if empty) wholly under its wood."""
    gap = core_distance(board.core, *place) - board.rim
    nearest = min(math.dist(place, hole) for hole in board.holes)
    if gap >= radius + CLEARANCE or nearest < 0.1:
        return True
    return radius == PEG and gap <= -PEG - CLEARANCE and nearest >= HOLE + PEG + CLEARANCE


def _coincide(one: Board, other: Board) -> bool:
    """Tell whether two boards have nearly the same outline, so that one hides the other."""
    same_place = math.dist((one.x, one.y), (other.x, other.y)) < 8
    same_turn = one.shape == other.shape and abs(one.angle_deg - other.angle_deg) < 3
    return same_place and same_turn and abs(one.length - other.length) < 24
