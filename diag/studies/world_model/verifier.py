"""Grades a world model against what was recorded. Pure: predictions and history in, numbers out.

For each level the most recent attempt is replayed from its first frame. A transition is graded if the recorded grid
changed, or if it did not and the model's own render did (false motion), or if the model failed there. Joint no-ops
advance the state and are not graded. Accepted: at least one cell is claimed, and every claimed cell is that of the next
frame, by the canonical render or by one of at most five variants with the same unknown cells. Outcomes are checked
apart. Every lost attempt is replayed too, archived or not, for its fatal action.
Source: document 001; other-systems.md 2.1 and 2.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from diag.studies.world_model.history import OUTCOMES, Attempt, Grid, History
from diag.studies.world_model.inside.machine import text_of
from games.grid.actions import GridAction

UNKNOWN = -1
MOST_VARIANTS = 5
Status = Literal["vacuous", "partial", "complete"]


@dataclass(frozen=True)
class Predicted:
    """What a model says of one state. A part that failed is None, and `faults` says why."""

    render: Grid | None = None
    variants: tuple[Grid | None, ...] = ()
    """None for one that is no grid of the frame's shape."""
    outcome: str | None = None
    """As the model gave it, perhaps no valid one."""
    faults: tuple[str, ...] = ()

    @property
    def executes(self) -> bool:
        """Tell whether replay, render and a valid outcome all ran."""
        return self.render is not None and self.outcome in OUTCOMES


@dataclass(frozen=True)
class Match:
    """How one prediction compares with the frame that came."""

    claimed: int
    right: int
    """Claimed cells of the canonical render that are the frame's."""
    cells: int
    accepted: bool
    strict: bool
    rejected_variants: int = 0
    """Of another shape, of other unknown cells, or beyond the fifth."""

    @property
    def known_cell(self) -> float | None:
        """Share of the claimed cells that are right; None if none is claimed."""
        return self.right / self.claimed if self.claimed else None

    @property
    def full_cell(self) -> float:
        """Share of all cells that are claimed and right."""
        return self.right / self.cells

    @property
    def coverage(self) -> float:
        """Share of the cells that are claimed."""
        return self.claimed / self.cells

    @property
    def status(self) -> Status:
        """The coverage in a word."""
        return "vacuous" if not self.claimed else "complete" if self.claimed == self.cells else "partial"


def match(predicted: Predicted, seen: Grid) -> Match:
    """Compare a prediction with the frame that came; a render of another shape claims nothing and is not accepted."""
    render = predicted.render
    if render is None or render.shape != seen.shape:
        return Match(0, 0, seen.size, accepted=False, strict=False, rejected_variants=len(predicted.variants))
    known = render != UNKNOWN
    claimed = int(known.sum())
    given = [one for one in predicted.variants[:MOST_VARIANTS] if one is not None and one.shape == seen.shape]
    candidates = [render, *(one for one in given if ((one != UNKNOWN) == known).all())]
    accepted = claimed > 0 and any(bool((one[known] == seen[known]).all()) for one in candidates)
    rejected = len(predicted.variants) - (len(candidates) - 1)
    right = int((render[known] == seen[known]).sum())
    return Match(claimed, right, seen.size, accepted, bool((render == seen).all()), rejected)


def moves(before: Predicted, after: Predicted, last: Grid) -> bool:
    """Tell whether a model predicts a visible change: a cell that it claims both before and after the action differs.

    Without a render of the state before, the frame that was seen stands for it.
    """
    if after.render is None:
        return False
    earlier = last if before.render is None or before.render.shape != after.render.shape else before.render
    if earlier.shape != after.render.shape:
        return False
    both = (earlier != UNKNOWN) & (after.render != UNKNOWN)
    return bool((earlier != after.render)[both].any())


@dataclass(frozen=True)
class Graded:
    """One ordinary transition and what the model made of it."""

    level: int
    turn: int
    """Of the frame before."""
    action: GridAction
    graded: bool
    match: Match
    fault: str = ""


@dataclass(frozen=True)
class Divergence:
    """The first graded transition of an attempt that is not accepted."""

    level: int
    turn: int
    action: GridAction
    seen: Grid
    predicted: Grid | None
    """None where the model failed."""
    fault: str

    @property
    def cells(self) -> tuple[tuple[int, int, int, int], ...]:
        """Row, column, value predicted and value seen of every claimed cell that is wrong."""
        if self.predicted is None or self.predicted.shape != self.seen.shape:
            return ()
        wrong = (self.predicted != UNKNOWN) & (self.predicted != self.seen)
        return tuple((int(r), int(c), int(self.predicted[r, c]), int(self.seen[r, c])) for r, c in np.argwhere(wrong))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON, grids as text."""
        said = None if self.predicted is None else text_of(self.predicted)
        where = {"level": self.level, "turn": self.turn, "action": str(self.action), "fault": self.fault}
        return {**where, "n_wrong": len(self.cells), "predicted": said, "seen": text_of(self.seen)}


@dataclass(frozen=True)
class OutcomeCheck:
    """One state whose outcome is known."""

    level: int
    turn: int
    wanted: str
    found: str | None
    """None where the model failed."""
    terminal: Match | None = None
    """For a boundary: the render of the last frame."""

    @property
    def holds(self) -> bool:
        """Tell whether the model says what was recorded."""
        return self.found == self.wanted


@dataclass(frozen=True)
class Report:
    """What a model is worth against a history."""

    transitions: tuple[Graded, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    outcomes: tuple[OutcomeCheck, ...] = ()
    faults: tuple[str, ...] = ()
    """Of the model as a whole: it cannot be imported, its run was ended."""

    @property
    def graded(self) -> tuple[Graded, ...]:
        """The graded transitions."""
        return tuple(one for one in self.transitions if one.graded)

    @property
    def accepted(self) -> float | None:
        """Share of the graded transitions that are accepted; None without any."""
        return _share([one.match.accepted for one in self.graded])

    @property
    def strict(self) -> float | None:
        """Share of the graded transitions whose whole frame is right."""
        return _share([one.match.strict for one in self.graded])

    @property
    def coverage(self) -> float | None:
        """Claimed cells over all cells of the graded transitions."""
        return _ratio(sum(one.match.claimed for one in self.graded), sum(one.match.cells for one in self.graded))

    @property
    def status(self) -> Status | None:
        """The coverage in a word; None without a graded transition."""
        found = self.coverage
        return None if found is None else "vacuous" if found == 0 else "complete" if found == 1 else "partial"

    @property
    def known_cell(self) -> float | None:
        """Right cells over claimed cells of the graded transitions; None if none is claimed."""
        return _ratio(sum(one.match.right for one in self.graded), sum(one.match.claimed for one in self.graded))

    @property
    def evaluable_levels(self) -> tuple[int, ...]:
        """Levels with a graded transition."""
        return tuple(sorted({one.level for one in self.graded}))

    @property
    def exact_levels(self) -> tuple[int, ...]:
        """Levels with a graded transition and all of them accepted."""
        wrong = {one.level for one in self.graded if not one.match.accepted}
        return tuple(level for level in self.evaluable_levels if level not in wrong)


def replays(history: History) -> tuple[Attempt, ...]:
    """Return the attempts that a verification replays: the latest of each level, then the other lost ones."""
    latest = tuple(history.latest.values())
    return latest + tuple(one for one in history.deaths if all(one is not other for other in latest))


def verify(history: History, predicted: Sequence[Sequence[Predicted]], *, faults: Sequence[str] = ()) -> Report:
    """Grade a model.

    Args:
        history: what was recorded.
        predicted: for each attempt of `replays(history)`, what the model says of the first state and of the state after
            each of the attempt's actions.
        faults: of the model as a whole.

    Raises:
        ValueError: the numbers of attempts or of states do not match.
    """
    attempts = replays(history)
    n_latest = len(history.latest)
    transitions: list[Graded] = []
    divergences: list[Divergence] = []
    outcomes: list[OutcomeCheck] = []
    for place, (attempt, states) in enumerate(zip(attempts, predicted, strict=True)):
        if len(states) != len(attempt.actions) + 1:
            raise ValueError(f"{len(states)} predictions, wanted {len(attempt.actions) + 1} at level {attempt.level}")
        if place < n_latest:
            found = _graded(attempt, states)
            transitions += found
            divergences += _first(attempt, states, found)
            outcomes += _ordinary(attempt, states)
        outcomes += _boundary(attempt, states)
    return Report(tuple(transitions), tuple(divergences), tuple(outcomes), tuple(faults))


def grade(before: Grid, after: Grid, was: Predicted, now: Predicted) -> tuple[bool, Match]:
    """Tell of one recorded transition whether it is graded, and how the prediction compares."""
    changed = bool((before != after).any())
    return changed or now.render is None or moves(was, now, before), match(now, after)


def _graded(attempt: Attempt, states: Sequence[Predicted]) -> list[Graded]:
    found = []
    for turn, (before, after) in enumerate(zip(attempt.turns, attempt.turns[1:], strict=False)):
        counts, compared = grade(before.grid, after.grid, states[turn], states[turn + 1])
        assert after.action is not None
        fault = "" if states[turn + 1].render is not None else "; ".join(states[turn + 1].faults)
        found.append(Graded(attempt.level, turn, after.action, counts, compared, fault))
    return found


def _first(attempt: Attempt, states: Sequence[Predicted], found: Sequence[Graded]) -> list[Divergence]:
    for one in found:
        if one.graded and not one.match.accepted:
            seen, said = attempt.turns[one.turn + 1].grid, states[one.turn + 1].render
            return [Divergence(attempt.level, one.turn, one.action, seen, said, one.fault)]
    return []


def _ordinary(attempt: Attempt, states: Sequence[Predicted]) -> list[OutcomeCheck]:
    pairs = enumerate(states[: len(attempt.turns)])
    return [OutcomeCheck(attempt.level, turn, "ongoing", state.outcome) for turn, state in pairs]


def _boundary(attempt: Attempt, states: Sequence[Predicted]) -> list[OutcomeCheck]:
    if attempt.end is None:
        return []
    last = states[-1]
    turn = len(attempt.turns) - 1
    return [OutcomeCheck(attempt.level, turn, attempt.end.outcome, last.outcome, match(last, attempt.end.grid))]


def _share(values: Sequence[bool]) -> float | None:
    return _ratio(sum(values), len(values))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


CLEAN_ACCEPTED = 0.999
LEAST_COVERAGE = 0.75


def signal(report: Report | None, *, n_graded: int) -> tuple[str, ...]:
    """Return why the trigger fires; nothing if the model is clean.

    The dynamics come first: no usable model, accepted below 0.999, coverage vacuous or below 0.75, over all levels.
    Only if they are clean do outcomes count: a terminal outcome on a state that is none, a missed completion or loss, a
    terminal render that is wrong or under-covered, an invalid value.

    Args:
        report: the verification of the model in use; None without a model.
        n_graded: transitions that changed the grid, over all levels; without any, everything is clean.
    """
    if not n_graded and (report is None or not report.graded):
        return ()
    if report is None:
        return ("no usable model",)
    if report.faults or all(one.fault for one in report.graded):
        return ("no usable model",)
    reasons = []
    if report.accepted is not None and report.accepted < CLEAN_ACCEPTED:
        reasons.append(f"accepted {report.accepted:.3f}")
    if report.coverage is not None and report.coverage < LEAST_COVERAGE:
        reasons.append("coverage vacuous" if report.coverage == 0 else f"coverage {report.coverage:.3f}")
    return tuple(reasons) or tuple(dict.fromkeys(_outcome_reasons(report.outcomes)))


def _outcome_reasons(checks: Sequence[OutcomeCheck]) -> list[str]:
    reasons = []
    for check in checks:
        if check.found not in OUTCOMES:
            reasons.append("invalid outcome")
        elif check.wanted == "ongoing" and not check.holds:
            reasons.append(f"{check.found} on a state that goes on")
        elif not check.holds:
            reasons.append("missed completion" if check.wanted == "level_complete" else "missed death")
        elif check.terminal is not None and not check.terminal.accepted:
            reasons.append("terminal render wrong")
        elif check.terminal is not None and check.terminal.coverage < LEAST_COVERAGE:
            reasons.append("terminal render under-covered")
    return reasons


def counts(report: Report) -> Mapping[str, Any]:
    """Return the report's numbers as JSON."""
    return {
        "graded": len(report.graded),
        "accepted": report.accepted,
        "strict": report.strict,
        "coverage": report.coverage,
        "status": report.status,
        "known_cell": report.known_cell,
        "evaluable_levels": list(report.evaluable_levels),
        "exact_levels": list(report.exact_levels),
        "outcomes": len(report.outcomes),
        "outcomes_right": sum(one.holds for one in report.outcomes),
        "faults": list(report.faults),
    }
