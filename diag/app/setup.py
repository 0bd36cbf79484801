"""From a composed configuration to typed objects. Nothing below reads a config, the environment or the cwd."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

from diag.app.types import check_types
from diag.config import Backend, CatalogConfig, ClockKind, Config, identity_values
from diag.config.bounds import check_bounds
from diag.config.language import in_language
from diag.errors import ConfigError, CorruptRecord, one_line
from diag.foreign_text import without_credentials
from diag.records import Plan
from diag.records.plan import Block, as_begun, make_plan, schedule
from diag.records.selection import select
from diag.records.study_folder import StudyFolder
from diag.running.backend import Workers, free_memory_bytes
from diag.running.executor import StudyExecutor
from diag.running.places import Room, places_of
from diag.running.spread import usable_cores
from diag.running.station import StationSettings, World
from diag.session.clock import ClockName
from diag.session.contract import AgentFactory
from diag.starts.contract import Source
from diag.studies.build import study_of
from diag.studies.checks import require_all_used, require_said_twice
from diag.studies.study import Study
from games.digest import sha256_of
from games.suite.state import Unlock
from games.suite.texts import Instructions, Language

T = TypeVar("T")
_LONGEST_SELECTION = 60
"""Characters of a folder's name that say what was chosen; a digest follows."""


@dataclass(frozen=True)
class Prepared:
    """A study, ready to be planned, run or analysed."""

    config: Config
    resolved_yaml: str
    study: Study
    agent: AgentFactory
    library: Source
    """What the blocks are made from: a checkpoint library, or objectives."""
    blocks: tuple[Block, ...]
    plan: Plan
    folder: StudyFolder
    executor: StudyExecutor
    workers: Workers


def prepare(composed: DictConfig, *, cwd: Path) -> Prepared:
    """Build everything a mode needs; starts nothing and writes nothing.

    Args:
        composed: what Hydra composed, checked against the schemas.
        cwd: where relative paths start.

    Raises:
        ConfigError: a value that types could not catch, or a part that cannot be built from it.
        CheckpointError: the library is damaged.
    """
    config: Config = OmegaConf.to_object(composed)  # type: ignore[assignment]  # the schema's root
    check_bounds(OmegaConf.to_container(composed, resolve=True, throw_on_missing=True))
    _refuse_empty({"outputs": config.outputs, "catalog.levels": config.catalog.levels})
    station = _station(composed, config, cwd)
    study = _study(composed, station.language)
    agent = _built(composed, "agent", _agent, station.language)
    _refuse_blind(config, study, agent)
    clock = _clock(config, agent)
    _refuse_elsewhere(config, study, station)
    library = _library_name(study.kind.starts.library(study, _configured_library(config, station)), cwd)
    _refuse_unread(config, study)
    source = study.kind.starts.source(study, library, station.catalogue)
    _refuse_other_levels(source, station)
    _refuse_locked(source, station)
    blocks = study.kind.starts.blocks(study, source)
    require_all_used(study, blocks)
    require_said_twice(study, blocks, source)
    shift = study.kind.first_place(study, agent.name)
    scheduled = schedule(
        blocks,
        study=study.name,
        seed=study.seed,
        repeats=study.repeats,
        shift=shift,
        stability_units=study.stability_units,
    )
    units = select(scheduled, study.only)[: study.max_units]
    folder = StudyFolder(
        _absolute(config.outputs, cwd) / _slug(study.name) / folder_name(agent.name, config, study.only)
    )
    plan = _begun(folder, make_plan(study.name, units, identity_of(config, study, agent, source, station, clock)))
    executor = StudyExecutor(
        study=study,
        agent=agent,
        library=library,
        station=station,
        clock=clock,
        settle_wait_s=config.suite.settle_wait_s,
        restore_path=_choice("suite.restore", config.suite.restore, ("fast", "replay")),
        plan_hash=plan.plan_hash,
    )
    return Prepared(
        config,
        without_credentials(OmegaConf.to_yaml(composed)),
        study,
        agent,
        source,
        blocks,
        plan,
        folder,
        executor,
        _workers(config, agent),
    )


def _begun(folder: StudyFolder, plan: Plan) -> Plan:
    """Return the folder's own plan where it has another order of the same units; a damaged one is told later."""
    try:
        return as_begun(folder.read_plan(), plan) if folder.has_plan() else plan
    except CorruptRecord:
        return plan


def identity_of(
    config: Config, study: Study, agent: AgentFactory, source: Source, station: StationSettings, clock: str
) -> dict[str, Any]:
    """Return every value that can change an outcome: what a resume must find unchanged."""
    return {
        "study": study.identity(),
        "agent": {"name": agent.name, "simulated": agent.simulated, "privilege": agent.privilege, **agent.identity()},
        "catalog": {"library": source.digest, "levels": levels_digest(source, station)},
        "clock": clock,
        "suite": identity_values(config.suite),
        "execution": identity_values(config.execution),
    }


def levels_digest(source: Source, station: StationSettings) -> str:
    """Return a SHA-256 over all levels of the games that the study plays."""
    games = source.games()
    levels = [one for one in station.catalogue.entries if one.id.game in games]
    return sha256_of([[str(one.id), one.layout_json] for one in levels])


def folder_name(agent: str, config: Config, only: Sequence[str]) -> str:
    """Return the study's folder below its question: the agent, `-rules` without a browser, and what was chosen.

    A selection never lies in the folder of the whole study, whose plan is another.
    """
    whole = _slug(agent) + ("" if config.suite.browser else "-rules")
    if not only:
        return whole
    return f"{whole}-only-{_slug('+'.join(only))[:_LONGEST_SELECTION]}-{sha256_of(list(only))[:6]}"


def _study(composed: DictConfig, language: Language) -> Study:
    return _built(composed, "study", lambda node: study_of(node, language), language)


def _agent(node: DictConfig) -> AgentFactory:
    agent: AgentFactory = instantiate(node, _convert_="all")
    return agent


def _built(composed: DictConfig, name: str, build: Callable[[DictConfig], T], language: Language) -> T:
    """Build a part; what its constructor refuses is the user's to put right."""
    try:
        check_types(in_language(OmegaConf.to_container(composed[name], resolve=True), language, name), name)
        return build(composed[name])
    except Exception as error:
        cause = error.__cause__ or error
        if isinstance(cause, ConfigError):
            raise cause from error
        if isinstance(cause, TypeError | ValueError | ImportError | AttributeError):
            raise ConfigError(f"{name}: {one_line(cause)}") from error
        raise


def _clock(config: Config, agent: AgentFactory) -> ClockName:
    match config.clock.kind:
        case ClockKind.auto:
            return "virtual" if agent.simulated else "wall"
        case ClockKind.virtual:
            return "virtual"
        case ClockKind.working:
            return "working"
        case ClockKind.wall:
            return "wall"


def _station(composed: DictConfig, config: Config, cwd: Path) -> StationSettings:
    levels = config.catalog.levels
    world: World | None = None if config.env is None else _built(composed, "env", _world, "en")
    return StationSettings(
        browser=config.suite.browser,
        animate=config.suite.animate,
        language=_choice("suite.language", config.suite.language, ("en", "zh")),
        levels=None if levels is None else _absolute(levels, cwd),
        port=config.suite.port,
        instructions=_choice("suite.instructions", config.suite.instructions, get_args(Instructions)),
        unlock=_choice("suite.unlock", config.suite.unlock, get_args(Unlock)),
        world=world,
    )


def _world(node: DictConfig) -> World:
    world: World = instantiate(node, _convert_="all")
    return world


def _configured_library(config: Config, station: StationSettings) -> str:
    """Return `catalog.library`; where sessions are played elsewhere, its default is the folder of their own states."""
    named = config.catalog.library
    return named if station.world is None or named != CatalogConfig().library else station.world.library


def _refuse_elsewhere(config: Config, study: Study, station: StationSettings) -> None:
    """Outside the suite there are pages and states, and nothing else. Raises ConfigError."""
    if station.world is None:
        return
    if not study.kind.any_world:
        raise ConfigError(f"env: found a page and study.kind={study.kind.name}, wanted a kind that needs no rules")
    if not station.browser or station.levels is not None:
        raise ConfigError("env: found suite=rules or catalog.levels, wanted a browser, and the levels of the page")


def _workers(config: Config, agent: AgentFactory) -> Workers:
    execution = config.execution
    places = places_of(
        execution.n_jobs,
        execution.seats,
        room=Room(usable_cores(), free_memory_bytes(), config.suite.browser),
        agent=agent,
        clock=_clock(config, agent),
        local=execution.backend is Backend.loky,
    )
    return Workers(
        execution.backend,
        places.processes,
        execution.address,
        fill=execution.n_jobs is None,
        seats=places.seats,
        harness_share_limit=execution.harness_share_limit,
    )


def _refuse_empty(paths: Mapping[str, str | None]) -> None:
    """An empty path would be the working directory, which nobody meant."""
    for key, path in paths.items():
        if path is not None and not path.strip():
            raise ConfigError(f"{key}: found an empty text, wanted a folder")


def _refuse_unread(config: Config, study: Study) -> None:
    """Refuse values of the core that this study does not read: they would change nothing, without a word."""
    named = study.kind.starts.library
    found, default = config.catalog.library, CatalogConfig().library
    if found != default and named(study, found) == named(study, default):
        what = named(study, found) or "no library at all"
        raise ConfigError(f"catalog.library: found {found!r}, and this study is made from {what}; leave it out")
    address = config.execution.address
    if address is not None and config.execution.backend is Backend.loky:
        raise ConfigError(
            f"execution.address: found {address!r}, which loky does not read; wanted execution=dask or ray"
        )


def _refuse_blind(config: Config, study: Study, agent: AgentFactory) -> None:
    """Rules alone have no screenshots, and a model is shown nothing else where a study shows the screen."""
    if study.kind.shows_screen and not config.suite.browser and not agent.simulated:
        raise ConfigError(
            f"suite=rules draws no screenshots and agent {agent.name} sees nothing else; wanted suite=browser"
        )


def _refuse_other_levels(source: Source, station: StationSettings) -> None:
    """A checkpoint stands on a level of its own; a pack must hold that level as it was."""
    layouts = {level.id: level.layout_json for level in station.catalogue.entries}
    for checkpoint in getattr(source, "checkpoints", ()):
        found = layouts.get(checkpoint.level)
        if found != checkpoint.layout:
            has = "no such level" if found is None else "another layout of it"
            if station.world is not None:
                raise ConfigError(
                    f"env: found a page or an adapter that has changed, wanted those of {checkpoint.checkpoint_id} in "
                    f"{source.name}; harvest the states anew"
                )
            raise ConfigError(
                f"catalog.levels: found {has}, wanted {checkpoint.level} as checkpoint {checkpoint.checkpoint_id} of "
                f"{source.name} was made on; make checkpoints from the pack, or leave catalog.levels out"
            )


def _refuse_locked(source: Source, station: StationSettings) -> None:
    """The prefix of a checkpoint opens its level from a menu in which every level is open."""
    if station.unlock != "all" and getattr(source, "checkpoints", ()):
        raise ConfigError(f"suite.unlock: found {station.unlock}, wanted all: prefixes of {source.name} open any level")


def _library_name(name: str, cwd: Path) -> str:
    """A folder of a library, or what ends with a slash, becomes absolute; a name stays one, whatever lies here."""
    if not name:
        return name  # a study of whole episodes plays no library
    path = _absolute(name, cwd)
    return str(path) if name.endswith("/") or (path / "library.json").is_file() else name


def _absolute(path: str, cwd: Path) -> Path:
    return (cwd / Path(path).expanduser()).resolve()


def _choice(name: str, found: str, wanted: tuple[str, ...]) -> Any:
    if found not in wanted:
        raise ConfigError(f"{name}: found {found!r}, wanted one of {', '.join(wanted)}")
    return found


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "study"
