"""Units an hour, memory and the harness's share with 1, 8, 32 and 96 continuations at once in one browser.

    python benchmarks/concurrency.py [--at-once 1 8 32 96] [--delay 5] [--limit 300] [--units 96] [--suite browser]

RQ2 on the wall clock against an OpenAI-compatible server on the loopback that answers with a click after a given delay.
It is no model; `agent.simulated=true` says so in every record. Each point is a command of its own in a fresh folder and
runs as many units as it has seats, so that all of them run at once from the first to the last. Memory is the sum of the
shares (PSS) of the command and of every process below it, read every two seconds. `--suite rules`: no browser.
"""

from __future__ import annotations

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from chaos.endpoint import serving

EVERY_S = 2.0


@dataclass
class Watch:
    """Largest memory of a process and everything below it."""

    pid: int
    peak_bytes: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Watch:
        threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()

    def _look(self) -> None:
        while not self.over.wait(EVERY_S):
            self.peak_bytes = max(self.peak_bytes, sum(pss_bytes(pid) for pid in family(self.pid)))


def family(root: int) -> list[int]:
    """Return a process and everything below it."""
    parents = dict(_parents())
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def _parents() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            yield int(folder.name), int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue


def pss_bytes(pid: int) -> int:
    """Return a process's memory, what it shares counted by shares; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def point(at_once: int, options: argparse.Namespace, url: str, outputs: Path) -> str:
    """Run one point and return its line."""
    n_units = min(at_once, options.units)
    words = [
        *("+experiment=rq2", "agent=local", "agent.model=no-model", "agent.simulated=true", "clock.kind=wall"),
        *(f"agent.client.base_url={url}", f"agent.places={max(at_once, 1)}", f"suite={options.suite}"),
        *(f"study.max_units={n_units}", f"study.limits.takeover_s={options.limit:g}", f"outputs={outputs}"),
        *("execution.n_jobs=1", f"execution.seats={at_once}", "execution.progress=false", "tracking=none"),
    ]
    command = [sys.executable, "-W", "ignore", "-m", "diag", *words]
    began, load = time.monotonic(), os.getloadavg()[0]
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    running = subprocess.Popen([*command, "mode=run"], stdout=subprocess.DEVNULL, env=environment)
    with Watch(running.pid) as watch:
        if running.wait():
            raise SystemExit(f"the run of {at_once} ended with {running.returncode}")
    wall_s = time.monotonic() - began
    subprocess.run([*command, "mode=analyse"], stdout=subprocess.DEVNULL, env=environment, check=True)
    with next(outputs.rglob("outcomes.csv")).open() as file:
        rows = [row for row in csv.DictReader(file) if row["validity"] == "valid"]
    shares = [float(row["harness_share"]) for row in rows]
    longest_s = max(float(row["elapsed_s"]) for row in rows)
    return (
        f"{at_once:3} at once: {len(rows)} of {n_units} valid, wall {wall_s:.0f} s, longest {longest_s:.0f} s, "
        f"{3600 * len(rows) / wall_s:.0f} units an hour, peak {watch.peak_bytes / 1e9:.2f} GB, harness share median "
        f"{statistics.median(shares):.2%}, p95 {np.percentile(shares, 95):.2%}, load before {load:.1f}, "
        f"after {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 8, 32, 96])
    parser.add_argument("--delay", type=float, default=5.0, help="seconds before the server answers")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of a takeover")
    parser.add_argument("--units", type=int, default=96)
    parser.add_argument("--suite", choices=["browser", "rules"], default="browser")
    options = parser.parse_args()
    with serving(delay_s=options.delay) as endpoint:
        for at_once in options.at_once:
            with tempfile.TemporaryDirectory(prefix="concurrency-") as folder:
                print(point(at_once, options, endpoint.url, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
