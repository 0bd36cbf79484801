"""Bolt Unscrew as the suite sees it."""

from __future__ import annotations

from pathlib import Path

from games.assembled import AssembledGame, Parts
from games.bolt_unscrew import rules, sight, stage
from games.contract import Game


class BoltUnscrew(AssembledGame):
    """Move screws from hole to hole until every board has come off the plate."""

    name = "bolt_unscrew"
    difficulties: tuple[str, ...] = ("easy", "hard")
    folder = Path(__file__).parent
    parts = Parts(rules.parse_layout, rules.potential, rules, stage, sight)


GAME: Game = BoltUnscrew()
