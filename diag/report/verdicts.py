"""Certificates over time, asked of the solvers when a report is written.

The solvers are exact and offline; what they say is shown to the reader and was never shown to an agent.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from diag.grading.certifier import SolverCertifier
from diag.grading.track import VerdictPoint, certificate_track
from diag.records import Event
from games.catalogue import load_catalogue

Verdicts = Callable[[Sequence[Event]], tuple[VerdictPoint, ...]]
_LOG = logging.getLogger(__name__)


def no_verdicts(_events: Sequence[Event]) -> tuple[VerdictPoint, ...]:
    """Say nothing: for studies whose levels are not at hand."""
    return ()


def solver_verdicts(levels: Path | None = None) -> Verdicts:
    """Return the verdicts of the registered solvers; a log they cannot read has none.

    Args:
        levels: folder of a level pack; None for the shipped levels.
    """
    certify = SolverCertifier(load_catalogue(levels).layout)

    def verdicts(events: Sequence[Event]) -> tuple[VerdictPoint, ...]:
        try:
            return certificate_track(events, certify)
        except (ValueError, LookupError) as error:
            _LOG.debug("no certificate track: %s", error)
            return ()

    return verdicts
