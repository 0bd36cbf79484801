"""Grading of an episode: events in, `Outcome` out; pure, offline, needs the solvers but no game session.

Endpoints are scalars, one column each (docs/rq1.md names them all); `details` holds what pooled tables are made of:
level records, Maze Paint counters, the Bolt Unscrew capacity table, how boards were played, dead-end visits, regrets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from diag.analysis.endpoint import Endpoint
from diag.grading.endpoints import among, counts, seconds, shares, yes_no
from diag.grading.episodes.attempts import LevelAttempt, level_attempts
from diag.grading.episodes.board_play import board_play
from diag.grading.episodes.bolt import Measure, capacity_table
from diag.grading.episodes.completion import (
    LevelRecord,
    completion,
    level_records,
    premature_exit,
    setting_mismatch,
)
from diag.grading.episodes.dead_ends import DeadEnds, dead_ends
from diag.grading.episodes.log import EpisodeLog
from diag.grading.episodes.maze import Coverage, MazeCounters, maze_counters
from diag.grading.episodes.regret import Distances, Regrets, regrets
from diag.grading.log import Value
from diag.records import Event, Outcome

WITH_CODE = "attempts in the code-execution setting"
ENDPOINTS = (
    Endpoint("lc", "share", primary=True),
    *yes_no("objective_success"), *shares("fgp", "reach", "deficit_unreached", "deficit_reached"),
    *among("episodes that reached a level", *shares("completion_if_reached")),
    *counts("n_levels", "n_reached", "n_won"),
    *yes_no("premature_exit", "setting_mismatch"), *seconds("stopped_s"),
    *among("episodes that stopped early", *counts("forfeited_levels")),
    *seconds("last_win_s"), *among(WITH_CODE, *shares("ngar")),
    *counts("n_attempts_at_levels", "n_moves", "n_restarts", "n_undos"),
    *among("episodes of Maze Paint", *counts("maze_productive", "maze_zero_progress", "maze_invalid")),
    *among("episodes of Maze Paint with a move", *shares("maze_revisit_rate")),
    *counts("dead_end_attempts", "dead_end_certified", "dead_end_visits"),
    *among("episodes that left a dead end", *counts("dead_end_delay_moves")),
    *counts("verdicts_undecided"),
    *among("episodes with a move of finite regret", *counts("regret_mean")),
    *counts("regret_total", "regret_shortest_moves", "regret_costly_moves", "regret_fatal_moves"),
    *counts("regret_undecided_moves"),
)  # fmt: skip
"""All endpoints, in the order of the outcome table."""


@dataclass(frozen=True)
class EpisodeTools:
    """What grading asks of the games and solvers; `solver_tools` makes the real ones."""

    distances: Callable[[], Distances]
    """Fresh knowledge for one episode."""
    capacity: Measure
    coverage: Coverage


def grade_episode(events: Sequence[Event], *, tools: EpisodeTools, plan_hash: str | None = None) -> Outcome:
    """Return what one episode came to.

    An infrastructure failure has no endpoints, and so enters no denominator; an episode whose agent was never asked is
    one (`never_ran`).

    Raises:
        LogError: the log cannot be graded.
    """
    log = EpisodeLog.read(events, plan_hash=plan_hash)
    if log.failed:
        return log.outcome({})
    graded = _Graded.of(log, tools)
    return log.outcome(graded.endpoints(), details=graded.details())


def solver_tools(levels: Any) -> EpisodeTools:
    """Return the tools over a catalogue and the registered solvers; what they work out is kept for the process."""
    from diag.grading.episodes.bolt import measure_with
    from diag.grading.episodes.distances import EpisodeDistances, SolverBook
    from diag.grading.episodes.maze import coverage_with

    book = SolverBook(levels)
    return EpisodeTools(lambda: EpisodeDistances(book), measure_with(levels.layout), coverage_with(levels.layout))


@dataclass(frozen=True)
class _Graded:
    log: EpisodeLog
    attempts: tuple[LevelAttempt, ...]
    levels: tuple[LevelRecord, ...]
    maze: MazeCounters | None
    bolt: dict[str, Any] | None
    play: dict[str, Any]
    dead: DeadEnds
    regrets: Regrets

    @classmethod
    def of(cls, log: EpisodeLog, tools: EpisodeTools) -> _Graded:
        attempts = level_attempts(log.steps)
        wanted = set(log.levels)
        on_target = tuple(attempt for attempt in attempts if attempt.level in wanted)
        known = tools.distances()
        table = capacity_table(on_target, log.decisions, tools.capacity)
        return cls(
            log=log,
            attempts=on_target,
            levels=level_records(log.levels, log.steps, attempts),
            maze=maze_counters(on_target, log.inputs, tools.coverage),
            bolt=None if table is None else table.to_json(),
            play=board_play(on_target, log.inputs, tools.capacity),
            dead=dead_ends(on_target, known.verdict, known.is_certified, end_s=log.elapsed_s),
            regrets=regrets(on_target, known),
        )

    def endpoints(self) -> dict[str, Value]:
        found = completion(self.levels)
        premature = premature_exit(self.log, success=found.success)
        native = self.log.native
        n_reached, n_won = (sum(getattr(one, name) for one in self.levels) for name in ("reached", "won"))
        return {
            "lc": found.lc,
            "objective_success": found.success,
            "fgp": found.fgp,
            "reach": found.reach,
            "deficit_unreached": found.unreached,
            "deficit_reached": found.reached_not_completed,
            "completion_if_reached": n_won / n_reached if n_reached else None,
            "n_levels": len(self.levels),
            "n_reached": n_reached,
            "n_won": n_won,
            "premature_exit": premature,
            "setting_mismatch": setting_mismatch(self.log),
            "stopped_s": self.log.elapsed_s if premature else None,
            "forfeited_levels": len(self.levels) - n_won if premature else None,
            "last_win_s": max((one.won_s for one in self.levels if one.won_s is not None), default=None),
            "ngar": None if native is None else native.ngar,
            "n_attempts_at_levels": len(self.attempts),
            "n_moves": sum(attempt.n_moves for attempt in self.attempts),
            "n_restarts": sum(attempt.boards[0].kind == "restart" for attempt in self.attempts),
            "n_undos": sum(board.kind == "undo" for attempt in self.attempts for board in attempt.boards),
            **self._maze(),
            "dead_end_attempts": self.dead.n_attempts_reached,
            "dead_end_certified": self.dead.n_certified,
            "dead_end_visits": len(self.dead.visits),
            "dead_end_delay_moves": self.dead.mean_delay_moves,
            "verdicts_undecided": self.dead.n_undecided,
            "regret_mean": self.regrets.mean_finite,
            "regret_total": self.regrets.total_finite,
            "regret_shortest_moves": self.regrets.n_shortest,
            "regret_costly_moves": len(self.regrets.costly),
            "regret_fatal_moves": len(self.regrets.fatal),
            "regret_undecided_moves": self.regrets.n_undecided,
        }

    def _maze(self) -> dict[str, Value]:
        total = None if self.maze is None else self.maze.total
        return {
            "maze_productive": None if total is None else total.productive,
            "maze_zero_progress": None if total is None else total.zero_progress,
            "maze_invalid": None if total is None else total.invalid,
            "maze_revisit_rate": None if self.maze is None else self.maze.revisit_rate,
        }

    def details(self) -> dict[str, Any]:
        native = self.log.native
        return {
            "levels": [_level_json(one) for one in self.levels],
            "maze": None if self.maze is None else self.maze.to_json(),
            "bolt": self.bolt,
            "play": self.play,
            "dead_ends": [visit.to_json() for visit in self.dead.visits],
            "regret": self.regrets.to_json(),
            "native_steps": None if native is None else [native.n_native, native.n_other],
        }


def _level_json(record: LevelRecord) -> dict[str, Any]:
    return {**vars(record), "level": str(record.level)}
