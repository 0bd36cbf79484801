"""A browser that dies in the middle costs an attempt, not an outcome; arms of a block start from equal pixels."""

import json
import os
import signal
from pathlib import Path

import pandas as pd
import pytest
from waiting import wait_for

pytestmark = pytest.mark.browser


def descendants(pid: int) -> dict[int, str]:
    """Return the processes below one, with their command lines."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    below, grown = {pid}, True
    while grown:
        new = {child for child, parent in parents.items() if parent in below} - below
        below, grown = below | new, bool(new)
    return {child: command(child) for child in below - {pid}}


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def browsers(pid: int) -> list[int]:
    """Return the browsers' main processes: they have the driver's flags and no --type."""
    return [
        child for child, line in descendants(pid).items() if "--remote-debugging-pipe" in line and "--type=" not in line
    ]


@pytest.mark.slow
def test_a_killed_browser_is_replaced(diag, start, arguments, tmp_path):
    words = [word for word in arguments if word != "suite=rules"] + ["suite=browser", "study.max_units=3"]
    runner = start(*words, "agent.sleep_s=0.1", "mode=run")
    wait_for(lambda: list((tmp_path / "out").glob("*/*/units/*/attempt-1/outcome.json")), 90.0)
    os.kill(browsers(runner.pid)[0], signal.SIGKILL)
    _, err = runner.communicate(timeout=100)
    assert runner.returncode == 0, err
    folder = tmp_path / "out" / "rq2" / "standin"
    kinds = [json.loads(path.read_text())["failure_kind"] for path in folder.glob("units/*/attempt-1/status.json")]
    assert kinds.count("browser") == len(list(folder.glob("units/*/attempt-2"))) == 1
    assert diag(*words, "mode=analyse") == 0
    table = pd.read_csv(folder / "tables" / "outcomes.csv")
    assert list(table["validity"]) == ["valid"] * 3
    starts = [
        json.loads(log.read_text().splitlines()[0])["data"] for log in folder.glob("units/*/attempt-*/events.jsonl")
    ]
    assert len({one["digests"]["pixels"] for one in starts if one["digests"]}) == 1
    assert all(one["environment"] == "browser" for one in starts)
