"""Clue House as the suite sees it. Its levels are a pack of their own: the published catalogue does not hold it."""

from __future__ import annotations

from pathlib import Path

from games.assembled import AssembledGame, Parts
from games.clue_house import layout, rules, sight, stage
from games.contract import Game

PACK = Path(__file__).parent / "pack"
"""The level pack: `python -m diag play levels=games/clue_house/pack`."""


class ClueHouse(AssembledGame):
    """Find the treasure behind a lock whose answer was on a wall many rooms ago."""

    name = "clue_house"
    difficulties: tuple[str, ...] = ("d20", "d50", "d100", "d200")
    folder = Path(__file__).parent
    parts = Parts(layout.parse_layout, rules.potential, rules, stage, sight)


GAME: Game = ClueHouse()
