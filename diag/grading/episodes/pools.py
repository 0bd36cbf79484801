"""Tables pooled over episodes: Maze Paint counters, Bolt Unscrew capacity, dead ends and regret by game."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Row = Mapping[str, Any]


def maze_pool(rows: Iterable[Row]) -> dict[str, Any] | None:
    """Return Maze Paint counters: totals, revisit rate, and [productive, zero-progress, invalid] by coverage fifth."""
    found = [row["details"]["maze"] for row in rows if row["details"].get("maze")]
    if not found:
        return None
    bins = {name: _sums([one[name] for one in found]) for name in ("solved", "unsolved")}
    productive, zero, invalid = (sum(column) for column in zip(*bins["solved"], *bins["unsolved"], strict=True))
    unique, revisits = (sum(one[name] for one in found) for name in ("unique", "revisits"))
    return {
        "attempts": sum(one["attempts"] for one in found),
        "won": sum(one["won"] for one in found),
        "productive": productive,
        "zero_progress": zero,
        "invalid": invalid,
        "revisit_rate": revisits / (unique + revisits),
        **{f"{name}_by_fifth": counts for name, counts in bins.items()},
    }


def bolt_pool(rows: Iterable[Row]) -> dict[str, Any] | None:
    """Return the capacity table: moves and decisions by number of free holes."""
    found = [row["details"]["bolt"] for row in rows if row["details"].get("bolt")]
    if not found:
        return None
    moves: dict[str, Counter[str]] = {}
    decisions: dict[str, list[int]] = {}
    for one in found:
        for free, row in one["moves"].items():
            moves.setdefault(free, Counter()).update(row)
        for free, (n, dead) in one["decisions"].items():
            have = decisions.setdefault(free, [0, 0])
            decisions[free] = [have[0] + n, have[1] + dead]
    return {
        "moves_by_free_holes": {free: dict(moves[free]) for free in sorted(moves, key=int)},
        "decisions_by_free_holes": {free: decisions[free] for free in sorted(decisions, key=int)},
    }


def dead_end_pool(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Return dead ends by game: attempts, how many reached one, and of these the delay in moves and the exit."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        game = str(row["checkpoint_id"]).split("/")[0]
        have = found.setdefault(
            game,
            {
                "attempts": 0,
                "attempts_reached": 0,
                "certified": 0,
                "visits": 0,
                "delays": [],
                "exits": Counter(),
                "undecided": 0,
            },
        )
        visits = row["details"]["dead_ends"]
        first = [visit for visit in visits if visit["first_of_attempt"]]
        have["attempts"] += int(row["n_attempts_at_levels"])
        have["attempts_reached"] += len(first)
        have["certified"] += int(row["dead_end_certified"])
        have["visits"] += len(visits)
        have["undecided"] += int(row["verdicts_undecided"])
        have["delays"] += [visit["delay_moves"] for visit in first]
        have["exits"].update(visit["exit"] for visit in first)
    return {game: _with_delays(have) for game, have in found.items()}


def regret_pool(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Return regrets by game: counts of every kind of move, extra moves, mean finite regret."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        one = row["details"]["regret"]
        have = found.setdefault(str(row["checkpoint_id"]).split("/")[0], Counter())
        have.update({name: one[name] for name in ("moves", "shortest", "in_dead_end", "undecided")})
        have.update({"costly": len(one["costly"]), "fatal": len(one["fatal"])})
        have.update({"extra_moves": sum(item[3] for item in one["costly"])})
    return {game: {**_all_kinds(have), "mean_finite": _mean_finite(have)} for game, have in found.items()}


_KINDS = ("moves", "shortest", "costly", "fatal", "in_dead_end", "undecided", "extra_moves")


def _all_kinds(have: Counter[str]) -> dict[str, int]:
    return {name: have[name] for name in _KINDS}


def _mean_finite(have: Counter[str]) -> float | None:
    n = have["shortest"] + have["costly"]
    return have["extra_moves"] / n if n else None


def _with_delays(have: dict[str, Any]) -> dict[str, Any]:
    delays = have.pop("delays")
    return {
        **have,
        "exits": dict(have["exits"]),
        "mean_delay_moves": statistics.fmean(delays) if delays else None,
        "median_delay_moves": statistics.median(delays) if delays else None,
    }


def _sums(tables: list[list[list[int]]]) -> list[list[int]]:
    """Add tables of equal shape cell by cell."""
    return [[sum(cells) for cells in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]
