"""Bolt Unscrew on the stage: a table becomes a scene, a tap becomes a lifted screw, a move, or visible feedback.

The scene, in viewport pixels: `{"unit": pixels per authoring unit, "boards": [{"id", "shape", "x", "y", "angle",
"length", "width", "colour", "holes": [[u, v], ...]}] from the back to the front, "holes": [{"id", "x", "y", "whole"}],
"screws": [{"id", "x", "y", "lifted"}]}`. `whole` says that the hole's full circle can be seen, which is what makes it a
place for a screw. Boards and holes that lie wholly under something are not in it.
"""

from __future__ import annotations

import math
from functools import lru_cache

from games.bolt_unscrew.animation import lift_motion, move_motion, refuse_motion
from games.bolt_unscrew.layout import Point
from games.bolt_unscrew.mechanics import HEAD, PEG
from games.bolt_unscrew.place import UNIT_PX, board_json, pixels, units
from games.bolt_unscrew.rules import Move, State, free_anchors
from games.bolt_unscrew.visible import visible, wood_at
from games.contract import Drag, Gesture, JsonObject, KeyPress, Note, Reaction, Table, Tap

HOLE_REACH = PEG + 6.0
"""How far from the centre of a free hole a tap still means it, in units."""


def scene(table: Table) -> JsonObject:
    """Return what a player sees of the board."""
    return _scene(table.state, table.held)


@lru_cache(maxsize=256)
def _scene(state: State, held: int | None) -> JsonObject:
    seen = visible(state, held)
    free = set(free_anchors(state))
    holes = [{"id": index, **_spot(state, index), "whole": index in free or index == held} for index in seen.anchors]
    screws = [{"id": index, **_spot(state, index), "lifted": index == held} for index in state.screws]
    boards = [board_json(piece.index, piece.board, piece.pose, shown) for piece, shown in seen.pieces]
    return {"unit": UNIT_PX, "boards": boards, "holes": holes, "screws": screws}


def react(table: Table, gesture: Gesture) -> Reaction:
    """Turn a gesture into a move or visible feedback; only taps and Escape mean something here."""
    match gesture:
        case Tap(x, y):
            return _tap(table, units(x, y))
        case KeyPress("Escape") if table.held is not None:
            return Reaction(motion=lift_motion(table.state, None, table.held), note=Note("put_down"))
        case Drag(finished=True):
            return Reaction(held=table.held, note=Note("click_only", tone="mistake"))
        case _:
            return Reaction(held=table.held)


def gestures(table: Table, move: Move) -> tuple[Gesture, ...]:
    """Return the taps that perform a legal move; a lifted screw needs no second tap, another one is exchanged."""
    source, target = (Tap(*_pixel(table.state, index)) for index in move)
    return (target,) if table.held == move.source else (source, target)


def _tap(table: Table, place: Point) -> Reaction:
    state: State = table.state
    held: int | None = table.held
    screw = _nearest(state, place, state.screws, HEAD)
    hole = _nearest(state, place, tuple(free_anchors(state)), HOLE_REACH)
    if screw is not None and (hole is None or _distance(state, place, screw) <= _distance(state, place, hole)):
        return _tap_screw(state, held, screw)
    if hole is not None:
        return _tap_hole(state, held, hole)
    if wood_at(state, place):
        return _nothing_there(state, held, "wood")
    partly = _nearest(state, place, visible(state, held).anchors, PEG)
    if partly is not None and partly != held:
        return Reaction(held=held, note=Note("hole_covered", tone="mistake"), motion=refuse_motion(held))
    return _nothing_there(state, held, "plate")


def _tap_screw(state: State, held: int | None, screw: int) -> Reaction:
    if screw == held:
        return Reaction(note=Note("put_down"), motion=lift_motion(state, None, screw))
    return Reaction(held=screw, note=Note("lifted"), motion=lift_motion(state, screw, held))


def _tap_hole(state: State, held: int | None, hole: int) -> Reaction:
    if held is None:
        return Reaction(note=Note("lift_first", tone="mistake"))
    move = Move(held, hole)
    return Reaction(move=move, motion=move_motion(state, move))


def _nothing_there(state: State, held: int | None, where: str) -> Reaction:
    """Wood over a hidden hole answers exactly as wood over plain plate does."""
    if held is None:
        return Reaction(note=Note(f"nothing_on_{where}", tone="mistake"))
    return Reaction(note=Note(f"back_from_{where}", tone="mistake"), motion=lift_motion(state, None, held))


def _nearest(state: State, place: Point, anchors: tuple[int, ...], reach: float) -> int | None:
    near = [index for index in anchors if _distance(state, place, index) <= reach]
    return min(near, key=lambda index: (_distance(state, place, index), index), default=None)


def _distance(state: State, place: Point, anchor: int) -> float:
    spot = state.layout.anchors[anchor]
    return math.hypot(place[0] - spot.x, place[1] - spot.y)


def _pixel(state: State, anchor: int) -> Point:
    spot = state.layout.anchors[anchor]
    return pixels((spot.x, spot.y))


def _spot(state: State, anchor: int) -> JsonObject:
    x, y = _pixel(state, anchor)
    return {"x": x, "y": y}
