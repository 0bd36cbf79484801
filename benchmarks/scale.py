"""How long the offline modes take on a study of ten thousand finished units, and how much memory.

    python benchmarks/scale.py [--copies 105] [--folder FOLDER]

The study is RQ2 with simulated/sol, enlarged from a real run (benchmarks/enlarged_study.py): 96 units a copy. Each mode
is a process of its own; seconds are wall time, memory is the largest resident set of that process and its children.
With --folder the study is kept, and used again by the next call.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from enlarged_study import QUIET, build, facts

WORDS = ["+experiment=rq2", "agent=simulated/sol"]
MODES = {
    "resume": ("mode=run",),
    "analyse": ("mode=analyse",),
    "track": ("mode=track",),
    "report": ("mode=report",),
}


LAUNCH = """
import resource, subprocess, sys
words = [sys.executable, "-W", "ignore", "-m", "diag", *sys.argv[1:]]
code = subprocess.run(words, stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
"""A process counts the memory of the one that started it until it has its own program: a small one starts it."""


def measured(*words: str) -> tuple[float, float]:
    """Return wall seconds and the largest resident set, MB, of one `python -m diag` and its children."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", LAUNCH, *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"python -m diag {' '.join(words)} ended with {done.returncode}")
    return time.perf_counter() - began, int(done.stdout) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=105)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    scratch = Path(options.folder or tempfile.mkdtemp(prefix="scale-"))
    try:
        if not list(scratch.glob("large/*/*/manifest.json")):
            build(WORDS, "rq2", options.copies, scratch)
        found = facts(scratch)
        print(f"{found['units']:.0f} finished units, {found['records_mb']:.0f} MB of records", flush=True)
        words = [*WORDS, *QUIET, f"catalog.library={scratch / 'library'}", f"outputs={scratch / 'large'}"]
        for name, mode in MODES.items():
            seconds, size_mb = measured(*words, *mode)
            print(
                f"{name:8s} {seconds:7.1f} s {size_mb:7.0f} MB {1000 * seconds / found['units']:6.2f} ms a unit",
                flush=True,
            )
    finally:
        if options.folder is None:
            shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
