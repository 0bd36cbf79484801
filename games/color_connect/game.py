"""Color Connect as the suite sees it."""

from __future__ import annotations

from pathlib import Path

from games.assembled import AssembledGame, Parts
from games.color_connect import layout, rules, sight, stage
from games.contract import Game


class ColorConnect(AssembledGame):
    """Connect every pair of equal dots by paths that do not cross."""

    name = "color_connect"
    difficulties: tuple[str, ...] = ("easy", "hard")
    folder = Path(__file__).parent
    parts = Parts(layout.parse_layout, rules.potential, rules, stage, sight)


GAME: Game = ColorConnect()
