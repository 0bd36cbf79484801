"""Blocks that start at the home screen: one per objective, a game at one difficulty with all its levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

from diag.errors import ConfigError
from diag.records.plan import Block
from diag.session.contract import PublicContext
from diag.starts.contract import Starts
from games.catalogue import Catalogue
from games.contract import LevelId
from games.digest import sha256_of

COHORT = "E"
"""Episodes from the home screen."""
CLUSTERS: Mapping[str, Callable[[Any], str]] = {
    "game": attrgetter("game"),
    "objective": attrgetter("name"),
}
N_LONG = 10
"""Levels of the objectives that the 50 % level horizon is taken over."""


@dataclass(frozen=True)
class Objective:
    """One game at one difficulty."""

    game: str
    difficulty: str
    levels: tuple[LevelId, ...]
    digest: str
    """SHA-256 over its levels' ids and layouts."""
    labels: dict[str, str] = field(hash=False, compare=False)
    """`game` and `difficulty` as the screen says them."""

    @property
    def name(self) -> str:
        """`game/difficulty`."""
        return f"{self.game}/{self.difficulty}"

    @property
    def block_id(self) -> str:
        """The name as part of a file name."""
        return f"{self.game}-{self.difficulty}"

    @property
    def certificate(self) -> dict[str, Any]:
        """What the plan prints of it."""
        return {"kind": "from the home screen"}


@dataclass(frozen=True)
class Objectives:
    """The chosen objectives of a catalogue, in its order. A `diag.starts.contract.Source`."""

    chosen: tuple[Objective, ...]
    name: str = "objectives"

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all levels of the objectives."""
        return sha256_of([[one.name, one.digest] for one in self.chosen])

    def checkpoint(self, checkpoint_id: str) -> Objective:
        """Return an objective by its name. Raises ConfigError naming those there are."""
        for one in self.chosen:
            if one.name == checkpoint_id:
                return one
        raise ConfigError(f"no objective {checkpoint_id!r}; there are {', '.join(one.name for one in self.chosen)}")

    def games(self) -> frozenset[str]:
        """Return the games of the objectives."""
        return frozenset(one.game for one in self.chosen)


def choose_objectives(levels: Catalogue, names: Sequence[str], language: Any = "en") -> Objectives:
    """Return the objectives of a catalogue, all of them or those named.

    Raises:
        ConfigError: a name is not `game/difficulty` of the catalogue, or is given twice.
    """
    pairs = dict.fromkeys((entry.id.game, entry.id.difficulty) for entry in levels.entries)
    known = {f"{game}/{difficulty}": (game, difficulty) for game, difficulty in pairs}
    for name in names:
        if name not in known:
            raise ConfigError(f"study.objectives: found {name!r}, wanted some of {', '.join(known)}")
    if len(set(names)) != len(names):
        raise ConfigError(f"study.objectives: an objective is named twice in {', '.join(names)}")
    wanted = [known[name] for name in names] if names else list(known.values())
    return Objectives(tuple(_objective(levels, game, difficulty, language) for game, difficulty in wanted))


def _objective(levels: Catalogue, game: str, difficulty: str, language: Any) -> Objective:
    entries = levels.levels(game, difficulty)
    texts = levels.games[game].texts(language)
    return Objective(
        game,
        difficulty,
        tuple(entry.id for entry in entries),
        sha256_of([[str(entry.id), entry.layout_json] for entry in entries]),
        {"game": str(texts["title"]), "difficulty": str(texts["difficulties"][difficulty])},
    )


def open_objectives(study: Any, library: str, levels: Catalogue) -> Objectives:
    """Return the objectives that the study names. Raises ConfigError for one that the catalogue does not have."""
    del library
    return choose_objectives(levels, study.own.objectives, study.language)


def objective_blocks(study: Any, source: Objectives) -> tuple[Block, ...]:
    """Return a block per objective, in catalogue order."""
    arms, cluster = study.arms_of(COHORT), CLUSTERS[study.cluster]
    return tuple(Block(one.block_id, COHORT, one.name, one.digest, cluster(one), arms) for one in source.chosen)


def objective_context(study: Any, objective: Objective) -> PublicContext:
    """Return the objective as it is told: game and difficulty with their on-screen names, and how many levels."""
    return PublicContext(study.filled_objective({**objective.labels, "count": len(objective.levels)}))


def no_library(study: Any, configured: str) -> str:
    """Return no library: episodes start at the home screen."""
    del study, configured
    return ""


HOME_SCREENS = Starts(
    source=open_objectives,
    blocks=objective_blocks,
    context=objective_context,
    clusters=CLUSTERS,
    library=no_library,
)
"""Whole episodes: every objective that the study names, all of the catalogue if it names none."""
