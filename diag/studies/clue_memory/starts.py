"""What blocks are made of: the levels of the Clue House pack, each from its first board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any

from diag.errors import ConfigError
from diag.records.plan import Block
from diag.running.station import catalogue
from diag.session.contract import PublicContext
from diag.starts.contract import Starts
from diag.starts.home_screens import no_library
from diag.studies.clue_memory.condition import COHORT
from games.catalogue import Catalogue, Level
from games.clue_house.game import GAME, PACK
from games.contract import JsonObject, LevelId
from games.digest import sha256_of, state_digest

CLUSTERS: Mapping[str, Callable[[Any], str]] = {"level": attrgetter("name"), "distance": attrgetter("distance")}


@dataclass(frozen=True)
class ClueLevel:
    """One level with what is proven of it."""

    level: Level
    title: str
    state: JsonObject
    """Its first board."""

    @property
    def id(self) -> LevelId:
        """Which level it is."""
        return self.level.id

    @property
    def name(self) -> str:
        """`game/difficulty/number`."""
        return str(self.id)

    @property
    def distance(self) -> str:
        """Difficulty, which says how many actions lie between the card and its need."""
        return self.id.difficulty

    @property
    def certificate(self) -> Mapping[str, Any]:
        """The distance that is proven of the level, for the plan's table."""
        return {"kind": f"{self.level.provenance['need']['least_actions']} actions"}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over id and layout."""
        return sha256_of([self.name, self.level.layout_json])

    @cached_property
    def state_digest(self) -> str:
        """Digest that a session shows on its first board."""
        return state_digest(self.id, self.state)


@dataclass(frozen=True)
class ClueLevels:
    """The chosen levels, in the pack's order. A `diag.starts.contract.Source`."""

    chosen: tuple[ClueLevel, ...]
    name: str = "clue levels"

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all of them."""
        return sha256_of([one.digest for one in self.chosen])

    def checkpoint(self, checkpoint_id: str) -> ClueLevel:
        """Return a level by its name. Raises ConfigError naming those there are."""
        for one in self.chosen:
            if one.name == checkpoint_id:
                return one
        raise ConfigError(f"no clue level {checkpoint_id!r}; there are {', '.join(one.name for one in self.chosen)}")

    def games(self) -> frozenset[str]:
        """Return the games of the levels."""
        return frozenset(one.id.game for one in self.chosen)


def pack(configured: Path | None) -> Path | None:
    """Return the pack that is played: the configured one if it holds clue levels, else the game's own."""
    return configured if GAME.name in catalogue(configured).games else PACK


def clue_catalogue(levels: Catalogue) -> Catalogue:
    """Return the catalogue that is played, given the configured one."""
    return levels if GAME.name in levels.games else catalogue(PACK)


def open_levels(study: Any, library: str, levels: Catalogue) -> ClueLevels:
    """Return the levels that the study names. Raises ConfigError for one that the pack does not have."""
    del library
    held = clue_catalogue(levels)
    known = {str(level.id): level for level in held.entries if level.id.game == GAME.name}
    for name in study.own.levels:
        if name not in known:
            raise ConfigError(f"study.levels: found {name!r}, wanted some of {', '.join(known)}")
    title = str(GAME.texts(study.language)["title"])
    return ClueLevels(tuple(_start(held, level, title) for name, level in known.items() if _wanted(study, name)))


def _wanted(study: Any, name: str) -> bool:
    return not study.own.levels or name in study.own.levels


def _start(held: Catalogue, level: Level, title: str) -> ClueLevel:
    return ClueLevel(level, title, GAME.state_to_json(GAME.initial_state(held.layout(level.id))))


def blocks(study: Any, source: ClueLevels) -> tuple[Block, ...]:
    """Return a block per level, in the pack's order."""
    arms, cluster = study.arms_of(COHORT), CLUSTERS[study.cluster]
    return tuple(
        Block(one.name.replace("/", "-"), COHORT, one.name, one.digest, cluster(one), arms) for one in source.chosen
    )


def context(study: Any, start: ClueLevel) -> PublicContext:
    """Return the objective: game and number of the level; distance and milestones are not told."""
    return PublicContext(study.filled_objective({"game": start.title, "number": start.id.number}))


CLUE_LEVELS = Starts(source=open_levels, blocks=blocks, context=context, clusters=CLUSTERS, library=no_library)
