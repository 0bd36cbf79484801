"""The scorecard of a server: what was played on it, and its JSON with the scores, as the package arc-agi gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from games.contract import JsonObject
from games.grid.actions import GridAction
from games.grid.arcade.wire import STATES
from games.grid.card import PlayCounter
from games.grid.contract import Observation, Status
from games.grid.scores import LEVEL_CAP, Play, level_score, play_score


@dataclass
class Tally:
    """One game opened on a card under one guid: its plays, and how the last one stands."""

    guid: str
    counter: PlayCounter = field(default_factory=PlayCounter)
    statuses: list[Status] = field(default_factory=list)
    """Per play."""

    def add(self, action: GridAction, seen: Observation) -> None:
        """Count one action and its answer."""
        self.counter.add(action, seen)
        if not seen.is_refused:
            self.statuses[len(self.counter.plays) - 1 :] = [seen.status]

    def runs(self, baselines: Sequence[int]) -> list[JsonObject]:
        """Return every play as the card shows it."""
        counted = zip(self.counter.plays, self.statuses, self.counter.resets, strict=True)
        return [_run(self.guid, play, status, resets, baselines) for play, status, resets in counted]


@dataclass
class Card:
    """A scorecard: games in the order in which they were first opened."""

    card_id: str
    key: str
    tags: tuple[str, ...]
    competition: bool
    source_url: str | None = None
    opaque: Any = None
    tallies: dict[str, list[Tally]] = field(default_factory=dict)
    """By game id."""

    def to_json(self, baselines: Mapping[str, Sequence[int]]) -> JsonObject:
        """Return the card with its scores; in competition every game on offer counts, opened or not.

        Args:
            baselines: of every game on offer, by game id.
        """
        offered = baselines if self.competition else self.tallies
        games = [_game(name, self.tallies.get(name, []), baselines[name]) for name in offered]
        given = {"source_url": self.source_url, "opaque": self.opaque}
        return {
            **{name: value for name, value in given.items() if value is not None},
            "tags": list(self.tags),
            "card_id": self.card_id,
            "score": fmean(game["score"] for game in games) if games else 0.0,
            "environments": games,
            "tags_scores": [],
            "competition_mode": self.competition,
            "total_environments_completed": sum(game["completed"] for game in games),
            "total_environments": len(games),
            "total_levels_completed": sum(game["levels_completed"] for game in games),
            "total_levels": sum(game["level_count"] for game in games),
            "total_actions": sum(game["actions"] for game in games),
        }


def _game(game_id: str, tallies: Sequence[Tally], baselines: Sequence[int]) -> JsonObject:
    runs = [run for tally in tallies for run in tally.runs(baselines)]
    runs = runs or [_run("", Play(()), "playing", 0, baselines)]
    return {
        "id": game_id,
        "runs": runs,
        "score": max(run["score"] for run in runs),
        "actions": sum(run["actions"] for run in runs),
        "levels_completed": max(run["levels_completed"] for run in runs),
        "completed": any(run["completed"] for run in runs),
        "level_count": len(baselines),
        "resets": sum(run["resets"] for run in runs),
    }


def _run(guid: str, play: Play, status: Status, resets: int, baselines: Sequence[int]) -> JsonObject:
    done = len(play.level_actions)
    left = [play.unfinished_actions, *[0] * len(baselines)][: len(baselines) - done]
    scores = [level_score(baseline, n) for baseline, n in zip(baselines, play.level_actions, strict=False)]
    return {
        "guid": guid,
        "score": play_score(baselines, play),
        "levels_completed": done,
        "actions": play.actions,
        "resets": resets,
        "state": STATES[status],
        "completed": status == "won",
        "level_scores": [*(min(LEVEL_CAP, score) for score in scores), *[0.0] * len(left)],
        "level_actions": [*play.level_actions, *left],
        "level_baseline_actions": list(baselines),
        "number_of_environments": 0,
    }
