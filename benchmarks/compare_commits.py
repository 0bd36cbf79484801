"""Which of two commits is faster at something, as a ratio with an interval.

    python benchmarks/compare_commits.py A B [--rounds 8] [-- COMMAND ...]

Both commits are checked out as git worktrees in a temporary folder, and the command runs in them alternately, first A
then B, then B before A, with this interpreter and its packages; the worktree stands first on the path, so each runs its
own code. The default command plays 12 units of RQ2 on the rules. A ratio below 1 says that B is faster. The interval is
a t interval of the mean log ratio over the rounds: load that comes and goes hits both members of a pair.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.stats import t as student

DEFAULT = [
    "python", "-W", "ignore", "-m", "diag", "+experiment=rq2", "agent=simulated/sol", "suite=rules",
    "study.max_units=12", "execution.n_jobs=1", "execution.progress=false", "tracking=none", "mode=run",
    "outputs={scratch}",
]  # fmt: skip


@contextlib.contextmanager
def worktrees(commits: Sequence[str]) -> Iterator[list[Path]]:
    """Check the commits out beside each other, and remove them afterwards."""
    with tempfile.TemporaryDirectory(prefix="compare-") as name:
        folders = [Path(name) / f"{place}" for place in range(len(commits))]
        try:
            for folder, commit in zip(folders, commits, strict=True):
                git("worktree", "add", "--detach", "--quiet", str(folder), commit)
            yield folders
        finally:
            for folder in folders:
                if folder.exists():
                    git("worktree", "remove", "--force", str(folder))


def git(*words: str) -> str:
    """Run git in the repository of this file and return what it prints."""
    done = subprocess.run(["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def seconds(command: Sequence[str], folder: Path) -> float:
    """Return the wall time of the command in a worktree."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        words = [word.format(scratch=scratch) for word in command]
        words[0] = sys.executable if words[0] == "python" else words[0]
        began = time.perf_counter()
        done = subprocess.run(
            words,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        spent = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} in {folder.name}: {done.stdout[-500:]}{done.stderr[-2000:]}")
    return spent


def ratio(pairs: Sequence[tuple[float, float]], level: float = 0.95) -> tuple[float, float, float]:
    """Return the geometric mean of B / A with a t interval over the pairs."""
    logs = np.log([b / a for a, b in pairs])
    half = float(student.ppf((1 + level) / 2, len(logs) - 1) * logs.std(ddof=1) / math.sqrt(len(logs)))
    middle = float(logs.mean())
    return math.exp(middle), math.exp(middle - half), math.exp(middle + half)


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return this program's own words, and the command after `--`; the default one without."""
    own = list(itertools.takewhile(lambda word: word != "--", arguments))
    return own, list(arguments[len(own) + 1 :]) or DEFAULT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--rounds", type=int, default=8, help="pairs of runs, at least 2; one more warms up")
    words, command = split(sys.argv[1:])
    options = parser.parse_args(words)
    if options.rounds < 2:
        parser.error("wanted two rounds or more")
    with worktrees([options.a, options.b]) as (a, b):
        for folder in (a, b):
            seconds(command, folder)  # bytecode and caches
        pairs = []
        for number in range(options.rounds):
            if number % 2:
                second, first = seconds(command, b), seconds(command, a)
            else:
                first, second = seconds(command, a), seconds(command, b)
            pairs.append((first, second))
            print(f"round {number + 1}: {options.a} {first:.2f} s, {options.b} {second:.2f} s", flush=True)
    middle, low, high = ratio(pairs)
    print(f"{options.b} / {options.a}: {middle:.3f} [{low:.3f}, {high:.3f}] (95 % t interval, {len(pairs)} pairs)")


if __name__ == "__main__":
    main()
