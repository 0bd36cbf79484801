"""Tables of studies of grid games: a row per game and policy with a total, levels, and arms paired game by game."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from diag.analysis.cluster_intervals import percentile_interval
from diag.analysis.clusters import ResamplePlan, cluster_totals
from diag.analysis.effects import leave_one_out
from diag.records.csv_text import csv_text
from diag.starts.grid_games import COHORT
from diag.studies.contract import Rows
from diag.studies.study import Study

CARD = (
    "arm", "policy", "simulated", "game", "n_plays", "rhae", "levels_completed", "n_levels", "scored_actions",
    "capped_levels", "reference_midrank", "endings", "baseline_source",
)  # fmt: skip
LEVELS = ("arm", "policy", "game", "unit_id", "level", "baseline", "actions", "score")
PAIRS = (
    "contrast", "games", "mean_difference", "low", "high", "leave_one_out_low", "leave_one_out_high", "better", "worse",
    "tied",
)  # fmt: skip
TOTAL = "total"
"""What stands for the game in the row of a policy's total: means over games, sums of counts."""
SAME = 1e-9


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return the scorecard, its levels, and the comparisons of policies."""
    return {
        "scorecard.csv": csv_text(CARD, scorecard(study, rows)),
        "arc_levels.csv": csv_text(LEVELS, _levels(study, rows)),
        "policies.csv": csv_text(PAIRS, comparisons(study, rows)),
    }


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return the total of every policy, and every comparison."""
    totals = [row for row in scorecard(study, rows) if row["game"] == TOTAL]
    lines = [
        f"{row['arm']} {row['policy']}: RHAE {row['rhae']:.2f}, levels {row['levels_completed']:g} of "
        f"{row['n_levels']}, {row['scored_actions']:g} actions, {row['capped_levels']:g} levels at the cap"
        for row in totals
    ]
    pairs = [
        f"{row['contrast']}: {row['mean_difference']:+.2f} points over {row['games']} games"
        f"{_ends(row)}; better {row['better']}, worse {row['worse']}, tied {row['tied']}"
        for row in comparisons(study, rows)
    ]
    return (*lines, *pairs)


def scorecard(study: Study, rows: Rows) -> list[dict[str, Any]]:
    """Return a row per policy and game, plays averaged, then the policy's total."""
    found: list[dict[str, Any]] = []
    for arm, games in sorted(_by_arm_and_game(rows).items()):
        policy = study.arms[arm].name
        who = {"simulated": all(row["details"].get("simulated", True) for plays in games.values() for row in plays)}
        card = [
            {"arm": arm, "policy": policy, **who, "game": game, **_averaged(plays)} for game, plays in games.items()
        ]
        found += [*card, {"arm": arm, "policy": policy, **who, "game": TOTAL, **_totalled(card)}]
    return found


def comparisons(study: Study, rows: Rows) -> list[dict[str, Any]]:
    """Return every contrast of policies: differences in RHAE, paired by game, games resampled."""
    scores = {arm: _scores(games) for arm, games in _by_arm_and_game(rows).items()}
    found = []
    for contrast in study.contrasts_for(COHORT):
        treated, control = scores.get(contrast.treatment, {}), scores.get(contrast.control, {})
        games = [game for game in treated if game in control]
        if games:
            differences = np.array([treated[game] - control[game] for game in games])
            found.append({"contrast": str(contrast), **_compared(study, differences, games)})
    return found


def _compared(study: Study, differences: Any, games: Sequence[str]) -> dict[str, Any]:
    totals = cluster_totals(differences, tuple(games))
    plan = ResamplePlan(seed=study.analysis.seed, draws=study.analysis.draws)
    interval = percentile_interval(totals, plan, level=study.analysis.level)
    left_low, left_high = leave_one_out(totals) or (None, None)
    return {
        "games": len(games),
        "mean_difference": float(differences.mean()),
        "low": interval.low,
        "high": interval.high,
        "leave_one_out_low": left_low,
        "leave_one_out_high": left_high,
        "better": int((differences > SAME).sum()),
        "worse": int((differences < -SAME).sum()),
        "tied": int((abs(differences) <= SAME).sum()),
    }


def _by_arm_and_game(rows: Rows) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
    found: dict[str, dict[str, list[Mapping[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[str(row["arm"])][str(row["checkpoint_id"])].append(row)
    return found


def _scores(games: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, float]:
    return {game: fmean(float(row["rhae"]) for row in plays) for game, plays in games.items()}


def _averaged(plays: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = ("rhae", "levels_completed", "scored_actions", "capped_levels")
    ranks = [float(row["reference_midrank"]) for row in plays if _is_known(row["reference_midrank"])]
    return {
        "n_plays": len(plays),
        **{name: fmean(float(row[name]) for row in plays) for name in names},
        "n_levels": len(plays[0]["details"]["levels"]),
        "reference_midrank": fmean(ranks) if ranks else None,
        "endings": " ".join(sorted({str(row["ending"]) for row in plays})),
        "baseline_source": str(plays[0]["details"].get("baseline_source", "")),
    }


def _totalled(card: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    sums = ("n_plays", "levels_completed", "n_levels", "scored_actions", "capped_levels")
    ranks = [row["reference_midrank"] for row in card if row["reference_midrank"] is not None]
    return {
        **{name: sum(row[name] for row in card) for name in sums},
        "rhae": fmean(row["rhae"] for row in card),
        "reference_midrank": fmean(ranks) if ranks else None,
        "endings": "",
        "baseline_source": card[0]["baseline_source"],
    }


def _levels(study: Study, rows: Rows) -> list[dict[str, Any]]:
    return [
        {"arm": row["arm"], "policy": study.arms[str(row["arm"])].name, "game": row["checkpoint_id"],
         "unit_id": row["unit_id"], **level}
        for row in rows
        for level in row["details"]["levels"]
    ]  # fmt: skip


def _ends(row: Mapping[str, Any]) -> str:
    return "" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]"


def _is_known(value: Any) -> bool:
    return value is not None and not math.isnan(float(value))
