"""What the security tests share: modules beside them by name, and one way to call `python -m diag`."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "diag" / "agents" / "models"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))  # `hostile_agent` and `fake_server` are imported by name


@pytest.fixture
def study(tmp_path: Path) -> Callable[..., int]:
    """`python -m diag +experiment=rq2` in this process, one unit at a time, into a fresh folder; the exit code."""
    from diag.app import main

    fixed = ["+experiment=rq2", "execution.n_jobs=1", "execution.progress=false", f"outputs={tmp_path / 'out'}"]
    return lambda *words: main([*fixed, *words])
