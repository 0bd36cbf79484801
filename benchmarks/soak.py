"""Runs for a long time and watches what must not grow: memory, open files, processes.

    python benchmarks/soak.py [--minutes 10] [--suite rules|browser] [--units 96] [--folder FOLDER]

RQ2 with simulated/sol on the virtual clock, one study after the other under seeds of their own, in ONE worker process
that stays: what a unit leaves behind stays too, and shows. Every few seconds the resident memory of that process and of
all below it (driver, browsers), its open file handles and the number of processes are read. After a warm-up of one
third a line is fitted to each; the run fails if the fitted growth over the rest exceeds what is stated below.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

MB = 1_000_000
BOUNDS = {"rss_mb": 0.10, "files": 0.02, "processes": 0.0}
"""Largest accepted growth after the warm-up, as a share of the level there. Memory: the caches of verdicts, which are
bounded, still fill; files and processes: a leak of one a unit would be a hundred times this."""


@dataclass(frozen=True)
class Sample:
    """What was seen at one moment."""

    at_s: float
    units: int
    rss_mb: float
    files: int
    processes: int


def below(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rsplit(")", 1)[1].split()
            parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def sample(pid: int, began: float, units: int) -> Sample:
    """Read memory, files and processes of a process and all below it."""
    rss = files = 0
    pids = below(pid)
    for one in pids:
        with contextlib.suppress(OSError, StopIteration, ValueError):
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            rss += int(next(line for line in lines if line.startswith("Pss:")).split()[1]) * 1024
            files += sum(1 for _ in Path(f"/proc/{one}/fd").iterdir())
    return Sample(time.monotonic() - began, units, rss / MB, files, len(pids))


WORKER = """
import itertools, shutil, sys, time
from pathlib import Path
from diag.app.command_line import main
out, suite, units, until = Path(sys.argv[1]), sys.argv[2], sys.argv[3], time.monotonic() + 60 * float(sys.argv[4])
done = 0
for seed in itertools.count(1):
    if time.monotonic() > until:
        break
    code = main(["+experiment=rq2", "agent=simulated/sol", f"suite={suite}", f"study.seed={seed}", "tracking=none",
                 f"study.max_units={units}", f"outputs={out}/{seed}", "execution.n_jobs=1", "execution.progress=false",
                 "mode=run"])
    assert code == 0, code
    done += sum(1 for _ in (out / str(seed)).glob("*/*/units/*/attempt-1"))
    virtual = 0.0
    for path in (out / str(seed)).glob("*/*/units/*/attempt-1/outcome.json"):
        virtual += __import__("json").loads(path.read_text())["elapsed_s"]
    print("soak", done, virtual, flush=True)
    shutil.rmtree(out / str(seed))
"""


def run(minutes: float, suite: str, units: int, folder: Path) -> tuple[list[Sample], float]:
    """Play for so many minutes; return what was seen and the virtual seconds that were played."""
    command = [sys.executable, "-W", "ignore", "-c", WORKER, str(folder), suite, str(units), str(minutes)]
    began, samples, state = time.monotonic(), [], {"units": 0, "virtual_s": 0.0}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def read() -> None:
        assert child.stdout is not None
        for line in child.stdout:
            if line.startswith("soak "):
                _, done, virtual = line.split()
                state["units"], state["virtual_s"] = int(done), state["virtual_s"] + float(virtual)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    while child.poll() is None:
        samples.append(sample(child.pid, began, int(state["units"])))
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=min(5.0, minutes * 1.5))
    reader.join()
    if child.returncode:
        raise SystemExit(f"the soak ended with {child.returncode}")
    samples[-1] = Sample(**{**asdict(samples[-1]), "units": int(state["units"])})
    return samples, state["virtual_s"]


def growth(samples: list[Sample], name: str) -> tuple[float, float]:
    """Return the level after the warm-up and the fitted growth from there to the end, as a share of it.

    The line goes through the peak of each study: within one, caches of verdicts fill, and they go with it.
    """
    peaks = {one.units: one for one in sorted(samples, key=lambda one: getattr(one, name))}
    whole = sorted(peaks.values(), key=lambda one: one.at_s)[:-1]  # the last study was cut off by the clock
    later = [one for one in whole if one.at_s >= samples[-1].at_s / 3] or samples
    if len(later) < 3:
        later = [one for one in samples if one.at_s >= samples[-1].at_s / 3]
    at, values = np.array([one.at_s for one in later]), np.array([getattr(one, name) for one in later], dtype=float)
    slope, start = np.polyfit(at - at[0], values, 1)
    return float(start), float(slope * (at[-1] - at[0]) / max(start, 1.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--suite", choices=("rules", "browser"), default="rules")
    parser.add_argument("--units", type=int, default=96, help="of each study")
    parser.add_argument("--folder", type=Path, help="keep samples.json here")
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="soak-"))
    try:
        samples, virtual_s = run(options.minutes, options.suite, options.units, scratch)
    finally:
        shutil.rmtree(scratch)
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
        (options.folder / "samples.json").write_text(json.dumps([asdict(one) for one in samples], indent=1) + "\n")
    hours, spent = virtual_s / 3600, samples[-1].at_s / 60
    print(f"{options.suite}: {samples[-1].units} units, {hours:.1f} virtual hours in {spent:.1f} minutes, "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    grown = []
    for name, bound in BOUNDS.items():
        level, share = growth(samples, name)
        # processes come and go with a page; only a trend of a whole process counts
        bad = share > bound and share * level >= (1.0 if name != "rss_mb" else 20.0)
        grown += [name] if bad else []
        verdict = "GROWS" if bad else "flat"
        print(f"{name:10} {level:8.1f} after the warm-up, fitted growth {100 * share:+6.2f} % {verdict}")
    if grown:
        raise SystemExit(f"grows: {', '.join(grown)}")


if __name__ == "__main__":
    main()
