"""Grading of an episode: events in, `Outcome` out; pure, offline, needs the solvers but no game session.

Endpoints are scalars, one column each (docs/studies/episodes.md names them all); `details` holds what pooled tables are
made of: level records, Maze Paint counters, the Bolt Unscrew capacity table, how boards were played, dead-end visits,
regrets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from diag.grading.endpoints import among, counts, primary, seconds, shares, yes_no
from diag.grading.episodes.attempts import LevelAttempt, level_attempts
from diag.grading.episodes.board_play import board_play
from diag.grading.episodes.bolt import Measure, capacity_table, measure_with
from diag.grading.episodes.completion import (
    LevelRecord,
    completion,
    level_records,
    premature_exit,
    setting_mismatch,
)
from diag.grading.episodes.dead_ends import DeadEnds, dead_ends
from diag.grading.episodes.distances import EpisodeDistances, SolverBook
from diag.grading.episodes.log import EpisodeLog
from diag.grading.episodes.maze import Coverage, MazeCounters, coverage_with, maze_counters
from diag.grading.episodes.regret import Distances, Regrets, regrets
from diag.grading.log import Value
from diag.records import Event, Outcome

WITH_CODE = "attempts in the code-execution setting"
ENDPOINTS = (
    *primary(*shares(lc="level completion: won levels of all; a won level keeps its credit")),
    *yes_no(objective_success="every level is won"),
    *shares(
        fgp="mean best potential of the levels, 1 if won, 0 if unvisited",
        reach="levels of which a board was in play",
        deficit_unreached="1 - LC: the part of levels that were not reached",
        deficit_reached="1 - LC: the part of levels that were reached and not won",
    ),
    *among("episodes that reached a level", *shares(completion_if_reached="won levels of those reached")),
    *counts(n_levels="levels of the objective", n_reached="reached levels", n_won="won levels"),
    *yes_no(
        premature_exit="own stop or refused claim, without success, while budget remains",
        setting_mismatch="a board of another game or difficulty was in play",
    ),
    *seconds(stopped_s="of a premature exit: when"),
    *among("episodes that stopped early", *counts(forfeited_levels="levels still open")),
    *seconds(last_win_s="until the last win"),
    *among(WITH_CODE, *shares(ngar="native steps of all action steps")),
    *counts(
        n_attempts_at_levels="attempts at levels of the objective",
        n_moves="accepted moves",
        n_restarts="native restarts",
        n_undos="undos",
    ),
    *among(
        "episodes of Maze Paint",
        *counts(
            maze_productive="moves that paint",
            maze_zero_progress="moves that paint nothing",
            maze_invalid="inputs that move nothing",
        ),
    ),
    *among(
        "episodes of Maze Paint with a move",
        *shares(maze_revisit_rate="moves to a (ball, painted cells) seen before in the attempt"),
    ),
    *counts(
        dead_end_attempts="attempts that became unsolvable",
        dead_end_certified="of them with their game's certificate",
        dead_end_visits="times that a board became unsolvable",
    ),
    *among(
        "episodes that left a dead end",
        *counts(dead_end_delay_moves="moves from an attempt's first unsolvable board to its undo, restart or end"),
    ),
    *counts(verdicts_undecided="boards that the solver left open"),
    *among(
        "episodes with a move of finite regret",
        *counts(regret_mean="mean extra cost e = 1 + d(after) - d(before) of judged moves"),
    ),
    *counts(
        regret_total="sum of the extra costs",
        regret_shortest_moves="moves with e = 0",
        regret_costly_moves="moves with 0 < e < infinity",
        regret_fatal_moves="moves into a dead end",
        regret_undecided_moves="moves whose distances are open",
    ),
)
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
