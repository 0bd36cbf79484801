"""Completion, progress, reach and behaviour of one episode.

Source: first source document, "Completion", "Horizon", "Behavior", "Reached and unreached levels".

| measure | formula |
|---|---|
| LC_o | mean over the target levels of c_ol, 1 iff a win was observed; a win counts once and keeps its credit |
| s_o | 1 iff every c_ol = 1; OSR = 100 mean s_o |
| FGP_o | mean of b_ol: best potential observed on the level, 1 if won, 0 if never visited |
| R_o | mean of r_ol: a ready board of the level was observed |
| 1 - LC_o | (1 - R_o) + mean r_ol (1 - c_ol): unreached plus reached and not completed, exactly |
| premature exit | the agent's own final response or stop, without success, while budget remains |
| setting mismatch | play of another game or difficulty was observed |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diag.grading.episodes.attempts import LevelAttempt
from diag.grading.episodes.log import EpisodeLog
from diag.grading.walk import Step
from games.contract import LevelId

OWN_EXITS = ("stopped", "unverified_claim")
"""Endings by the agent's own response: an explicit stop, or a completion claim that could not be verified."""


@dataclass(frozen=True)
class LevelRecord:
    """What an episode came to on one target level."""

    level: LevelId
    reached_s: float | None
    """Clock of the first ready board; None if it was never reached."""
    won_s: float | None
    best: float
    n_attempts: int
    n_moves: int
    """Accepted moves over all attempts."""
    win_moves: int | None
    """Accepted moves of the attempt that first won."""

    @property
    def reached(self) -> bool:
        """r_ol."""
        return self.reached_s is not None

    @property
    def won(self) -> bool:
        """c_ol."""
        return self.won_s is not None


def level_records(
    levels: Sequence[LevelId], steps: Sequence[Step], attempts: Sequence[LevelAttempt]
) -> tuple[LevelRecord, ...]:
    """Return one record per target level, in catalogue order."""
    return tuple(
        _record(level, [s for s in steps if s.level == level and s.kind != "leave"], attempts) for level in levels
    )


def _record(level: LevelId, boards: list[Step], attempts: Sequence[LevelAttempt]) -> LevelRecord:
    own = [attempt for attempt in attempts if attempt.level == level]
    first_win = next((board for board in boards if board.won), None)
    return LevelRecord(
        level=level,
        reached_s=boards[0].clock_s if boards else None,
        won_s=None if first_win is None else first_win.clock_s,
        best=1.0 if first_win is not None else max((board.potential for board in boards), default=0.0),
        n_attempts=len(own),
        n_moves=sum(attempt.n_moves for attempt in own),
        win_moves=next((attempt.n_moves for attempt in own if attempt.won), None),
    )


@dataclass(frozen=True)
class Completion:
    """The measures of one episode; shares in [0, 1]."""

    lc: float
    success: bool
    fgp: float
    reach: float
    unreached: float
    """1 - R: the part of the deficit in levels that were never reached."""
    reached_not_completed: float
    """mean r (1 - c): the part in levels that were reached and not completed."""


def completion(records: Sequence[LevelRecord]) -> Completion:
    """Return LC, success, FGP, R and the two parts of the deficit. Raises ValueError without levels."""
    if not records:
        raise ValueError("an objective has at least one level")
    n = len(records)
    n_reached = sum(record.reached for record in records)
    n_won = sum(record.won for record in records)
    return Completion(
        lc=n_won / n,
        success=n_won == n,
        fgp=sum(record.best for record in records) / n,
        reach=n_reached / n,
        unreached=(n - n_reached) / n,
        reached_not_completed=(n_reached - n_won) / n,
    )


def premature_exit(log: EpisodeLog, *, success: bool) -> bool:
    """Tell whether the agent ended the episode itself, without success, while budget remained (PER)."""
    return log.ending in OWN_EXITS and not success and log.elapsed_s < log.budget_s


def setting_mismatch(log: EpisodeLog) -> bool:
    """Tell whether a board of another game or difficulty than the requested one was in play (SMR)."""
    wanted = {(level.game, level.difficulty) for level in log.levels}
    return any((step.level.game, step.level.difficulty) not in wanted for step in log.steps if step.kind != "leave")
