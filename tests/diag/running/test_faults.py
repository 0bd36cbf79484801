"""Killed runners, killed workers, a second runner, Ctrl-C: nothing lost, nothing run twice, nothing left behind."""

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest
from waiting import wait_for

from checkpoints.store import SHIPPED
from diag.running.process import alive


def table(diag, words) -> bytes:
    assert diag(*words, "mode=analyse") == 0
    outputs = next(word.removeprefix("outputs=") for word in words if word.startswith("outputs="))
    return next(Path(outputs).glob("*/*/tables/outcomes.csv")).read_bytes()


def finished(tmp_path: Path) -> int:
    return len(list((tmp_path / "out").glob("*/*/units/*/attempt-1/outcome.json")))


def workers_of(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return found


def test_a_killed_runner_resumes_to_the_same_table_whatever_the_number_of_workers(diag, start, arguments, tmp_path):
    words = [*arguments, "study.max_units=9"]
    runner = start(*words, "execution.n_jobs=2", "agent.sleep_s=0.05", "mode=run")
    wait_for(lambda: finished(tmp_path) >= 2)
    workers = workers_of(runner.pid)
    os.kill(runner.pid, signal.SIGKILL)
    runner.communicate()
    wait_for(lambda: not any(alive(worker) for worker in workers), 5.0)
    before = {path: path.read_bytes() for path in tmp_path.glob("out/*/*/units/*/attempt-1/*")}
    assert finished(tmp_path) < 9
    assert diag(*words, "mode=run") == 0
    assert {path: path.read_bytes() for path in before} == before
    whole = [word for word in words if not word.startswith("outputs=")] + [f"outputs={tmp_path / 'whole'}"]
    assert diag(*whole, "mode=run") == 0
    assert table(diag, words) == table(diag, whole)


def test_a_second_runner_is_refused_and_told_who_runs(diag, start, arguments, tmp_path, capsys):
    words = [*arguments, "study.max_units=9"]
    runner = start(*words, "agent.sleep_s=0.05", "mode=run")
    wait_for(lambda: finished(tmp_path) >= 1)
    assert diag(*words, "mode=run") == 2
    assert f"is being run by process {runner.pid} on " in capsys.readouterr().err
    os.killpg(runner.pid, signal.SIGKILL)
    runner.communicate()


def test_ctrl_c_ends_within_seconds_and_says_how_to_resume(start, arguments, tmp_path):
    runner = start(*arguments, "execution.n_jobs=2", "agent.sleep_s=0.1", "mode=run")
    wait_for(lambda: finished(tmp_path) >= 1)
    workers = workers_of(runner.pid)
    began = time.monotonic()
    os.killpg(runner.pid, signal.SIGINT)  # as a terminal does: the runner and its workers
    _, err = runner.communicate(timeout=30)
    assert runner.returncode == 130
    assert time.monotonic() - began < 8
    assert "the same command goes on from there" in err
    assert "Traceback" not in err
    wait_for(lambda: not any(alive(worker) for worker in workers), 5.0)


def test_a_worker_that_dies_costs_only_its_own_unit_an_attempt(diag, arguments, tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    words = [
        *arguments, "agent=standin_failing", "agent.kill_worker=true", f"agent.marks={marks}", "study.max_units=6",
        "execution.n_jobs=2", "agent.break_share=0.4",
    ]  # fmt: skip
    assert diag(*words, "mode=run") == 0
    assert len(list(marks.iterdir())) > 0
    assert finished(tmp_path) == 6


@pytest.mark.slow
def test_a_unit_that_kills_every_worker_stays_incomplete_with_its_history(diag, arguments, tmp_path):
    words = [
        *arguments, "agent=standin_failing", "agent.kill_worker=true", "study.max_units=6", "execution.n_jobs=2",
        "agent.break_share=0.2", "execution.max_attempts=2",
    ]  # fmt: skip
    assert diag(*words, "mode=run") == 1
    statuses = [json.loads(path.read_text()) for path in tmp_path.glob("out/*/*/units/*/attempt-*/status.json")]
    charged = {one["unit_id"] for one in statuses if one["failure_kind"] == "worker"}
    fine = {one["unit_id"] for one in statuses if one["validity"] == "valid"}
    assert charged
    assert not charged & fine
    assert len(charged | fine) == 6


def test_a_damaged_library_picture_ends_the_run_at_once_and_costs_no_attempt(diag, tmp_path, capsys):
    library = tmp_path / "library"
    shutil.copytree(SHIPPED / "rq2", library)
    strip = library / "pictures" / "D01.webp"
    strip.write_bytes(strip.read_bytes()[:900])
    words = ["+experiment=rq2", "agent=null", "suite=rules", "tracking=none", "execution.n_jobs=1"]
    words += [f"outputs={tmp_path / 'out'}", "execution.progress=false", "study.max_units=3"]
    assert diag(*words, f"catalog.library={library}", "mode=run") == 3
    assert "error: D01.webp: frame" in capsys.readouterr().err
    assert finished(tmp_path) == 0
    shutil.copy(SHIPPED / "rq2" / "pictures" / "D01.webp", strip)
    assert diag(*words, f"catalog.library={library}", "mode=run") == 0
    assert finished(tmp_path) == 3
