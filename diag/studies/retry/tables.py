"""The tables of a retry study: every text with its codes, the endings by arm, and how stable repeated endings are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from diag.grading.episodes.pools import bolt_pool
from diag.records.csv_text import csv_text
from diag.studies.contract import Rows
from diag.studies.study import Study

ACCOUNT_COLUMNS = (
    "unit_id", "arm", "source", "status", "tokens_written", "tokens", "capacity_tokens", "sha256", "ended",
    "blames_execution", "names_holes", "resumes_plan", "different_plan", "text",
)  # fmt: skip


ALL = "all"
CAPACITY_COLUMNS = (
    "arm", "free_holes", "moves", "frees", "fills", "deadlocks", "predicts_release", "first", "first_deadlocks",
    "decisions", "decisions_deadlocked",
)  # fmt: skip


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return every text with its codes, the capacity of Bolt Unscrew, the endings by arm, and their stability."""
    del study
    return {
        "accounts.csv": csv_text(ACCOUNT_COLUMNS, _accounts(rows)),
        "capacity.csv": csv_text(CAPACITY_COLUMNS, capacity_lines(rows)),
        "endings.csv": csv_text(("arm", "ended", "n", "of"), _endings(rows)),
        "stability.csv": csv_text(("arm", "n_repeated", "n_kept"), _stability(rows)),
    }


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return the endings by arm, and how many repeated units kept theirs."""
    del study
    by_arm: dict[str, list[str]] = defaultdict(list)
    for row in _endings(rows):
        by_arm[row["arm"]].append(f"{row['ended']} {row['n']}")
    lines = [f"{arm}: {', '.join(parts)} of {_n(rows, arm)}" for arm, parts in sorted(by_arm.items())]
    repeated = _stability(rows)
    n, kept = sum(row["n_repeated"] for row in repeated), sum(row["n_kept"] for row in repeated)
    lines += [_one_hole(row) for row in capacity_lines(rows) if row["arm"] == ALL and row["free_holes"] == 1]
    return (*lines, *((f"endpoint stability: {kept} of {n} repeated units keep their ending",) if n else ()))


def _accounts(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for row in rows:
        memory = row["details"].get("memory")
        if memory is not None:
            codes = {name.removeprefix("code_"): row.get(name) for name in row if name.startswith("code_")}
            found.append(
                {**codes, **memory, "unit_id": row["unit_id"], "arm": row["arm"], "source": row["checkpoint_id"],
                 "ended": row["details"]["ended"]}
            )  # fmt: skip
    return found


def _endings(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        counts[str(row["arm"]), str(row["details"]["ended"])] += 1
    return [{"arm": arm, "ended": how, "n": n, "of": _n(rows, arm)} for (arm, how), n in sorted(counts.items())]


def capacity_lines(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return moves and decisions by free holes, over all retries and by arm; `predicts_release` is of the deadlocks."""
    by_arm = {arm: [row for row in rows if row["arm"] == arm] for arm in sorted({str(row["arm"]) for row in rows})}
    lines = []
    for arm, found in {ALL: rows, **by_arm}.items():
        pool = bolt_pool(found)
        if pool is None:
            continue
        moves, decisions = pool["moves_by_free_holes"], pool["decisions_by_free_holes"]
        for free in sorted({*moves, *decisions}, key=int):
            row, (n, dead) = moves.get(free, {}), decisions.get(free, (0, 0))
            counts = {name: row.get(name, 0) for name in CAPACITY_COLUMNS[3:9]}
            decided = {"decisions": n, "decisions_deadlocked": dead}
            lines.append({"arm": arm, "free_holes": int(free), "moves": row.get("n", 0), **counts, **decided})
    return lines


def _one_hole(row: Mapping[str, Any]) -> str:
    return (
        f"Bolt Unscrew, one free hole: {row['deadlocks']} of {row['moves']} moves deadlock, "
        f"{row['first_deadlocks']} of {row['first']} first moves; {row['predicts_release']} of {row['deadlocks']} "
        "fatal moves predict a release (matched by rules)"
    )


def _n(rows: Sequence[Mapping[str, Any]], arm: str) -> int:
    return sum(row["arm"] == arm for row in rows)


def _stability(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return, per arm, sources retried more than once, and those of them whose endings are all the first one."""
    endings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in sorted(rows, key=lambda one: int(one["repeat"])):
        endings[str(row["arm"]), str(row["block_id"])].append(row["details"]["ended"])
    arms: dict[str, list[bool]] = {arm: [] for arm, _ in sorted(endings)}
    for (arm, _), found in endings.items():
        if len(found) > 1:
            arms[arm].append(len(set(found)) == 1)
    return [{"arm": arm, "n_repeated": len(kept), "n_kept": sum(kept)} for arm, kept in arms.items()]
