"""The players by name: what a policy of a study names and what the documentation lists."""

from __future__ import annotations

from diag.agents.grid.contract import PlayerSettings
from diag.agents.grid.solvers import Follower, Greedy
from diag.agents.grid.watchers import Explorer, RandomPlayer

PLAYERS = ("random", "explorer", "greedy", "oracle", "reference")
"""Names of the players; `reference` takes a slip."""


def player_settings(name: str, slip: float = 0.0) -> PlayerSettings:
    """Return a player's settings. Raises ValueError for an unknown name, or a slip where none belongs."""
    if name not in PLAYERS:
        raise ValueError(f"player: got {name!r}, wanted one of {', '.join(PLAYERS)}")
    if (name == "reference") != (slip > 0):
        raise ValueError(f"player {name}: got slip {slip}, wanted one above 0 for a reference player and 0 for others")
    others: dict[str, PlayerSettings] = {
        "random": RandomPlayer(),
        "explorer": Explorer(),
        "greedy": Greedy(),
        "oracle": Follower(),
    }
    return others.get(name) or Follower(slip)
