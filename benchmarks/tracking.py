"""What the projection to MLflow costs, as a share of the study's own wall time.

    python benchmarks/tracking.py STUDY_FOLDER

Every projection is a process of its own on a copy of the study, as a user's is: `cold` makes the database, `warm` adds
the study to a ready one, `again` finds it unchanged, `traces` also stores two continuations per arm. The study's wall
time is that between the start of its first attempt and the end of its last, from their status files. Aim: cold <= 3 %.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

PROJECT = """
import json, sys, time
from pathlib import Path
from types import SimpleNamespace
import diag.report, pandas, scipy.stats, matplotlib  # loaded before a run gets to its projection
begun, used = time.perf_counter(), time.process_time()
from diag.tracking.projection import project
project(Path(sys.argv[1]), SimpleNamespace(uri=None, experiment=None, traces=int(sys.argv[2])))
print(json.dumps({"wall_s": time.perf_counter() - begun, "cpu_s": time.process_time() - used}))
"""


def study_wall_s(folder: Path) -> float:
    """Return the seconds between the first attempt's start and the last one's end."""
    statuses = [json.loads(path.read_text()) for path in folder.glob("units/*/attempt-*/status.json")]
    starts = [datetime.fromisoformat(status["started_utc"]) for status in statuses]
    ends = [datetime.fromisoformat(status["heartbeat_utc"]) for status in statuses]
    return (max(ends) - min(starts)).total_seconds()


def projection(folder: Path, traces: int = 0) -> dict[str, float]:
    """Return wall and CPU seconds of one projection in a fresh process, the import of MLflow included."""
    command = [sys.executable, "-W", "ignore", "-c", PROJECT, str(folder), str(traces)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return seconds


def ready_outputs(folder: Path, scratch: Path) -> Path:
    """Copy the study, and return the copy; pictures stay away, the projection reads none."""
    copy = scratch / "outputs" / folder.parent.name / folder.name
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("pictures"))
    return copy


def one_round(folder: Path) -> dict[str, dict[str, float]]:
    """Time the four kinds once, in turn."""
    with tempfile.TemporaryDirectory() as name:
        copy = ready_outputs(folder, Path(name))
        seconds = {"cold": projection(copy), "again": projection(copy)}
        table = copy / "report.html"
        table.write_text((table.read_text() if table.exists() else "") + "<!-- changed -->")
        seconds["warm"] = projection(copy)
        seconds["traces"] = projection(copy, traces=2)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path, help="a finished study: outputs/<study>/<agent>")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rounds = [one_round(options.study) for _ in range(options.rounds)]
    wall_s = study_wall_s(options.study)
    print(f"study: {wall_s:.1f} s of wall time from its first attempt to its last")
    for kind in ("cold", "warm", "again", "traces"):
        wall, cpu = (sorted(one[kind][unit] for one in rounds) for unit in ("wall_s", "cpu_s"))
        middle = statistics.median(wall)
        spread = f"{wall[0]:.2f} to {wall[-1]:.2f}"
        share = f"{100 * middle / wall_s:4.1f} % of the study"
        print(f"{kind:7s} {middle:6.2f} s wall ({spread}), {statistics.median(cpu):5.2f} s CPU   {share}")


if __name__ == "__main__":
    main()
