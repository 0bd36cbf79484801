"""What blocks are made of: tasks in orders. A task is one game, the defects of its first build, and its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from diag.errors import ConfigError
from diag.records.plan import Block, derive_seed
from diag.session.contract import PublicContext
from diag.starts.contract import Starts
from diag.starts.home_screens import no_library
from diag.studies.playtest.builds.build import clean_digest
from diag.studies.playtest.builds.bundle import GAMES, bundle_catalogue
from diag.studies.playtest.builds.game_defects import defects_of
from diag.studies.playtest.condition import COHORT
from diag.studies.playtest.rubrics import prompt_of
from games.catalogue import Catalogue
from games.digest import sha256_of

MOST_DEFECTS = min(len({one.criterion for one in defects_of(game).values()}) for game in GAMES)
"""Defects that every game has room for, one a criterion."""
CLUSTERS: Mapping[str, Callable[[Any], str]] = {"game": attrgetter("game"), "order": attrgetter("order_name")}


@dataclass(frozen=True)
class Task:
    """One task in one order."""

    order: int
    """From 1."""
    position: int
    """From 1."""
    before: tuple[str, ...]
    """Games of the order before it, first to last."""
    game: str
    defects: tuple[str, ...]
    """Seeded in the first build."""

    @property
    def name(self) -> str:
        """`order-position-game`, also its block's name."""
        return f"{self.order_name}-{self.position}-{self.game}"

    @property
    def order_name(self) -> str:
        """The order it belongs to."""
        return f"order{self.order}"

    @property
    def previous(self) -> str | None:
        """The name of the task before it; None for the first."""
        return f"{self.order_name}-{self.position - 1}-{self.before[-1]}" if self.before else None

    @property
    def certificate(self) -> Mapping[str, Any]:
        """What the plan's table says of it."""
        return {"kind": f"{len(self.defects)} seeded defects"}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the clean sources, the patches, and what comes before."""
        known = defects_of(self.game)
        patches = [[one.file, one.find, one.replace] for one in (known[name] for name in self.defects)]
        return sha256_of([self.name, list(self.before), clean_digest(self.game), patches])


@dataclass(frozen=True)
class Tasks:
    """The tasks of all orders, in order. A `diag.starts.contract.Source`."""

    chosen: tuple[Task, ...]
    name: str = "builds"

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all of them."""
        return sha256_of([one.digest for one in self.chosen])

    def checkpoint(self, checkpoint_id: str) -> Task:
        """Return a task by its name. Raises ConfigError naming those there are."""
        for one in self.chosen:
            if one.name == checkpoint_id:
                return one
        raise ConfigError(f"no task {checkpoint_id!r}; there are {', '.join(one.name for one in self.chosen)}")

    def games(self) -> frozenset[str]:
        """Return the games of the tasks."""
        return frozenset(one.game for one in self.chosen)


def check_tasks(study: Any) -> None:
    """Check the keys that tasks are made from. Raises ConfigError naming the value found and those wanted."""
    keys = study.own
    for game in keys.games:
        if game not in GAMES:
            raise ConfigError(f"study.games: found {game!r}, wanted some of {', '.join(GAMES)}")
    if len(set(keys.games)) != len(keys.games):
        raise ConfigError(f"study.games: a game is named twice in {', '.join(keys.games)}")
    n_games = len(keys.games or GAMES)
    for name, most in (("orders", math.factorial(n_games)), ("defects", MOST_DEFECTS), ("rounds", 20)):
        least = 0 if name == "defects" else 1
        if not least <= getattr(keys, name) <= most:
            raise ConfigError(f"study.{name} is from {least} to {most}, found {getattr(keys, name)}")


def open_tasks(study: Any, library: str, levels: Catalogue) -> Tasks:
    """Return the tasks of the study's orders."""
    del library, levels
    games = tuple(study.own.games) or GAMES
    orders: list[tuple[str, ...]] = []
    draw = 0
    while len(orders) < study.own.orders:
        order = _shuffled(study, games, f"order{draw}")
        draw += 1
        if order not in orders:
            orders.append(order)
    return Tasks(tuple(task for number, order in enumerate(orders, 1) for task in _tasks(study, number, order)))


def _shuffled(study: Any, names: tuple[str, ...], purpose: str) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: derive_seed(study.name, name, purpose, seed=study.own.seed)))


def _tasks(study: Any, number: int, order: tuple[str, ...]) -> tuple[Task, ...]:
    return tuple(
        Task(number, place, order[: place - 1], game, _drawn_defects(study, f"order{number}-{game}", game))
        for place, game in enumerate(order, 1)
    )


def _drawn_defects(study: Any, task: str, game: str) -> tuple[str, ...]:
    """Return the defects of a first build, in the catalogue's order, at most one a criterion."""
    known, chosen = defects_of(game), dict[str, str]()
    for name in _shuffled(study, tuple(known), f"{task}-defects"):
        if len(chosen) < study.own.defects:
            chosen.setdefault(known[name].criterion, name)
    return tuple(name for name in known if name in chosen.values())


def blocks(study: Any, source: Tasks) -> tuple[Block, ...]:
    """Return a block per task: first tasks of all orders, then second ones, so that no task waits long for another."""
    arms, cluster = study.arms_of(COHORT), CLUSTERS[study.cluster]
    placed = sorted(source.chosen, key=lambda one: (one.position, one.order))
    return tuple(Block(one.name, COHORT, one.name, one.digest, cluster(one), arms) for one in placed)


def context(study: Any, task: Task) -> PublicContext:
    """Return the generation prompt; neither rubric nor defects are told."""
    title = str(bundle_catalogue(task.game).games[task.game].texts("en")["title"])
    return PublicContext(study.filled_objective({"game": title, "prompt": prompt_of(task.game)}))


TASKS = Starts(source=open_tasks, blocks=blocks, context=context, clusters=CLUSTERS, library=no_library)
