"""The keys of a study of memory at retry."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import StudyConfig


@dataclass
class RetryKeys(StudyConfig):
    """Memory at retry (protocol 4)."""

    kind: str = identity("retry")
    cohorts: list[str] = identity(lambda: ["F"])
    control: str = identity("M0")
    cluster: str = identity("source_level")
    failures: str = identity("rq3")
    """A shipped library of source failures (cohort F), or the folder of one."""
    sources: list[str] = identity(list)
    """Ids of the source failures; an empty list takes all."""
