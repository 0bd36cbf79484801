"""The tables of a retry study: every text with its codes, and the endings by arm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from diag.records.csv_text import csv_text
from diag.studies.contract import Rows
from diag.studies.study import Study

ACCOUNT_COLUMNS = (
    "unit_id", "arm", "source", "status", "tokens_written", "tokens", "capacity_tokens", "sha256", "ended",
    "blames_execution", "names_holes", "resumes_plan", "different_plan", "text",
)  # fmt: skip


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return every text with its codes for manual reading, and the endings by arm."""
    del study
    return {
        "accounts.csv": csv_text(ACCOUNT_COLUMNS, _accounts(rows)),
        "endings.csv": csv_text(("arm", "ended", "n", "of"), _endings(rows)),
    }


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return the endings by arm."""
    del study
    by_arm: dict[str, list[str]] = defaultdict(list)
    for row in _endings(rows):
        by_arm[row["arm"]].append(f"{row['ended']} {row['n']}")
    return tuple(f"{arm}: {', '.join(parts)} of {_n(rows, arm)}" for arm, parts in sorted(by_arm.items()))


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


def _n(rows: Sequence[Mapping[str, Any]], arm: str) -> int:
    return sum(row["arm"] == arm for row in rows)
