"""The keys of a dead-end takeover study."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import StudyConfig


@dataclass
class TakeoverKeys(StudyConfig):
    """A dead-end takeover study (protocol 3)."""

    kind: str = identity("takeover")
    cohorts: list[str] = identity(lambda: ["D", "N"])
    cluster: str = identity("source_level")
    libraries: str = identity("")
    """Shipped libraries, or folders, joined by `+`; empty for `catalog.library`."""
    checkpoints: list[str] = identity(list)
    """Ids of the checkpoints, in plan order; an empty list takes all of the study's cohorts."""
    apart: dict[str, str] = identity(dict)
    """Game -> cohort that its dead ends form, so that they are analysed apart."""
