"""Fewer units at a time when the harness takes too much of their time: every arm gets screens as fast as any other."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence
from typing import TextIO

from diag.errors import DiagError
from diag.records.study_folder import AttemptStatus, StudyFolder
from diag.terminal import complain

WINDOW = 20
"""Units whose shares are looked at together; fewer say too little of a 95th percentile."""
NARROWER = 0.75
"""What is left of the units at a time after each lowering."""


class Pace:
    """How many units may run at a time, from the harness's share of those that have finished."""

    def __init__(self, folder: StudyFolder, n_places: int, limit: float, out: TextIO | None = None) -> None:
        self.n_places = n_places
        self._folder, self._limit, self._out = folder, limit, out
        self._shares: deque[float] = deque(maxlen=WINDOW)
        self._said = False

    def note(self, status: AttemptStatus) -> None:
        """Look at a finished attempt; lower the number when the last twenty are too slow, and begin to count anew."""
        share = self._share(status)
        if share is None:
            return
        self._shares.append(share)
        p95 = _percentile_95(self._shares)
        if len(self._shares) == WINDOW and p95 > self._limit and self.n_places > 1:
            self.n_places = max(1, int(self.n_places * NARROWER))
            self._shares.clear()
            self._say(p95)

    def _share(self, status: AttemptStatus) -> float | None:
        if status.validity != "valid":
            return None
        try:
            return self._folder.read_outcome(status).harness_share
        except DiagError:
            return None  # whoever analyses the study says so

    def _say(self, p95: float) -> None:
        if not self._said:
            self._said = True
            complain(
                f"the harness takes {p95:.1%} of the takeovers' time (95th percentile, execution.harness_share_limit="
                f"{self._limit:g}): from now on {self.n_places} units at a time, fewer again if that is not enough",
                self._out,
            )


def _percentile_95(shares: Sequence[float]) -> float:
    """Return the 95th percentile, linear between order statistics. No numpy: its threads would hear Ctrl-C."""
    return shares[0] if len(shares) == 1 else statistics.quantiles(shares, n=20, method="inclusive")[-1]
