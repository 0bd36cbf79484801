"""Units per minute for 1, 2, 4 and 8 workers: units that a browser is busy with, and units that wait for a model.

    python benchmarks/worker_curve.py [--units 5] [--rounds 1] [--kinds waiting browser]

Browser: RQ2 with simulated/sol in Chromium; the machine is busy all the time. Waiting: RQ2 on the rules alone with an
agent that sleeps 0.5 s a decision and otherwise does nothing, 10 decisions a unit: the wait is what a remote model
costs, and without a browser little else is left, so the curve shows what waiting alone can gain. Every point is a run
of its own. The rate is taken from the ends of the units, as their status files tell them, after every worker has
finished its first: starting up is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

AGENT = """
from dataclasses import dataclass
import time
from diag.session.contract import Decision

@dataclass(frozen=True)
class Sleeper:
    name: str = "sleeper"
    sleep_s: float = 0.5
    decisions: int = 10
    simulated: bool = True
    privilege: str = "none"
    reads_scene = False

    def build(self, seed):
        return Sleeping(self)

    def identity(self):
        return {"sleep_s": self.sleep_s, "decisions": self.decisions}

class Sleeping:
    simulated, privilege, reads_scene = True, "none", False

    def __init__(self, settings):
        self.name, self._settings, self._made = settings.name, settings, 0

    def decide(self, observation):
        self._made += 1
        time.sleep(self._settings.sleep_s)
        click = ({"name": "click", "x": 3, "y": 3},)
        return Decision(click, "waiting", 1.0, stop=self._made >= self._settings.decisions)

    def summarize(self, context):
        return ""
"""
WORDS = {
    "browser": ["agent=simulated/sol"],
    "waiting": ["--config-dir", "{folder}/conf", "agent=sleeper", "suite=rules"],
}


def rate(kind: str, n_jobs: int, units: int, folder: Path) -> float:
    """Run a study in a fresh folder and return its units per minute, start-up left out."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        words = [word.format(folder=folder) for word in WORDS[kind]]
        command = [sys.executable, "-W", "ignore", "-m", "diag", "+experiment=rq2", *words, f"study.max_units={units}"]
        command += [f"execution.n_jobs={n_jobs}", f"outputs={out}", "tracking=none", "execution.progress=false"]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        done = subprocess.run([*command, "mode=run"], env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        statuses = [json.loads(path.read_text()) for path in Path(out).glob("*/*/units/*/attempt-1/status.json")]
    ends = sorted(datetime.fromisoformat(status["heartbeat_utc"]) for status in statuses)
    return 60 * (units - n_jobs) / (ends[-1] - ends[n_jobs - 1]).total_seconds()


def curve(kind: str, units: int, rounds: int, workers: tuple[int, ...], folder: Path) -> dict[int, float]:
    """Return units per minute by number of workers, medians over the rounds; `units` are run per worker."""
    rates: dict[int, list[float]] = {n_jobs: [] for n_jobs in workers}
    for _ in range(rounds):
        for n_jobs in workers:
            n_units = units * n_jobs if kind == "waiting" else max(units, 2) * 4
            rates[n_jobs].append(rate(kind, n_jobs, n_units, folder))
    return {n_jobs: statistics.median(found) for n_jobs, found in rates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--units", type=int, default=5, help="units per worker; in the browser four times as many for every point"
    )
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--kinds", nargs="+", choices=sorted(WORDS), default=sorted(WORDS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="curve-") as name:
        folder = Path(name)
        (folder / "conf" / "agent").mkdir(parents=True)
        (folder / "sleeper.py").write_text(AGENT)
        (folder / "conf" / "agent" / "sleeper.yaml").write_text("_target_: sleeper.Sleeper\n")
        for kind in options.kinds:
            rates = curve(kind, options.units, options.rounds, tuple(options.workers), folder)
            first = rates[options.workers[0]]
            for n_jobs, found in rates.items():
                ratio = f"ratio to {options.workers[0]}: {found / first:.2f}"
                print(f"{kind:8} {n_jobs} workers {found:7.1f} units a minute   {ratio}", flush=True)
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
