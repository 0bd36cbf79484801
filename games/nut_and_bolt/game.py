"""Nut and Bolt as the suite sees it."""

from __future__ import annotations

from pathlib import Path

from games.assembled import AssembledGame, Parts
from games.contract import Game
from games.nut_and_bolt import layout, rules, sight, stage


class NutAndBolt(AssembledGame):
    """Move nuts from bolt to bolt until each bolt holds one colour."""

    name = "nut_and_bolt"
    difficulties: tuple[str, ...] = ("easy", "medium", "hard", "extreme", "nightmare")
    has_undo = True
    folder = Path(__file__).parent
    parts = Parts(layout.parse_layout, rules.potential, rules, stage, sight)


GAME: Game = NutAndBolt()
