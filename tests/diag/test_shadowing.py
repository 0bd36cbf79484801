"""A file of the working folder that hides a module is one line that names it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["games.py", "solvers.py", "checkpoints/__init__.py", "filelock.py"])
def test_a_file_in_the_way_is_named(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine = 1\n")
    (tmp_path / "harmless.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "diag", "list" if name != "filelock.py" else "mode=plan"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(REPOSITORY)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert str(path) in done.stderr
    assert "hides" in done.stderr
