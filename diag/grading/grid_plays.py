"""Grading of a play of a grid game: events in, scores out; pure and offline. Baselines are those of its log.

| endpoint | meaning |
|---|---|
| rhae | score of the game, 0 to 100: best play |
| levels_completed, completed_share | most levels completed in one play; as a share of the game's |
| won | every level was completed |
| scored_actions | over all plays, failed attempts and RESETs included, opening RESETs not |
| unfinished_actions | of the last play after its last completion |
| capped_levels | levels of the best play at the cap of 115 points |
| n_plays, n_losses | opening RESETs; attempts at a level that were lost |
| reference_midrank | share of reference players beaten, ties half: by levels, then by actions through the last |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diag.analysis.endpoint import Endpoint
from diag.grading.endpoints import counts, shares, yes_no
from diag.grading.frames import Shown, shown
from diag.grading.log import outcome_of
from diag.grading.walk import MalformedLog, field_of, framed
from diag.records import Event, Outcome
from games.grid.card import PlayCounter
from games.grid.scores import GameScore, Play, game_score, level_score

ENDPOINTS = (
    Endpoint(
        "rhae",
        "score",
        unit="points",
        words="relative human action efficiency, 0 to 100",
        better="higher",
        primary=True,
    ),
    *counts(levels_completed="completed levels"),
    *shares(completed_share="completed levels of all"),
    *yes_no(won="every level is completed"),
    *counts(
        scored_actions="actions on completed levels",
        unfinished_actions="actions on the level that was not completed",
        capped_levels="levels whose score is capped",
        n_plays="plays begun",
        n_losses="attempts that were lost",
    ),
    *shares(reference_midrank="reference players beaten, ties half"),
)


def grade_play(events: Sequence[Event], plan_hash: str | None = None) -> Outcome:
    """Return what one play came to. Raises LogError."""
    start, end = framed(events, plan_hash)
    steps = tuple(shown(events))
    return outcome_of(
        start,
        end,
        lambda: (_endpoints(start, steps), _details(start, steps)),
        n_actions=max(0, len(steps) - 1),
        n_invalid_actions=sum(event.kind == "action" for event in events),
    )


def _endpoints(start: Event, steps: Sequence[Shown]) -> dict[str, bool | int | float | None]:
    plays, score = _scored(start, steps)
    return {
        "rhae": score.score,
        "levels_completed": score.levels_completed,
        "completed_share": score.levels_completed / score.n_levels,
        "won": score.levels_completed == score.n_levels,
        "scored_actions": score.actions,
        "unfinished_actions": plays[-1].unfinished_actions,
        "capped_levels": score.capped_levels,
        "n_plays": len(plays),
        "n_losses": sum(one.seen.status == "lost" and not one.seen.is_refused for one in steps),
        "reference_midrank": midrank(max(map(_rank, plays)), reference_plays(field_of(start, "references"))),
    }


def _details(start: Event, steps: Sequence[Shown]) -> dict[str, Any]:
    plays, _ = _scored(start, steps)
    best = max(plays, key=_rank)
    baselines: Sequence[int] = field_of(start, "baselines")
    taken = [*best.level_actions, *[None] * (len(baselines) - len(best.level_actions))]
    names: Sequence[str] = field_of(start, "levels")
    rows = [
        {"level": name, "baseline": baseline, "actions": n, "score": 0.0 if n is None else level_score(baseline, n)}
        for name, baseline, n in zip(names, baselines, taken, strict=True)
    ]
    return {
        "simulated": bool(dict(start.data.get("agent") or {}).get("simulated", True)),
        "baseline_source": str(start.data.get("baseline_source", "")),
        "levels": rows,
    }


def _scored(start: Event, steps: Sequence[Shown]) -> tuple[tuple[Play, ...], GameScore]:
    counter = PlayCounter()
    try:
        for one in steps:
            counter.add(one.action, one.seen)
        return counter.plays, game_score(field_of(start, "baselines"), counter.plays)
    except ValueError as error:
        raise MalformedLog(f"event {start.seq}: {error}") from error


Rank = tuple[int, int]
"""Levels completed, and minus the actions through the last of them: the greater, the better."""


def _rank(play: Play) -> Rank:
    return len(play.level_actions), -sum(play.level_actions)


def reference_plays(by_level: Sequence[Sequence[int | None]]) -> tuple[Rank, ...]:
    """Return the rank of every reference player, who stops at the first level that it does not complete."""
    ranks: list[Rank] = []
    for player in zip(*by_level, strict=True):
        done = player[: player.index(None)] if None in player else player
        ranks.append((len(done), -sum(count for count in done if count is not None)))
    return tuple(ranks)


def midrank(play: Rank, others: Sequence[Rank]) -> float | None:
    """Return the share of the others that a play beats, ties counting half; None without others."""
    beaten = sum(play > other for other in others) + 0.5 * sum(play == other for other in others)
    return beaten / len(others) if others else None
