"""What blocks are made of: a target level in a setting, with what it is scored against."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from diag.agents.grid.baselines import references
from diag.errors import ConfigError
from diag.records.plan import Block
from diag.session.contract import PublicContext
from diag.starts.contract import Starts
from diag.starts.home_screens import no_library
from diag.studies.continuation.levels import loss_of, played_catalogue
from games.agi_maze.game import GAME as MAZE
from games.catalogue import Catalogue, Level
from games.contract import LevelId
from games.digest import sha256_of
from games.grid.environment import level_set
from games.grid.ports import registered_ports

DEFAULT_GROUPS = ("classic", "extended")
"""Groups of mazes that are targets if none is named."""


@dataclass(frozen=True)
class Run:
    """One target in one setting."""

    target: Level
    setting: str
    before: tuple[Level, ...]
    """Easier levels that come first; none in the setting single."""
    keys: Any
    levels: Catalogue

    @property
    def name(self) -> str:
        """`game/difficulty/number@setting`."""
        return f"{self.target.id}@{self.setting}"

    @property
    def level(self) -> str:
        """The target level."""
        return str(self.target.id)

    @property
    def game(self) -> str:
        """Its game."""
        return self.target.id.game

    @property
    def names(self) -> tuple[str, ...]:
        """All levels in order of play."""
        return tuple(str(level.id) for level in (*self.before, self.target))

    @property
    def certificate(self) -> dict[str, Any]:
        """What the plan prints of it."""
        return {"kind": self.setting}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over its levels."""
        return sha256_of([[str(one.id), one.layout_json] for one in (*self.before, self.target)])

    @cached_property
    def references(self) -> tuple[int, ...]:
        """Reference actions h of every level: a maze's good steps, else what scripted reference players need."""
        words = tuple(self.keys.loss)
        return tuple(reference_of(self.levels, name, words) for name in self.names)

    @property
    def budgets(self) -> tuple[int, ...]:
        """Actions of each level after which the run ends."""
        return tuple(math.ceil(self.keys.budget_multiplier * h) for h in self.references)


def reference_of(levels: Catalogue, name: str, loss: tuple[str, ...]) -> int:
    """Return the reference actions of one level, worked out once a process."""
    key = (levels.digest, name, loss)
    if key not in _REFERENCES:
        level = LevelId.parse(name)
        if level.game == MAZE.name:
            _REFERENCES[key] = int(levels.layout(level).soft_good_steps)
        else:
            _REFERENCES[key] = references(level_set(levels, [level]), 0, loss_of(level.game, loss)).baseline
    return _REFERENCES[key]


_REFERENCES: dict[tuple[str, str, tuple[str, ...]], int] = {}


@dataclass(frozen=True)
class Runs:
    """The chosen runs, in plan order. A `diag.starts.contract.Source`."""

    chosen: tuple[Run, ...]
    name: str = "targets"

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all of them."""
        return sha256_of([[one.name, one.digest] for one in self.chosen])

    def checkpoint(self, checkpoint_id: str) -> Run:
        """Return a run by its name. Raises ConfigError naming those there are."""
        for one in self.chosen:
            if one.name == checkpoint_id:
                return one
        raise ConfigError(f"no target {checkpoint_id!r}; there are {', '.join(one.name for one in self.chosen)}")

    def games(self) -> frozenset[str]:
        """Return the games of the targets."""
        return frozenset(one.game for one in self.chosen)


def open_runs(study: Any, library: str, levels: Catalogue) -> Runs:
    """Return every target in every setting of the study. Raises ConfigError for one that there is not."""
    del library
    targets = [_level(name, levels) for name in study.own.targets] or _default_targets(levels)
    found = []
    for setting in study.cohorts:
        for target in targets:
            held = played_catalogue(levels, target.id.game)
            before = _easier(target, held, study.own.tutorials) if setting == "curriculum" else ()
            found.append(Run(target, setting, before, study.own, held))
    return Runs(tuple(found))


def _default_targets(levels: Catalogue) -> list[Level]:
    held = played_catalogue(levels, MAZE.name)
    return [level for group in DEFAULT_GROUPS for level in held.levels(MAZE.name, group)]


def _level(name: str, levels: Catalogue) -> Level:
    try:
        level = LevelId.parse(name)
        held = played_catalogue(levels, level.game)
        found = held.level(level)
    except (ValueError, KeyError) as error:
        raise ConfigError(f"study.targets: {error.args[0]}") from error
    if level.game not in registered_ports():
        raise ConfigError(f"study.targets: found {name}, wanted a level of {', '.join(registered_ports())}")
    return found


def _easier(target: Level, held: Catalogue, n_tutorials: int) -> tuple[Level, ...]:
    """Return the first levels of the game that are of a lower difficulty than the target."""
    order = held.difficulties(target.id.game)
    lower = order[: order.index(target.id.difficulty)]
    easier = [level for name in lower for level in held.levels(target.id.game, name)]
    if len(easier) < n_tutorials:
        raise ConfigError(
            f"study.tutorials: found {n_tutorials}, and {target.id} has {len(easier)} easier levels before it; "
            "wanted at most as many, or study.cohorts=[single]"
        )
    return tuple(easier[:n_tutorials])


def blocks(study: Any, source: Runs) -> tuple[Block, ...]:
    """Return a block per run. Of the two conditions that manage RESET it has the one that fits how a loss shows."""
    cluster, hidden = CLUSTERS[study.cluster], "deadlock" in study.own.loss
    leaves_out = "controlled_reset" if hidden else "controlled_reset_oracle"
    return tuple(
        Block(
            one.name.replace("/", "-").replace("@", "-"),
            one.setting,
            one.name,
            one.digest,
            cluster(one),
            tuple(arm for arm in study.arms_of(one.setting) if study.arms[arm].kind != leaves_out),
        )
        for one in source.chosen
    )


def context(study: Any, run: Run) -> PublicContext:
    """Return the goal that prompts and description state."""
    return PublicContext(study.filled_objective({"game": run.game, "count": len(run.names)}))


CLUSTERS: Mapping[str, Callable[[Any], str]] = {"level": attrgetter("level"), "game": attrgetter("game")}
TARGETS = Starts(open_runs, blocks, context, CLUSTERS, no_library)
"""Target levels, each alone and after easier ones."""
