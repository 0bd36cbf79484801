"""The keys of a study of grid games, and of its arms."""

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.starts.grid_games import GridGamesConfig


@dataclass
class ArcKeys(GridGamesConfig):
    """A study of grid games behind the interface of ARC-AGI-3."""

    kind: str = identity("arc")


@dataclass
class GridPolicyConfig:
    """An arm of a study of grid games: who plays."""

    _target_: str = identity("diag.studies.arc.GridPolicy")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    privilege: str = identity("none")
    """What the player has access to beyond frames."""
    player: str = identity()
    """random, explorer, greedy, oracle or reference; or agent: the model that the study is run on."""
    slip: float = identity(0.0)
    """Share of its moves that a reference player makes at random."""
    view: str | None = identity(None)
    """Of `agent`: text, picture or both (null): how it is shown the grid."""
