"""Imagines what a visible move would leave: the scene, and nothing but the scene, played one move forward.

For Bolt Unscrew the visible screws, holes and boards are put together as a board of their own and moved by the game's
mechanics, as somebody does who looks hard. What lies hidden stays unknown and makes it err. The parametric player uses
it for its weakness in cramped positions (`Propensities.overreach`), which the published capacity table describes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from games.bolt_unscrew import rules
from games.bolt_unscrew.layout import Anchor, Board, Layout
from games.bolt_unscrew.place import units
from games.contract import JsonObject, Option

Foresight = Callable[[Option], int]
"""Option -> visible destinations that it would leave."""

_SLACK_PX = 0.04
"""Boards are imagined this much narrower: coordinates of a scene are rounded, and a resting board touches its peg."""


def foresight(game: str, scene: JsonObject) -> Foresight | None:
    """Return how to imagine the moves of a scene; None for a game that the player cannot imagine."""
    make = _IMAGINE.get(game)
    return None if make is None else make(scene)


def n_destinations(options: tuple[Option, ...]) -> int:
    """Return how many different places the visible moves end at."""
    return len({option.gestures[-1] for option in options})


def _bolt_unscrew(scene: JsonObject) -> Foresight:
    whole = [hole for hole in scene["holes"] if hole["whole"]]
    spots = list({spot["id"]: spot for spot in (*scene["screws"], *whole)}.values())
    place = {spot["id"]: index for index, spot in enumerate(spots)}
    n_screws = len(scene["screws"])
    anchors = (Anchor(*units(spot["x"], spot["y"]), index < n_screws) for index, spot in enumerate(spots))
    boards = (_board(board, layer, scene) for layer, board in enumerate(scene["boards"]))
    state = rules.initial_state(Layout(tuple(anchors), tuple(board for board in boards if board.holes)))
    free = rules.free_anchors(state)

    def left(option: Option) -> int:
        source, target = (place[name] for name in option.move)
        if target not in free:
            return len(spots)
        after = rules.step(state, rules.Move(source, target))
        return len(spots) if rules.is_won(after) else len(rules.free_anchors(after))

    return left


def _board(board: Mapping[str, Any], layer: int, scene: JsonObject) -> Any:
    """Return a visible board as the mechanics know it."""
    unit = float(scene["unit"])
    size = {name: (board[name] - _SLACK_PX) / unit for name in ("length", "width")}
    holes = tuple((round(u / unit, 4), round(v / unit, 4)) for u, v in _holes(board, scene["screws"], 6 * unit))
    x, y = units(board["x"], board["y"])
    angle_deg = math.degrees(board["angle"])
    return Board(board["shape"], x, y, angle_deg, **size, holes=holes, layer=layer, colour=board["colour"])


def _holes(board: Mapping[str, Any], screws: list[Mapping[str, Any]], align_px: float) -> list[tuple[float, float]]:
    """Return a board's holes in its own frame, in pixels: those seen, and those that a screw's head must hide."""
    cosine, sine = math.cos(board["angle"]), math.sin(board["angle"])
    core = (board["length"] - board["width"]) / 2
    holes: list[tuple[float, float]] = [(u, v) for u, v in board["holes"]]
    for screw in screws:
        x, y = screw["x"] - board["x"], screw["y"] - board["y"]
        u, v = cosine * x + sine * y, cosine * y - sine * x
        inside = math.hypot(max(abs(u) - core, 0.0), v) <= board["width"] / 2
        if inside and not any(math.hypot(u - hole[0], v - hole[1]) < align_px for hole in holes):
            holes.append((u, v))
    return holes


_IMAGINE: Mapping[str, Callable[[JsonObject], Foresight]] = {"bolt_unscrew": _bolt_unscrew}
