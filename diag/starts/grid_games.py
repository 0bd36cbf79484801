"""The blocks of studies of grid games: one per game, with its levels and what reference players need for them."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from diag.agents.grid.baselines import ACTION_LIMIT, REFERENCE_SLIPS
from diag.agents.grid.solvers import NOTICES, PRACTICE, SLIPPED_LIMIT, STATE_LIMIT
from diag.config.roles import identity, runtime
from diag.config.study import StudyConfig
from diag.errors import ConfigError
from diag.records.plan import Block
from diag.session.contract import PublicContext
from diag.starts.contract import Starts
from diag.starts.local_game import folder_games
from diag.starts.suite_game import DEADLOCK_STATES, LOSSES, GridGame, LossRule, spread
from games.catalogue import Catalogue
from games.contract import JsonObject
from games.digest import sha256_of
from games.grid.ports import registered_ports

COHORT = "G"
"""Games on the grid."""


@dataclass
class GridGamesConfig(StudyConfig):
    """Keys of every study whose blocks are grid games."""

    cohorts: list[str] = identity(lambda: [COHORT])
    cluster: str = identity("game")
    games: list[str] = identity(list)
    """Names of the games, in plan order; empty for all that there are."""
    env: str = identity("suite")
    """Whose games: suite, or arc: those of a folder of local games of the package arcengine."""
    folder: str | None = runtime(None)
    """With `arc`, that folder; the digests of its games count, not its place."""
    levels_per_game: int = identity(5)
    """Levels of each game, spread evenly over its catalogue from the first; a game with fewer plays all."""
    loss: list[str] = identity(lambda: ["stuck"])
    """What loses an attempt: stuck (no legal move), deadlock (no win is reachable, proven), budget (actions spent)."""
    loss_by_game: dict[str, list[str]] = identity(dict)
    """The same for single games, instead of `loss`."""
    attempt_multiplier: float = identity(2.0)
    """With the loss `budget`: an attempt has so many times the level's baseline of actions, rounded up, at most 704."""
    budget_multiplier: float = identity(5.0)
    """A play ends when a level has taken so many times its baseline, rounded up."""
    animate: bool = identity(False)
    """Whether observations have the frames between two settled ones."""


def check_grid_keys(keys: GridGamesConfig) -> None:
    """Check what types cannot. Raises ConfigError."""
    if not 1 <= keys.levels_per_game <= 1_000:
        raise ConfigError(f"study.levels_per_game: found {keys.levels_per_game}, wanted at least 1 and at most 1000")
    if not 0 < keys.budget_multiplier <= 1_000:
        raise ConfigError(f"study.budget_multiplier: found {keys.budget_multiplier}, wanted above 0 and at most 1000")
    if not 0 < keys.attempt_multiplier <= 1_000:
        raise ConfigError(f"study.attempt_multiplier: found {keys.attempt_multiplier}, wanted above 0 and at most 1000")
    _check_losses(keys)
    if keys.env not in ("suite", "arc"):
        raise ConfigError(f"study.env: found {keys.env!r}, wanted suite or arc")
    if (keys.env == "arc") != (keys.folder is not None) or keys.folder == "":
        raise ConfigError(f"study.env: found {keys.env} and folder {keys.folder!r}, wanted env=arc games=FOLDER")
    if keys.env == "arc":
        _refuse_unused(keys)


def _refuse_unused(keys: GridGamesConfig) -> None:
    """Refuse keys that say how the suite's games are made where games of a folder are played. Raises ConfigError."""
    fresh = type(keys)()
    for name in ("levels_per_game", "loss", "loss_by_game", "attempt_multiplier", "animate"):
        found, usual = getattr(keys, name), getattr(fresh, name)
        if found != usual:
            raise ConfigError(f"study.{name}: found {found}, wanted {usual}: games of a folder say this in their code")


def _check_losses(keys: GridGamesConfig) -> None:
    for game, words in (("", keys.loss), *keys.loss_by_game.items()):
        key = f"study.loss_by_game.{game}" if game else "study.loss"
        if game and game not in registered_ports():
            raise ConfigError(f"{key}: no such game, wanted some of {', '.join(registered_ports())}")
        if strange := [word for word in words if word not in LOSSES]:
            raise ConfigError(f"{key}: found {strange[0]!r}, wanted some of {', '.join(LOSSES)}")


def loss_note(keys: GridGamesConfig) -> str:
    """Return the line of a plan that says what loses an attempt."""
    if keys.env == "arc":
        return "an attempt is lost when the game's own code says so"
    by_game = [f"{game}: {', '.join(words)}" for game, words in keys.loss_by_game.items()]
    return f"an attempt is lost when: {'; '.join([', '.join(keys.loss), *by_game]) or 'never'}"


def baseline_note(keys: GridGamesConfig) -> str:
    """Return the line of a plan that says where baselines come from."""
    if keys.env == "arc":
        return "baselines are those that the games' metadata.json states"
    return "baselines are from scripted reference players: SIMULATED, not comparable with people's"


def reference_facts() -> JsonObject:
    """Return how the reference players play, which the baselines follow from, and the limits of the searches."""
    return {
        "reference_slips": list(REFERENCE_SLIPS),
        "reference_action_limit": ACTION_LIMIT,
        "reference_notices": NOTICES,
        "reference_practice": PRACTICE,
        "search_limits": [STATE_LIMIT, SLIPPED_LIMIT, DEADLOCK_STATES],
    }


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
    """Return the games that the study names, of its folder if it has one.

    Raises:
        ConfigError: a game has no levels or no port, or is not in the folder or cannot be played.
    """
    if library:
        others = folder_games(library)
        return GridGames(tuple(others[name] for name in chosen_names(study.own.games, list(others))), frozenset())
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


def _suite_game(keys: GridGamesConfig, name: str, levels: Catalogue) -> GridGame:
    rule = LossRule(tuple(keys.loss_by_game.get(name, keys.loss)), keys.attempt_multiplier)
    return GridGame(name, spread(levels, name, keys.levels_per_game), rule, keys.animate, levels)


def game_blocks(study: Any, source: GridGames) -> tuple[Block, ...]:
    """Return a block per game, in order."""
    arms, cluster = study.arms_of(COHORT), CLUSTERS[study.cluster]
    return tuple(Block(one.name, COHORT, one.name, one.digest, cluster(one), arms) for one in source.chosen)


def game_context(study: Any, game: Any) -> PublicContext:
    """Return the objective, with the game's name and its number of levels."""
    return PublicContext(study.filled_objective({"game": game.name, "count": len(game.level_names)}))


def game_folder(study: Any, configured: str) -> str:
    """Return the folder whose games are played, with a slash at its end, as no name has it; empty for the suite's."""
    del configured
    return "" if study.own.folder is None else f"{study.own.folder}/"


CLUSTERS: Mapping[str, Callable[[Any], str]] = {"game": attrgetter("name")}
GRID_GAMES = Starts(open_games, game_blocks, game_context, CLUSTERS, game_folder)
"""Grid games: every game that the study names, all of the suite or of its folder if it names none."""
