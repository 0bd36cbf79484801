"""The blocks of a study of grid games: one per game, with its levels and what reference players need for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from diag.errors import ConfigError
from diag.records.plan import Block
from diag.session.contract import PublicContext
from diag.starts.contract import Starts
from diag.starts.grid_games import GridGame, LossRule, spread
from diag.studies.arc.keys import ArcKeys
from diag.studies.arc.policy import COHORT
from games.catalogue import Catalogue
from games.digest import sha256_of
from games.grid.ports import registered_ports


@dataclass(frozen=True)
class GridGames:
    """The chosen games. A `diag.starts.contract.Source`."""

    chosen: tuple[Any, ...]
    suite_games: frozenset[str]
    name: str = "grid games"

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the games."""
        return sha256_of([[one.name, one.digest] for one in self.chosen])

    def checkpoint(self, checkpoint_id: str) -> Any:
        """Return a game by its name. Raises ConfigError naming those there are."""
        for one in self.chosen:
            if one.name == checkpoint_id:
                return one
        raise ConfigError(f"no grid game {checkpoint_id!r}; there are {', '.join(one.name for one in self.chosen)}")

    def games(self) -> frozenset[str]:
        """Return the games of the suite that it is made of."""
        return self.suite_games


def open_games(study: Any, library: str, levels: Catalogue) -> GridGames:
    """Return the games that the study names. Raises ConfigError for one that has no levels or no port."""
    del library
    played = dict.fromkeys(entry.id.game for entry in levels.entries)
    known = [name for name in played if name in registered_ports()]
    names = chosen_names(study.own.games, known)
    return GridGames(tuple(_suite_game(study.own, name, levels) for name in names), frozenset(names))


def chosen_names(wanted: list[str], known: list[str]) -> list[str]:
    """Return the names wanted, all that are known if none is. Raises ConfigError."""
    for name in wanted:
        if name not in known:
            raise ConfigError(f"study.games: found {name!r}, wanted some of {', '.join(known) or 'no game at all'}")
    if len(set(wanted)) != len(wanted):
        raise ConfigError(f"study.games: a game is named twice in {', '.join(wanted)}")
    if not known:
        raise ConfigError("study.games: there is no game to play")
    return list(wanted) or known


def _suite_game(keys: ArcKeys, name: str, levels: Catalogue) -> GridGame:
    rule = LossRule(tuple(keys.loss_by_game.get(name, keys.loss)), keys.attempt_multiplier)
    return GridGame(name, spread(levels, name, keys.levels_per_game), rule, keys.animate, levels)


def game_blocks(study: Any, source: GridGames) -> tuple[Block, ...]:
    """Return a block per game, in order."""
    arms, cluster = study.arms_of(COHORT), CLUSTERS[study.cluster]
    return tuple(Block(one.name, COHORT, one.name, one.digest, cluster(one), arms) for one in source.chosen)


def game_context(study: Any, game: Any) -> PublicContext:
    """Return the objective, with the game's name and its number of levels."""
    return PublicContext(study.filled_objective({"game": game.name, "count": len(game.level_names)}))


def no_library(study: Any, configured: str) -> str:
    """Return no library: games start at their first level."""
    del study, configured
    return ""


CLUSTERS: Mapping[str, Callable[[Any], str]] = {"game": attrgetter("name")}
GRID_GAMES = Starts(open_games, game_blocks, game_context, CLUSTERS, no_library)
"""Grid games: every game that the study names, all if it names none."""
