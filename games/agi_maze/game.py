"""The maze as the suite sees it. Its levels are a pack of their own: the published catalogue does not hold it."""

from __future__ import annotations

from pathlib import Path

from games.agi_maze import layout, rules, sight, stage
from games.assembled import AssembledGame, Parts
from games.contract import Game

PACK = Path(__file__).parent / "pack"
"""The level pack: `python -m diag play levels=games/agi_maze/pack`."""


class AgiMaze(AssembledGame):
    """Find the key, open the treasure, leave by the exit, on a map that is hidden outside the tutorial."""

    name = "agi_maze"
    difficulties: tuple[str, ...] = ("tutorial", "training", "classic", "extended")
    folder = Path(__file__).parent
    parts = Parts(layout.parse_layout, rules.potential, rules, stage, sight)


GAME: Game = AgiMaze()
