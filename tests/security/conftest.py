"""What the security tests share: modules beside them by name, and one way to call `python -m diag`."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
IMPORTED = (str(HERE), str(HERE.parent / "diag" / "agents" / "models"))
"""Folders of `hostile_agent` and `fake_server`, which are imported by name."""
sys.path[:0] = [folder for folder in IMPORTED if folder not in sys.path]


@pytest.fixture
def study(tmp_path: Path) -> Callable[..., int]:
    """`python -m diag +experiment=rq2`, one unit at a time, into a fresh folder; what it says is said here, too.

    In a process of its own: another test's browser may still be open in this one.
    """
    fixed = ["+experiment=rq2", "execution.n_jobs=1", "execution.progress=false", f"outputs={tmp_path / 'out'}"]

    def run(*words: str) -> int:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "diag", *fixed, *words],
            capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(IMPORTED)},
        )  # fmt: skip
        sys.stdout.write(done.stdout)
        sys.stderr.write(done.stderr)
        return done.returncode

    return run
