"""Scores of ARC-AGI-3: relative human action efficiency of a level, a game and a set of games. Pure functions.

Source: the package arc-agi 0.9.9. Levels are weighted by their number; a level scores at most 115, a game at most the
weighted share of its completed levels; comparisons with figures from before 0.9.7 (another cap) do not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEVEL_CAP = 115.0
"""Most points of a level; reached at actions / baseline = 1.15 ** -0.5 = 0.9325."""


@dataclass(frozen=True)
class Play:
    """One play of a game, as it is scored."""

    level_actions: tuple[int, ...]
    """Per completed level, in order: actions since the previous completion, failed attempts and RESETs included. The
    RESET that opens the play is free."""
    unfinished_actions: int = 0
    """Actions after the last completion."""

    @property
    def actions(self) -> int:
        """All scored actions of the play."""
        return sum(self.level_actions) + self.unfinished_actions


@dataclass(frozen=True)
class GameScore:
    """What the plays of one game came to."""

    score: float
    """RHAE of the best play, 0 to 100."""
    levels_completed: int
    """Most levels completed in one play."""
    n_levels: int
    actions: int
    """Summed over all plays."""
    capped_levels: int
    """Levels at the cap in the play that scores."""


def level_score(baseline: int, actions: int) -> float:
    """Return the points of a completed level, 0 to 115; 0 if no action was counted. Raises ValueError."""
    if baseline < 1 or actions < 0:
        raise ValueError(f"baseline {baseline}, actions {actions}: wanted a baseline from 1 and actions from 0")
    return min(LEVEL_CAP, (baseline / actions) ** 2 * 100) if actions else 0.0


def play_score(baselines: Sequence[int], play: Play) -> float:
    """Return the RHAE of one play, 0 to 100.

    Args:
        baselines: reference actions of every level of the game, attempted or not.
        play: the play.

    Raises:
        ValueError: no baseline, or more completed levels than baselines.
    """
    points = _level_scores(baselines, play)
    weights = range(1, len(baselines) + 1)
    total = sum(weights)
    earned = sum(weight * point for weight, point in zip(weights, points, strict=False)) / total
    # As in the package, a completed level without points (no action counted) does not raise the bound.
    bound = sum(weight for weight, point in zip(weights, points, strict=False) if point > 0) / total * 100
    return min(earned, bound)


def capped_levels(baselines: Sequence[int], play: Play) -> int:
    """Return how many completed levels are at the cap."""
    return sum(point == LEVEL_CAP for point in _level_scores(baselines, play))


def game_score(baselines: Sequence[int], plays: Sequence[Play]) -> GameScore:
    """Return the score of a game: the best of its plays; a game without a play scores 0. Raises ValueError."""
    scored = [(play_score(baselines, play), play) for play in plays]
    best, play = max(scored, key=lambda pair: pair[0], default=(0.0, Play(())))
    return GameScore(
        best,
        max((len(each.level_actions) for each in plays), default=0),
        len(baselines),
        sum(each.actions for each in plays),
        capped_levels(baselines, play),
    )


def total_score(scores: Mapping[str, float], offered: Sequence[str]) -> float:
    """Return the mean over all games on offer; a game that was not played counts 0.

    Raises:
        ValueError: no game is on offer, or a score belongs to none of them.
    """
    if not offered or (strange := sorted(scores.keys() - set(offered))):
        found = "no game on offer" if not offered else f"a score of {strange[0]}, which is not on offer"
        raise ValueError(f"{found}: wanted scores of games on offer")
    return sum(scores.get(game, 0.0) for game in offered) / len(offered)


def upper_median(counts: Sequence[int]) -> int:
    """Return the value at place floor(n / 2), from 0, of the counts in ascending order. Raises ValueError if empty."""
    if not counts:
        raise ValueError("no count, wanted at least one reference player")
    return sorted(counts)[len(counts) // 2]


def _level_scores(baselines: Sequence[int], play: Play) -> list[float]:
    if not baselines or len(play.level_actions) > len(baselines):
        raise ValueError(
            f"{len(play.level_actions)} completed levels, {len(baselines)} baselines: wanted one per level"
        )
    return [level_score(baseline, actions) for baseline, actions in zip(baselines, play.level_actions, strict=False)]
