"""Blocks that start from certified checkpoints: one per checkpoint of a library, clustered by its source level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Protocol

from checkpoints.libraries import library
from checkpoints.store import Checkpoint
from diag.errors import ConfigError
from diag.records.plan import Block
from diag.session.contract import PublicContext, Turn
from diag.starts.contract import Source, Starts
from games.catalogue import Catalogue
from games.registry import game_named

CLUSTERS: Mapping[str, Callable[[Any], str]] = {
    "source_level": attrgetter("source_level"),
    "checkpoint": attrgetter("checkpoint_id"),
}


class CheckpointSource(Protocol):
    """What this needs of a checkpoint library (`checkpoints.store.Library`)."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def digest(self) -> str:
        """SHA-256 over all checkpoints."""

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All checkpoints in their fixed order."""


def open_library(study: Any, name: str, levels: Catalogue) -> Source:
    """Return a checkpoint library by name or folder, or several joined by `+`. Raises CheckpointError."""
    del study, levels
    return library(name)


def checkpoint_blocks(study: Any, library: CheckpointSource) -> tuple[Block, ...]:
    """Return a block per checkpoint, cohort by cohort, in library order. Raises ConfigError for an empty cohort."""
    require_cohorts(study.cohorts, library)
    found = (
        block_of(study, checkpoint, checkpoint.cohort)
        for cohort in study.cohorts
        for checkpoint in library.checkpoints
        if checkpoint.cohort == cohort
    )
    return tuple(block for block in found if block.arms)


def require_cohorts(cohorts: Iterable[str], library: CheckpointSource) -> None:
    """Refuse a cohort that the library does not hold. Raises ConfigError."""
    held = {checkpoint.cohort for checkpoint in library.checkpoints}
    for cohort in cohorts:
        if cohort not in held:
            raise ConfigError(f"checkpoint library {library.name!r} has no checkpoint of {cohort}")


def block_of(study: Any, checkpoint: Checkpoint, cohort: str) -> Block:
    """Return the block of one checkpoint in a cohort, with the arms that the cohort has."""
    name, cluster = checkpoint.checkpoint_id, CLUSTERS[study.cluster](checkpoint)
    return Block(name, cohort, name, checkpoint.digest, cluster, study.arms_of(cohort))


def checkpoint_context(study: Any, checkpoint: Checkpoint) -> PublicContext:
    """Return the objective and the public prefix: what every arm starts from."""
    level = checkpoint.level
    texts = game_named(level.game).texts(study.language)
    words = {
        "game": str(texts["title"]),
        "difficulty": str(texts["difficulties"][level.difficulty]),
        "number": level.number,
        "level": str(level),
    }
    turns = (Turn(actions=(turn.action,), feedback=turn.feedback, reason="", picture=turn.picture)
             for turn in checkpoint.prefix)  # fmt: skip
    return PublicContext(study.filled_objective(words), tuple(turns))


CHECKPOINTS = Starts(source=open_library, blocks=checkpoint_blocks, context=checkpoint_context, clusters=CLUSTERS)
"""Restored boards: every checkpoint of the configured library in the study's cohorts."""
