"""Grading of a takeover continuation: events in, `Outcome` out; pure, offline, needs a solver but no game session.

Endpoints (protocol 3; first source document, "Endpoints" and "After recovery"). A **recovery action** is a native
restart or an undo of the assigned level, or leaving the board and entering the assigned level again. All clocks are the
takeover clock, all limits inclusive. `None` means that an endpoint does not apply (recurrence without a recovery),
never that it was not looked at.

| endpoint | meaning |
|---|---|
| timely_restart | a recovery action took effect within the first `timely_actions` executed actions and `timely_s` |
| restarted | a recovery action took effect within the limit |
| verified_recovery | after one, a board of the level certified solvable (or won) in play within the limit; D only |
| same_level_win | the assigned level was won within the limit; latched at its first terminal snapshot |
| recurrence | after the first verified recovery a board with its game's certificate, within the limit; D only |
| recovery_kept | a verified recovery and no recurrence, by the limit: defined for every D continuation; D only |
| dead_end_reached | N only: a board with its game's certificate after takeover |
| search_dead_end | a board proven dead by exhausted search without a certificate, after recovery (D), takeover (N) |
| *_s, *_actions | takeover seconds and executed actions up to and including the event; None if it did not happen |
| recurrence_after_s | from the recovery to the recurrence: seconds |
| recurrence_after_actions, _moves | the same in accepted GUI actions, and in moves of the rules |
| recovery_late | the verified recovery came outside the timely window |
| recurrence_after_progress | the recurrence came after positive progress from the recovered board |
| recovery_left_s, recurrence_left_s | seconds from the event to the limit |
| progress | best potential of the assigned level from takeover on, the starting board included |
| progress_after_recovery | best potential minus the recovered board's, up to the recurrence; None without recovery |
| n_restarts, n_moves | native restarts; accepted moves on the assigned level |
| first_recovers, first_moves | what the first executed action did (neither: it had no effect on the board) |
| n_undecided | boards whose verdict the solver left open; they count neither as live nor as dead |

The certificate of Bolt Unscrew is `no_available_hole`, that of the other games any proof (`diag.grading.continuation`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from diag.grading.certifier import Certifier
from diag.grading.continuation import Continuation
from diag.grading.log import AttemptLog, Value
from diag.grading.rationale import rationale_codes
from diag.grading.walk import Step
from diag.records import Event, Outcome
from solvers.registry import has_solver

LIVE_COHORTS = ("N", "uncertified")
"""Cohorts whose boards are not known to be dead, so that there is nothing to recover from."""
RECOVERY_KINDS = ("restart", "undo", "enter")


@dataclass(frozen=True)
class TakeoverLimits:
    """The windows of the endpoints."""

    timely_actions: int = 10
    timely_s: float = 120.0
    limit_s: float = 300.0


def grade_takeover(
    events: Sequence[Event],
    *,
    certify: Certifier,
    plan_hash: str | None = None,
    limits: TakeoverLimits | None = None,
    unaided: bool = True,
) -> Outcome:
    """Return what one takeover attempt came to; `unaided` says that its arm told the agent nothing of the board.

    An infrastructure failure has no endpoints. An attempt that ended otherwise although its agent was never asked is
    an infrastructure failure of kind `never_ran`: a program that did not start is not a weak agent.

    Raises:
        LogError: the log cannot be graded (its subclasses say why).
    """
    log = AttemptLog.read(events, plan_hash=plan_hash)
    if log.failed:
        return log.outcome({})
    windows = limits or TakeoverLimits()
    grading = _Grading.of(Continuation.of(log, certify, windows.limit_s), windows)
    recovered = unaided and grading.dead_start and grading.recovery is not None
    codes = rationale_codes(log.stated, recovery_seq=grading.recovery_seq, unaided_recovery=recovered)
    return log.outcome(grading.endpoints(), codes=codes)


@dataclass(frozen=True)
class _Grading:
    """A continuation beside the moments that its endpoints are made of."""

    played: Continuation
    limits: TakeoverLimits
    action: Step | None
    """First recovery action."""
    recovery: Step | None
    """First verified recovery."""
    recurrence: Step | None

    @classmethod
    def of(cls, played: Continuation, limits: TakeoverLimits) -> _Grading:
        action = next((board for board in played.boards if board.by_agent and board.kind in RECOVERY_KINDS), None)
        live = (board for board, verdict in played.pairs if verdict in ("solvable", "solved"))
        recovery = None if action is None else next((one for one in live if one.index >= action.index), None)
        return cls(
            played=played,
            limits=limits,
            action=action,
            recovery=recovery,
            recurrence=None if recovery is None else _after(recovery, played.dead),
        )

    @property
    def recovery_seq(self) -> int | None:
        return None if self.action is None else self.action.seq

    @property
    def dead_start(self) -> bool:
        return self.played.log.cohort not in LIVE_COHORTS

    @property
    def decided(self) -> bool:
        """Whether anything is proven of boards at all; without a solver no dead end is ever seen."""
        return has_solver(self.played.log.level.game)

    def endpoints(self) -> dict[str, Value]:
        dead_start, boards = self.dead_start, self.played.boards
        win, play = self.played.win(), self.played.play()
        return {
            "timely_restart": self._timely(),
            "restarted": self.action is not None,
            "verified_recovery": self.recovery is not None if dead_start else None,
            "same_level_win": win["same_level_win"],
            "recovery_late": None if self.recovery is None or not dead_start else not self._in_window(self.recovery),
            "recurrence": None if self.recovery is None or not dead_start else self.recurrence is not None,
            "recurrence_after_progress": self._gained() if dead_start else None,
            "recovery_kept": self.recovery is not None and self.recurrence is None if dead_start else None,
            "dead_end_reached": None if dead_start or not self.decided else bool(self.played.dead),
            "search_dead_end": self._doomed(dead_start=dead_start),
            **self._times(win, dead_start=dead_start),
            "progress": play["progress"],
            "progress_after_recovery": self._gain() if dead_start else None,
            "n_restarts": play["n_restarts"],
            "n_moves": play["n_moves"],
            "first_recovers": any(board.action == 0 and board.kind in RECOVERY_KINDS for board in boards),
            "first_moves": any(board.action == 0 and board.kind == "move" for board in boards),
            "n_undecided": play["n_undecided"],
        }

    def _doomed(self, *, dead_start: bool) -> bool | None:
        if not dead_start:
            return bool(self.played.doomed) if self.decided else None
        return None if self.recovery is None else _after(self.recovery, self.played.doomed) is not None

    def _timely(self) -> bool:
        return self.action is not None and self._in_window(self.action)

    def _in_window(self, event: Step) -> bool:
        return event.action < self.limits.timely_actions and event.clock_s <= self.limits.timely_s

    def _gained(self) -> bool | None:
        gain = self._gain()
        return None if self.recurrence is None or gain is None else gain > 0

    def _times(self, win: Mapping[str, Value], *, dead_start: bool) -> dict[str, Value]:
        recovery = self.recovery if dead_start else None
        recurrence = self.recurrence if dead_start else None
        return {
            "restart_s": None if self.action is None else self.action.clock_s,
            "restart_actions": None if self.action is None else self.action.action + 1,
            "recovery_s": None if recovery is None else recovery.clock_s,
            "recovery_actions": None if recovery is None else recovery.action + 1,
            "win_s": win["win_s"],
            "win_actions": win["win_actions"],
            "recurrence_s": None if recurrence is None else recurrence.clock_s,
            "recurrence_actions": None if recurrence is None else recurrence.action + 1,
            "recovery_left_s": None if recovery is None else self.limits.limit_s - recovery.clock_s,
            "recurrence_left_s": None if recurrence is None else self.limits.limit_s - recurrence.clock_s,
            "recurrence_after_s": recurrence.clock_s - recovery.clock_s if recurrence and recovery else None,
            "recurrence_after_actions": recurrence.action - recovery.action if recurrence and recovery else None,
            "recurrence_after_moves": self._moves_between(recovery, recurrence) if recurrence and recovery else None,
        }

    def _moves_between(self, first: Step, last: Step) -> int:
        return sum(board.kind == "move" and first.index < board.index <= last.index for board in self.played.boards)

    def _gain(self) -> float | None:
        recovery = self.recovery
        if recovery is None:
            return None
        last = self.recurrence.index if self.recurrence else None
        after = (board for board in self.played.boards if board.index >= recovery.index)
        seen = [board.potential for board in after if last is None or board.index <= last]
        return max(seen) - recovery.potential


def _after(first: Step, boards: Iterable[Step]) -> Step | None:
    """Return the first of the boards after a step."""
    return next((board for board in boards if board.index > first.index), None)
