"""Published measures of whole episodes over the objectives of a study: macro averages, horizon, deficits, curves.

A row is one valid episode: its row of the outcome table with the `details` of its outcome. An episode that the
apparatus broke has no row and enters no denominator. Unless a measure says otherwise it is averaged over the episodes
of an objective, then over the objectives of a game, then over the games, equally each time. Source: first source
document, "Completion", "Horizon", "Behavior", "Reached and unreached levels", "Stopping".
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diag.grading.episodes.pools import bolt_pool, dead_end_pool, maze_pool, regret_pool
from diag.records.csv_text import csv_text

Row = Mapping[str, Any]
ABOVE_EASIEST: Mapping[str, tuple[str, ...]] = {
    "bolt_unscrew": ("hard",),
    "rush_hour": ("medium", "hard"),
    "nut_and_bolt": ("medium", "hard", "extreme", "nightmare"),
    "maze_paint": ("medium", "hard"),
    "color_connect": ("hard",),
}
"""Objectives above each game's easiest tier: those of LC_hard. Truck Escape has a single tier and is not in it."""
HORIZON_LEVELS = 10
HOUR_S = 3_600
MINUTE_S = 60


@dataclass(frozen=True)
class Horizon:
    """The 50 % level horizon: where S(k) crosses one half, linear between integers."""

    curve: tuple[float, ...]
    """S(0) to S(10): mean over ten-level objectives of the share of episodes with at least k levels solved."""
    n_objectives: int

    @property
    def value(self) -> float | None:
        """Levels; None if S(10) >= 0.5, which is reported as 10+."""
        k = max(place for place, share in enumerate(self.curve) if share >= 0.5)
        if k == HORIZON_LEVELS:
            return None
        return k + (self.curve[k] - 0.5) / (self.curve[k] - self.curve[k + 1])

    def __str__(self) -> str:
        return f"{HORIZON_LEVELS}+" if self.value is None else f"{self.value:.1f}"


def objective_of(row: Row) -> tuple[str, str]:
    """Return game and difficulty of an episode."""
    game, _, difficulty = str(row["checkpoint_id"]).partition("/")
    return game, difficulty


def by_objective(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return the episodes of each objective, in order of first appearance."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[objective_of(row)].append(row)
    return dict(found)


def macro(rows: Iterable[Row], value: str | Callable[[Row], float | None]) -> float | None:
    """Return the game-macro average; episodes without the value are left out, None if none has it."""
    read = (lambda row: row.get(value)) if isinstance(value, str) else value
    games: dict[str, list[float]] = defaultdict(list)
    for (game, _), episodes in by_objective(rows).items():
        values = [float(found) for row in episodes if (found := read(row)) is not None]
        if values:
            games[game].append(statistics.fmean(values))
    return statistics.fmean(map(statistics.fmean, games.values())) if games else None


def hard_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the episodes of objectives above their game's easiest tier."""
    return [row for row in rows if objective_of(row)[1] in ABOVE_EASIEST.get(objective_of(row)[0], ())]


def level_pass_rate(rows: Iterable[Row]) -> float | None:
    """Return wins / reached levels: pooled over the episodes of an objective, then over objectives and games equally.

    None (undefined) if nothing was reached; an objective without a reached level is left out. Source: "Horizon".
    """
    games: dict[str, list[float]] = defaultdict(list)
    for (game, _), episodes in by_objective(rows).items():
        n_won, n_reached = (sum(int(row[name]) for row in episodes) for name in ("n_won", "n_reached"))
        if n_reached:
            games[game].append(n_won / n_reached)
    return statistics.fmean(map(statistics.fmean, games.values())) if games else None


def horizon(rows: Iterable[Row]) -> Horizon | None:
    """Return the 50 % level horizon over the ten-level objectives; None without one."""
    long = [found for found in by_objective(rows).values() if found[0]["n_levels"] == HORIZON_LEVELS]
    if not long:
        return None
    curve = [
        statistics.fmean(statistics.fmean(row["n_won"] >= k for row in episodes) for episodes in long)
        for k in range(HORIZON_LEVELS + 1)
    ]
    return Horizon(tuple(curve), len(long))


def share(rows: Sequence[Row], name: str) -> float | None:
    """Return the pooled share of episodes for which a yes/no measure holds (PER, SMR); None without episodes."""
    return statistics.fmean(bool(row[name]) for row in rows) if rows else None


def unreached_share(rows: Sequence[Row]) -> float | None:
    """Return aggregated (1 - R) / aggregated (1 - LC); None if nothing is missing."""
    lc, reach = macro(rows, "lc"), macro(rows, "reach")
    return None if lc is None or reach is None or lc >= 1 else (1 - reach) / (1 - lc)


def lc_at(rows: Iterable[Row], clock_s: float) -> float | None:
    """Return the macro LC as it stood at a time: levels whose first win was observed by then."""

    def won_by(row: Row) -> float:
        levels = row["details"]["levels"]
        return statistics.fmean(one["won_s"] is not None and one["won_s"] <= clock_s for one in levels)

    return macro(rows, won_by)


def ngar(rows: Iterable[Row]) -> float | None:
    """Return NGAR in percent, pooled over all action steps; None where no episode executed code."""
    counts = [row["details"]["native_steps"] for row in rows if row["details"].get("native_steps")]
    total = sum(native + other for native, other in counts)
    return 100.0 * sum(native for native, _ in counts) / total if total else None


def stops(rows: Sequence[Row]) -> dict[str, Any]:
    """Return who of the unsuccessful episodes stopped, when, and what was forfeited."""
    failed = [row for row in rows if not row["objective_success"]]
    stopped = [row for row in failed if row["premature_exit"]]
    minutes = [float(row["stopped_s"]) / MINUTE_S for row in stopped]
    return {
        "unsuccessful": len(failed),
        "stopped": len(stopped),
        "at_deadline": sum(row["ending"] == "time_limit" for row in failed),
        "median_stop_min": statistics.median(minutes) if minutes else None,
        "forfeited_levels": sum(int(row["forfeited_levels"]) for row in stopped),
        "episodes": [
            {
                "unit_id": row["unit_id"],
                "ending": row["ending"],
                "stop_min": round(float(row["stopped_s"]) / MINUTE_S, 2),
                "forfeited_levels": int(row["forfeited_levels"]),
            }
            for row in stopped
        ],
    }


def episode_summary(rows: Sequence[Row], *, end_s: float = HOUR_S) -> dict[str, Any]:
    """Return every published measure of a study, shares in [0, 1], each with what it is taken over."""
    found = horizon(rows)
    percent = {"per": "premature_exit", "smr": "setting_mismatch"}
    curve = [[minute, lc_at(rows, float(minute * MINUTE_S))] for minute in range(int(end_s) // MINUTE_S + 1)]
    return {
        "n_episodes": len(rows),
        "n_objectives": len(by_objective(rows)),
        "n_games": len({objective_of(row)[0] for row in rows}),
        "lc": macro(rows, "lc"),
        "osr": macro(rows, "objective_success"),
        "fgp": macro(rows, "fgp"),
        "lc_hard": macro(hard_rows(rows), "lc"),
        "reach": macro(rows, "reach"),
        "deficit": None if (lc := macro(rows, "lc")) is None else 1 - lc,
        "deficit_unreached": macro(rows, "deficit_unreached"),
        "deficit_reached": macro(rows, "deficit_reached"),
        "unreached_share": unreached_share(rows),
        "level_pass_rate": level_pass_rate(rows),
        "n_won": sum(int(row["n_won"]) for row in rows),
        "n_reached": sum(int(row["n_reached"]) for row in rows),
        "horizon": None if found is None else str(found),
        "horizon_curve": None if found is None else list(found.curve),
        **{name: share(rows, column) for name, column in percent.items()},
        "ngar_percent": ngar(rows),
        "stops": stops(rows),
        "lc_over_time_min": curve,
        "maze": maze_pool(rows),
        "bolt": bolt_pool(rows),
        "dead_ends": dead_end_pool(rows),
        "regret": regret_pool(rows),
    }


OBJECTIVE_COLUMNS = ("lc", "objective_success", "fgp", "reach", "completion_if_reached", "regret_mean", "elapsed_s")


def objective_table(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one line per objective: means over its episodes."""
    lines = []
    for (game, difficulty), episodes in by_objective(rows).items():
        line: dict[str, Any] = {"game": game, "difficulty": difficulty, "episodes": len(episodes)}
        for name in OBJECTIVE_COLUMNS:
            values = [float(row[name]) for row in episodes if row.get(name) is not None]
            line[name] = round(statistics.fmean(values), 6) if values else None
        line["level_pass_rate"] = level_pass_rate(episodes)
        line["endings"] = " ".join(sorted(str(row["ending"]) for row in episodes))
        lines.append(line)
    return lines


def episode_tables(rows: Sequence[Row]) -> dict[str, str]:
    """Return the files of the study: `episodes.json` with every measure, `objectives.csv` line by line."""
    if not rows:
        return {}
    summary = json.dumps(episode_summary(rows), indent=1, allow_nan=False)
    return {"episodes.json": summary + "\n", "objectives.csv": as_csv(objective_table(rows))}


def as_csv(lines: Sequence[Mapping[str, Any]]) -> str:
    """Return lines with equal keys as CSV."""
    return csv_text(list(lines[0]), lines)


def summary_lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the main measures in words, each with its denominator."""
    if not rows:
        return ("no valid episode: no measure",)
    s = episode_summary(rows)
    over = f"{s['n_episodes']} episodes, {s['n_objectives']} objectives, {s['n_games']} games equally"
    return (
        f"LC {_percent(s['lc'])}  OSR {_percent(s['osr'])}  FGP {_percent(s['fgp'])}  LC_hard {_percent(s['lc_hard'])}"
        f"  ({over})",
        f"50 % level horizon {s['horizon'] or 'undefined'}; level pass rate {_percent(s['level_pass_rate'])} "
        f"(games equally; in all {s['n_won']} wins of {s['n_reached']} reached levels)",
        f"PER {_percent(s['per'])}  SMR {_percent(s['smr'])}  "
        f"NGAR {_plain(s['ngar_percent'])} (code-execution steps only)",
        f"deficit 1-LC {_percent(s['deficit'])} = unreached {_percent(s['deficit_unreached'])} + reached and not "
        f"completed {_percent(s['deficit_reached'])}; unreached share {_percent(s['unreached_share'])}",
        *(_dead_line(game, found) for game, found in s["dead_ends"].items() if found["attempts_reached"]),
        *(_regret_line(game, found) for game, found in s["regret"].items()),
    )


def _dead_line(game: str, found: Mapping[str, Any]) -> str:
    exits = ", ".join(f"{count} {way}" for way, count in sorted(found["exits"].items()))
    return (
        f"dead ends in {game}: {found['attempts_reached']} of {found['attempts']} attempts, mean delay "
        f"{found['mean_delay_moves']:.1f} moves, left by {exits}"
    )


def _regret_line(game: str, found: Mapping[str, Any]) -> str:
    return (
        f"regret in {game}: {found['shortest']} shortest, {found['costly']} costly (+{found['extra_moves']} moves), "
        f"{found['fatal']} fatal, {found['in_dead_end']} inside dead ends, {found['undecided']} undecided, of "
        f"{found['moves']} moves"
    )


def _percent(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:.1f} %"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} %"
