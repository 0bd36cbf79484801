"""What the eight experiments come to on the rules, recorded before a change of the code and compared after it.

    python benchmarks/guard.py record FOLDER          every experiment with simulated/sol; about four minutes
    python benchmarks/guard.py compare BEFORE AFTER   every difference in units, outcomes, effects and report text

The order of units, their seeds and every number must stay what they were but for differences that are meant; a plan's
hash and the study's identity may change and are left out. Exit 1 if anything differs.
"""

from __future__ import annotations

import argparse
import csv
import html
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXPERIMENTS = (
    "rq1", "action_branch", "rq2", "rq2_followup", "rq3", "rq3_followup", "rq4", "rq4_followup",
)  # fmt: skip
STUDY = "simulated-sol-rules"
CHANGING = re.compile(r"[0-9a-f]{12,64}|\d{4}-\d\d-\d\d[T ][\d:.+]+|Plan [0-9a-f]+")
"""Hashes and times, which a report shows and which may change."""


def record(folder: Path) -> None:
    for name in EXPERIMENTS:
        words = [f"+experiment={name}", "agent=simulated/sol", "suite=rules", "tracking=none", f"outputs={folder}"]
        subprocess.run([sys.executable, "-m", "diag", *words], check=True)


def differences(before: Path, after: Path) -> Iterator[str]:
    for name in EXPERIMENTS:
        one, other = before / name / STUDY, after / name / STUDY
        for title, read in (("units", units), ("outcomes", outcomes), ("effects", effects), ("report", report_text)):
            found = list(_differing(read(one), read(other)))
            yield from (f"{name} {title}: {line}" for line in found[:5])
            if len(found) > 5:
                yield f"{name} {title}: and {len(found) - 5} more"


def units(study: Path) -> dict[str, Any]:
    return {unit["unit_id"]: unit for unit in json.loads((study / "plan.json").read_text())["units"]}


def outcomes(study: Path) -> dict[str, Any]:
    with (study / "tables" / "outcomes.csv").open(newline="") as file:
        return {f"{row['unit_id']} {column}": row[column] for row in csv.DictReader(file) for column in row}


def effects(study: Path) -> dict[str, Any]:
    found = json.loads((study / "tables" / "effects.json").read_text())["effects"]
    return {f"{one['name']} {field}": one[field] for one in found for field in one}


def report_text(study: Path) -> dict[str, Any]:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", (study / "report.html").read_text(), flags=re.DOTALL)
    lines = (" ".join(html.unescape(line).split()) for line in re.sub(r"<[^>]+>", "\n", page).split("\n"))
    return dict.fromkeys((CHANGING.sub("*", line) for line in lines if line), "")


def _differing(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for key in [*before, *(key for key in after if key not in before)]:
        if key not in after:
            yield f"{key} is gone"
        elif key not in before:
            yield f"{key} is new"
        elif before[key] != after[key]:
            yield f"{key}: {before[key]!r} was, {after[key]!r} is"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("folders", nargs="+", type=Path)
    chosen = parser.parse_args()
    if chosen.what == "record":
        record(chosen.folders[0])
        return 0
    found = list(differences(*chosen.folders))
    print("\n".join(found) or "no difference")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
