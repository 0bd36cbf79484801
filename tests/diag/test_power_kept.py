"""The power of a plan is kept beside it, and stays what it was once there are outcomes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest


def power(tmp_path: Path) -> dict[str, object]:
    (path,) = (tmp_path / "out").rglob("power.json")
    return json.loads(path.read_text())


@pytest.mark.slow
def test_the_power_is_worked_out_before_the_first_outcome_and_then_stays(
    diag: Callable[..., int], arguments: list[str], tmp_path: Path
):
    assert diag(*arguments, "study.analysis.planned_control_rate=0.1", "mode=plan") == 0
    first = power(tmp_path)
    assert diag(*arguments, "study.analysis.planned_control_rate=0.5", "mode=plan") == 0
    second = power(tmp_path)
    assert (first["planned_control_rate"], second["planned_control_rate"]) == (0.1, 0.5)
    assert first["contrasts"] != second["contrasts"]

    assert diag(*arguments, "study.analysis.planned_control_rate=0.5", "mode=run") == 0
    assert power(tmp_path) == second
    assert second["before_any_outcome"] is True
    assert diag(*arguments, "study.analysis.planned_control_rate=0.1", "mode=run") == 0
    assert power(tmp_path) == second
