"""Truck Escape as the suite sees it."""

from __future__ import annotations

from pathlib import Path

from games.assembled import AssembledGame, Parts
from games.contract import Game
from games.truck_escape import layout, rules, sight, stage


class TruckEscape(AssembledGame):
    """Let every vehicle drive out of the parking lot."""

    name = "truck_escape"
    difficulties: tuple[str, ...] = ("default",)
    folder = Path(__file__).parent
    parts = Parts(layout.parse_layout, rules.potential, rules, stage, sight)


GAME: Game = TruckEscape()
