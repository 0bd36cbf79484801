"""Tables of knowledge x workflow: contrasts per objective and their spread over games, rules stated, probes.

A row is one valid session: its row of the outcome table with the `details` of its outcome (protocol 5).
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from diag.analysis.spread import spread
from diag.records.csv_text import csv_text

Row = Mapping[str, Any]
CONTRASTS: Mapping[str, tuple[float, float, float, float]] = {
    "Delta_K(P0)": (-1, 0, 1, 0),
    "Delta_K(P1)": (0, -1, 0, 1),
    "Delta_P(K0)": (-1, 1, 0, 0),
    "Delta_P(K1)": (0, 0, -1, 1),
    "main K": (-0.5, -0.5, 0.5, 0.5),
    "main P": (-0.5, 0.5, -0.5, 0.5),
    "interaction": (1, -1, -1, 1),
}
"""Weights of the cells K0P0, K0P1, K1P0, K1P1."""


OVER_TIME = ("arm", "probe", "sessions", "rules", "stated", "first_stated", "also_at_last")


def cell_tables(rows: Sequence[Row], cells: Sequence[str], endpoints: Sequence[str]) -> dict[str, str]:
    """Return file name -> CSV."""
    units = unit_contrasts(rows, cells, endpoints)
    return {
        "unit_contrasts.csv": csv_text(("agent", "objective", "endpoint", "contrast", "value"), units),
        "cell_spread.csv": csv_text(("endpoint", "contrast", "n", "mean", "sd", "low", "high"), game_spread(units)),
        "rule_knowledge.csv": csv_text(("arm", "probe", "n", "share_correct", "refused"), knowledge(rows)),
        "rules_over_time.csv": csv_text(OVER_TIME, rules_over_time(rows)),
        "probes.csv": csv_text(("unit_id", "arm", "game", "probe", "clock_s", "status", "rule", "stated", "answer"),
                           _probes(rows)),
    }  # fmt: skip


def cell_lines(rows: Sequence[Row], cells: Sequence[str], endpoints: Sequence[str]) -> tuple[str, ...]:
    """Return the contrasts' spread and rule knowledge in words."""
    lines = [
        f"{one['endpoint']} {one['contrast']}: mean {one['mean']:+.3f}, sd {_shown(one['sd'])}, "
        f"range {one['low']:+.3f}..{one['high']:+.3f} over the means of {one['n']} games"
        for one in game_spread(unit_contrasts(rows, cells, endpoints))
        if one["contrast"] in ("main K", "main P", "interaction")
    ]
    by_arm: dict[str, list[str]] = defaultdict(list)
    for one in knowledge(rows):
        by_arm[one["arm"]].append(f"{one['share_correct']:.0%}")
    lines += [f"{arm}: rules stated correctly at each probe {' '.join(found)}" for arm, found in by_arm.items()]
    lines += [
        f"{arm}: {later} of {ever} rules that a session ever states are first stated after its first probe"
        for arm, (ever, later) in first_stated(rows).items()
    ]
    all_correct = [row for row in rows if row.get("won_after_all_correct") is not None]
    won = sum(bool(row["won_after_all_correct"]) for row in all_correct)
    if all_correct:
        kept = sum(bool(row["all_correct_at_last"]) for row in all_correct)
        lines.append(
            f"{won} of {len(all_correct)} sessions that state every rule at a probe win a level afterwards; {kept} "
            "still state every rule at the last probe"
        )
    return tuple(lines)


def first_stated(rows: Sequence[Row]) -> dict[str, tuple[int, int]]:
    """Return, by arm, the rules (session by session) that are ever stated, and those first stated after probe 1."""
    found: dict[str, tuple[int, int]] = {}
    for row in rows:
        probes = row["details"].get("probes", ())
        ever = {rule for probe in probes for rule in _stated(probe)}
        later = {rule for rule in ever if not probes[0]["rules"][rule]}
        before = found.get(str(row["arm"]), (0, 0))
        if probes:
            found[str(row["arm"])] = (before[0] + len(ever), before[1] + len(later))
    return dict(sorted(found.items()))


def rules_over_time(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return, by arm and probe, rules (session by session): stated there, stated there first, and also at the last.

    `first_stated` sums to the rules that are ever stated; `also_at_last` is of those stated at the probe.
    """
    counts: dict[tuple[str, int], dict[str, int]] = {}
    for row in rows:
        probes = row["details"].get("probes", ())
        known: set[str] = set()
        last = _stated(probes[-1]) if probes else known
        for place, probe in enumerate(probes, start=1):
            here = _stated(probe)
            have = counts.setdefault((str(row["arm"]), place), dict.fromkeys(OVER_TIME[2:], 0))
            sizes = (1, len(probe["rules"]), len(here), len(here - known), len(here & last))
            for name, size in zip(OVER_TIME[2:], sizes, strict=True):
                have[name] += size
            known |= here
    return [{"arm": arm, "probe": probe, **found} for (arm, probe), found in sorted(counts.items())]


def _stated(probe: Mapping[str, Any]) -> set[str]:
    return {rule for rule, stated in probe["rules"].items() if stated}


def unit_contrasts(rows: Sequence[Row], cells: Sequence[str], endpoints: Sequence[str]) -> list[dict[str, Any]]:
    """Return every contrast of every agent and objective whose four cells are all there; repeats are averaged first."""
    found: dict[tuple[str, str], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[str(row["agent"]), str(row["checkpoint_id"])][str(row["arm"])].append(row)
    made = []
    for (agent, objective), by_arm in found.items():
        for endpoint in endpoints:
            means = [_mean(by_arm.get(cell, ()), endpoint) for cell in cells]
            known = [mean for mean in means if mean is not None]
            if len(known) == len(cells):
                made += [
                    {"agent": agent, "objective": objective, "endpoint": endpoint, "contrast": name,
                     "value": sum(weight * mean for weight, mean in zip(weights, known, strict=True))}
                    for name, weights in CONTRASTS.items()
                ]  # fmt: skip
    return made


def game_spread(units: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the spread of each contrast over game means: the numbers that the estimate is the mean of."""
    found: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for one in units:
        game = str(one["objective"]).split("/", maxsplit=1)[0]
        found[one["agent"], game, one["endpoint"], one["contrast"]].append(one["value"])
    return spread(
        [
            {"endpoint": endpoint, "contrast": contrast, "value": statistics.fmean(values)}
            for (_, _, endpoint, contrast), values in found.items()
        ]
    )


def knowledge(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the mean share of rules stated correctly, by arm and probe, and how many answers were refusals."""
    found: dict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        for probe in row["details"].get("probes", ()):
            found[str(row["arm"]), int(probe["index"]) + 1].append(probe)
    return [
        {"arm": arm, "probe": index, "n": len(probes),
         "share_correct": statistics.fmean(statistics.fmean(map(bool, one["rules"].values())) for one in probes),
         "refused": sum(one["status"] == "refused" for one in probes)}
        for (arm, index), probes in sorted(found.items())
    ]  # fmt: skip


def _probes(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [
        {**probe, "unit_id": row["unit_id"], "arm": row["arm"], "game": row["details"]["game"],
         "probe": int(probe["index"]) + 1, "rule": rule, "stated": stated}
        for row in rows
        for probe in row["details"].get("probes", ())
        for rule, stated in probe["rules"].items()
    ]  # fmt: skip


def _mean(rows: Sequence[Row], endpoint: str) -> float | None:
    values = [float(row[endpoint]) for row in rows if row.get(endpoint) is not None]
    return statistics.fmean(values) if values else None


def _shown(value: float | None) -> str:
    return "none (one game)" if value is None else f"{value:.3f}"
