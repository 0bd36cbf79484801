"""A running study seen from outside: its units, screens, errors and pace, and no outcome."""

import json
import os
import re
import shutil
import socket
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from diag.commands.watch import open_server
from diag.reading.live import Watcher
from diag.records.study_folder import utc_now

OUTCOMES = re.compile(
    r"timely_restart|verified_recovery|same_level_win|\bwon\b|\bstopped by\b|time_limit", re.IGNORECASE
)


@pytest.fixture
def folder(diag, arguments, tmp_path, capsys) -> Path:
    """A study of twelve units of which one is being played and some attempts failed."""
    words = [*arguments, "study.max_units=12", "agent=standin_failing", "agent.break_share=0.3"]
    diag(*words, "execution.max_attempts=1", "mode=run")
    capsys.readouterr()
    (root,) = (tmp_path / "out" / "rq2").iterdir()
    unit = next(path for path in sorted((root / "units").iterdir()) if _status(path)["validity"] == "valid")
    (unit / "attempt-1").rename(unit / "attempt-1.partial")
    holder = {"pid": os.getpid(), "host": socket.gethostname(), "since_utc": utc_now()}
    (root / "study.holder.json").write_text(json.dumps(holder))
    log = unit / "attempt-1.partial" / "events.jsonl"
    log.write_text(log.read_text() + '{"kind": "observ')  # a line under way
    return root


def _status(unit: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((unit / "attempt-1" / "status.json").read_text())
    return found


def test_the_facts_are_those_of_the_files(folder):
    live = Watcher(folder).look()
    statuses = [json.loads(path.read_text()) for path in folder.glob("units/*/attempt-1/status.json")]
    n_valid = sum(one["validity"] == "valid" for one in statuses)
    lines = [
        json.loads(line) for log in folder.glob("units/*/*/events.jsonl") for line in log.read_text().split("\n")[:-1]
    ]
    assert (live.standing.n_valid, live.standing.n_units, live.n_running) == (n_valid, 12, 1)
    assert live.n_failed_attempts == len(statuses) - n_valid > 0
    assert sum(count for _, count, _ in live.errors) == live.n_failed_attempts
    assert live.n_screens == sum(line["kind"] == "observation" for line in lines)
    assert live.n_decisions == sum(line["kind"] == "decision" for line in lines)
    assert sum(row[2] for row in live.arms) == 12
    assert sum(row[3] for row in live.arms) == n_valid
    assert live.state == "running"
    assert live.per_hour
    assert live.left_s == pytest.approx((12 - n_valid) / live.per_hour * 3600)


def test_a_runner_that_was_killed_is_none(folder):
    holder = {"pid": 2**22 + 1, "host": socket.gethostname(), "since_utc": utc_now()}
    (folder / "study.holder.json").write_text(json.dumps(holder))
    partial = next(folder.glob("units/*/*.partial"))
    shutil.rmtree(partial)
    assert Watcher(folder).look().state == "stopped"


def test_status_shows_no_outcome(diag, folder, capsys):
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert diag("status", str(folder)) == 0
    text = capsys.readouterr().out
    assert f"run       process {os.getpid()} on " in text
    assert re.search(r"units +\d+ of 12 valid, 1 being played", text)
    assert not OUTCOMES.search(text)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_the_page_is_for_this_machine_and_shows_no_outcome(folder):
    picture = "ab" * 32
    with open_server(folder.parent.parent, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        text = urllib.request.urlopen(f"{address}/", timeout=10).read().decode()
        codes = [
            _code(urllib.request.Request(f"{address}/{picture}")),
            _code(urllib.request.Request(f"{address}/../plan.json")),
            _code(urllib.request.Request(f"{address}/", headers={"Host": "elsewhere.example"})),
        ]
        server.shutdown()
    assert "Outcomes are not shown" in text
    assert "of 12 valid, 1 being played" in text
    assert not OUTCOMES.search(re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL))
    assert codes == [404, 404, 403]


def _code(request: urllib.request.Request) -> int:
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.mark.parametrize(
    "words", [("status", "every=x"), ("watch", "port=-1"), ("status", "a", "b"), ("status", "nope")]
)
def test_nonsense_is_refused_in_one_line(diag, capsys, words):
    assert diag(*words) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
