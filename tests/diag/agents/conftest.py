"""Runs simulated agents through the real suite, on rules only, and reads their records back."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.utils import instantiate
from omegaconf import OmegaConf

from diag.agents.simulated import PlayerFactory
from diag.config.language import in_language
from diag.records import Event, Unit
from diag.session import (
    AttemptSetup,
    EventLog,
    LevelWon,
    Limits,
    PictureStore,
    RulesEnvironment,
    VirtualClock,
    all_levels_won,
    read_events,
    run_attempt,
)
from diag.session.contract import PublicContext
from diag.studies.registry import register
from games.catalogue import Catalogue, load_catalogue
from games.contract import LevelId
from games.suite.session import SuiteSession

REPOSITORY = Path(__file__).parents[3]


@cache
def preset(name: str) -> PlayerFactory:
    """Return a shipped agent from `conf/agent`."""
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(REPOSITORY / "conf"), version_base=None):
        factory: PlayerFactory = instantiate(compose(overrides=[f"+agent={name}"]).agent, _convert_="all")
    return factory


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def agent_named() -> Any:
    return preset


@cache
def arm(name: str) -> Any:
    """Return a shipped intervention from `conf/intervention`."""
    register()
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(REPOSITORY / "conf"), version_base=None):
        node = OmegaConf.to_container(compose(overrides=[f"+intervention@arm={name}"]).arm, resolve=True)
        return instantiate(in_language(node, "en", name), _convert_="all")


@pytest.fixture
def intervention_named() -> Any:
    return arm


class Play:
    """Attempts on the rules-only suite."""

    def __init__(self, catalogue: Catalogue, tmp_path: Path) -> None:
        self.catalogue, self.tmp_path, self.n_runs = catalogue, tmp_path, 0

    def takeover(
        self, agent: Any, level: LevelId, *, state: Any = None, told: str = "", limits: Limits | None = None
    ) -> tuple[Event, ...]:
        """Hand a board over and return the record."""
        session = SuiteSession(self.catalogue, animate=False)
        game = self.catalogue.games[level.game]
        board = game.initial_state(self.catalogue.layout(level)) if state is None else state
        session.place(level, game.state_to_json(board))
        session.hold()
        context = PublicContext(f"Complete this level.\n\n{told}".strip())
        won = LevelWon(level)
        return self._run(agent, session, level, context, won, limits or Limits())

    def episode(self, agent: Any, game: str, difficulty: str, *, limits: Limits) -> tuple[Event, ...]:
        """Let an agent play an objective from the home screen and return the record."""
        session = SuiteSession(self.catalogue, animate=False)
        texts = self.catalogue.games[game].texts("en")
        label = texts["difficulties"][difficulty]
        context = PublicContext(f"Play {texts['title']} on {label} and complete every level of it.")
        goal = all_levels_won([level.id for level in self.catalogue.levels(game, difficulty)])
        return self._run(agent, session, None, context, goal, limits)

    def _run(
        self,
        agent: Any,
        session: SuiteSession,
        level: LevelId | None,
        context: PublicContext,
        goal: Any,
        limits: Limits,
    ) -> tuple[Event, ...]:
        self.n_runs += 1
        setup = AttemptSetup(
            unit=Unit("b-A-r1", "b", "D", "A", 1, "c", "digest", "cluster", 1, 0),
            attempt=1,
            plan_hash="plan",
            study="test",
            level=level,
            base_context=context,
            context=context,
            goal=goal,
            stop_conditions=(goal,),
            limits=limits,
        )
        path = self.tmp_path / f"{self.n_runs}.jsonl"
        clock = VirtualClock()
        with EventLog(path) as log:
            run_attempt(
                setup,
                agent=agent,
                environment=RulesEnvironment(session, self.catalogue),
                clock=clock,
                log=log,
                pictures=PictureStore(self.tmp_path),
            )
        return read_events(path)


@pytest.fixture
def play(catalogue: Catalogue, tmp_path: Path) -> Play:
    return Play(catalogue, tmp_path)
