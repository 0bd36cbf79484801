"""Milestones checked in order on a copy of the final state: the first that fails ends the check, completion is K/N.

The judge is handed its own session, put where the player left off, and never the player's: what it clicks cannot change
what is scored. The evaluator's snapshot is the truth that its verdicts are measured against. Milestone texts are made
here and go to the judge alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.clue_house.game import GAME
from games.clue_house.layout import Layout
from games.clue_house.rules import State, initial_state, step
from games.contract import JsonObject, LevelId
from solvers.certificate import DeadEnd
from solvers.clue_house.knowledge import solve_informed

MOST = 12
"""Milestones of one objective at most, as published."""
KEY = "key "
"""Begins the name of a milestone that is a key."""


@dataclass(frozen=True)
class Milestone:
    """One thing to check; `text` is what a judge is told."""

    name: str
    text: str
    level: LevelId | None = None
    """The level that must be won; None: a board of the objective was opened."""


@dataclass(frozen=True)
class Completion:
    """The verdicts given, in order, up to and with the first failure."""

    verdicts: tuple[bool, ...]
    n_milestones: int

    @property
    def reached(self) -> int:
        """K: milestones satisfied before the first failure."""
        return sum(self.verdicts)

    @property
    def share(self) -> float:
        """K / N."""
        return self.reached / self.n_milestones


@dataclass(frozen=True)
class Agreement:
    """A judge against the evaluator over episodes; correlations are None where one side never varies."""

    n_episodes: int
    accuracy: float
    """Share of episodes with the same K."""
    spearman: float | None
    pearson: float | None


def milestones(game: str, difficulty: str, levels: Sequence[LevelId]) -> tuple[Milestone, ...]:
    """Return the milestones of an objective: suite, game, difficulty, then each level; at most twelve.

    Args:
        game: as the screen says it.
        difficulty: as the screen says it.
        levels: its levels, in order.
    """
    entered = (
        Milestone("suite", "The menu of the suite was left: a game is open."),
        Milestone("game", f"The game {game} was opened."),
        Milestone("difficulty", f"A board of {game}, difficulty {difficulty}, was opened."),
    )
    won = (Milestone(f"level {one.number}", f"Level {one.number} is marked as won.", one) for one in levels)
    return (*entered, *won)[:MOST]


def level_milestones(layout: Layout, level: LevelId) -> tuple[Milestone, ...]:
    """Return the milestones of one clue level: the board, each key in the order of a shortest win, the win itself.

    Every one can be seen from where a player left off; of more than fit, the first keys are left out.
    """
    texts = GAME.texts("en")
    entered = milestones(str(texts["title"]), str(texts["difficulties"][level.difficulty]), [level])
    colours = [layout.key_in[state.room] for state in _taking(layout) if state.room in layout.key_in]
    room = MOST - len(entered)
    keys = tuple(Milestone(KEY + colour, f"The {colour} key is carried.") for colour in colours)[-room:]
    return (*entered[:-1], *keys, entered[-1])


def board_truth(checks: Sequence[Milestone], board: JsonObject) -> Completion:
    """Return what the evaluator knows of a clue level's milestones, given the last scene of its board.

    A play starts on the board and ends with it, so suite, game and difficulty hold.
    """

    def holds(milestone: Milestone) -> bool:
        if milestone.name.startswith(KEY):
            return milestone.name.removeprefix(KEY) in board["pocket"]
        return milestone.level is None or bool(board["found"])

    return judged(checks, holds)


def _taking(layout: Layout) -> list[State]:
    """Return the states of a shortest informed win in which something is taken."""
    found = solve_informed(layout)
    if isinstance(found, DeadEnd):
        raise ValueError("the level cannot be won without guessing")
    state, states = initial_state(layout), []
    for move in found.solution:
        states += [state] if move == "take" else []
        state = step(state, move)
    return states


def judged(checks: Sequence[Milestone], holds: Callable[[Milestone], bool]) -> Completion:
    """Check milestones in order until one fails. Raises ValueError without any."""
    if not checks:
        raise ValueError("found no milestone, wanted at least one")
    verdicts: list[bool] = []
    for milestone in checks:
        verdicts.append(holds(milestone))
        if not verdicts[-1]:
            break
    return Completion(tuple(verdicts), len(checks))


def agreement(judge: Sequence[Completion], evaluator: Sequence[Completion]) -> Agreement:
    """Compare a judge with the evaluator; scores are normalised (K/N), so that no objective's size dominates.

    Raises:
        ValueError: the lists differ in length or are empty.
    """
    from scipy import stats

    if len(judge) != len(evaluator) or not judge:
        raise ValueError(f"found {len(judge)} and {len(evaluator)} episodes, wanted equally many and at least one")
    pairs = tuple(zip(judge, evaluator, strict=True))
    one, other = [pair[0].share for pair in pairs], [pair[1].share for pair in pairs]
    varies = len(set(one)) > 1 and len(set(other)) > 1
    return Agreement(
        len(pairs),
        sum(first.reached == second.reached for first, second in pairs) / len(pairs),
        float(stats.spearmanr(one, other).statistic) if varies else None,
        float(stats.pearsonr(one, other).statistic) if varies else None,
    )
