"""The keys of a study of whole episodes."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import LimitsConfig, StudyConfig, hour_without_action_limit


@dataclass
class EpisodeKeys(StudyConfig):
    """Whole episodes from the home screen (protocol 2)."""

    kind: str = identity("episodes")
    cohorts: list[str] = identity(lambda: ["E"])
    cluster: str = identity("game")
    limits: LimitsConfig = identity(hour_without_action_limit)
    objectives: list[str] = identity(list)
    """Objectives (`game/difficulty`) in catalogue order; an empty list takes all."""
