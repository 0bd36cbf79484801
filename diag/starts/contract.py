"""What the blocks of a study are made of: checkpoints, the objectives of a catalogue, or starts of its own.

A `Starts` is a value that a kind of study holds; `diag.starts.checkpoints` and `diag.starts.home_screens` are the two
that several kinds share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from diag.records.plan import Block
from diag.session.contract import PublicContext
from games.catalogue import Catalogue


class Source(Protocol):
    """What the blocks of one study are made from: a checkpoint library, or the objectives of a catalogue."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def digest(self) -> str:
        """SHA-256 over everything in it."""

    def checkpoint(self, checkpoint_id: str) -> Any:
        """Return what a block's `checkpoint_id` stands for; it has a `certificate` mapping. Raises if there is none."""

    def games(self) -> frozenset[str]:
        """Return the games whose levels it is made of."""


def configured_library(study: Any, configured: str) -> str:
    """Return `catalog.library`: the library of a study that names none of its own."""
    del study
    return configured


@dataclass(frozen=True)
class Starts:
    """How a kind of study comes by its blocks. Every function takes the study first."""

    source: Callable[[Any, str, Catalogue], Source]
    """(study, library name, levels) -> what the blocks are made from. Raises CheckpointError, ConfigError."""
    blocks: Callable[[Any, Any], tuple[Block, ...]]
    """(study, source) -> the matched blocks in their fixed order. Raises ConfigError if the source has none."""
    context: Callable[[Any, Any], PublicContext]
    """(study, start) -> the ordinary context, which all arms of a block begin with."""
    clusters: Mapping[str, Callable[[Any], str]]
    """What can be resampled: name -> function from a start to its cluster. The first is the design's own."""
    library: Callable[[Any, str], str] = configured_library
    """(study, `catalog.library`) -> name or folder of the library that is played; empty where none is."""
