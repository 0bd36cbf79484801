"""Rush Hour as the suite sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from games.assembled import AssembledGame, Parts
from games.contract import Game, JsonObject
from games.rush_hour import layout, rules, sight, stage
from games.rush_hour.potential import potential
from games.rush_hour.reference import check_reference


class RushHour(AssembledGame):
    """Slide the vehicles until the target reaches the exit."""

    name = "rush_hour"
    difficulties: tuple[str, ...] = ("easy", "medium", "hard")
    folder = Path(__file__).parent
    parts = Parts(layout.parse_layout, potential, rules, stage, sight)

    def parse_layout(self, data: JsonObject) -> Any:
        """Read one layout and check its reference path."""
        found = super().parse_layout(data)
        check_reference(found)
        return found


GAME: Game = RushHour()
