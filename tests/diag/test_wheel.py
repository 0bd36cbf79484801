"""A wheel in an empty environment runs a study in any folder. Minutes long, and needs a package index: `make slow`."""

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
LARGEST_MB = 20


def ran(words, cwd):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_built_wheel_runs_rq2_where_the_user_stands(tmp_path):
    ran([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, REPOSITORY], tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < LARGEST_MB << 20
    ran([sys.executable, "-m", "venv", tmp_path / "clean"], tmp_path)
    ran([tmp_path / "clean" / "bin" / "pip", "install", "-q", wheel], tmp_path)
    (tmp_path / "work").mkdir()
    words = ("+experiment=rq2", "suite=rules", "study.max_units=4", "tracking=none", "execution.n_jobs=1")
    said = ran([tmp_path / "clean" / "bin" / "diag", *words], tmp_path / "work")
    assert "timely_restart" in said
    assert (tmp_path / "work" / "outputs" / "rq2" / "simulated-sol-rules" / "report.html").is_file()
    assert "rq2" in ran([tmp_path / "clean" / "bin" / "python", "-m", "diag", "list"], tmp_path / "work")
