"""Maze Paint as the suite sees it."""

from __future__ import annotations

from pathlib import Path

from games.assembled import AssembledGame, Parts
from games.contract import Game
from games.maze_paint import layout, rules, sight, stage


class MazePaint(AssembledGame):
    """Swipe the ball from wall to wall until every cell is painted."""

    name = "maze_paint"
    difficulties: tuple[str, ...] = ("easy", "medium", "hard")
    folder = Path(__file__).parent
    parts = Parts(layout.parse_layout, rules.potential, rules, stage, sight)


GAME: Game = MazePaint()
