"""A study in many seats: the records of one at a time byte for byte; deaths, hangs and Ctrl-C cost what they must."""

import json
import os
import signal
import time
from pathlib import Path

import pytest
from waiting import wait_for

from diag.records.study_folder import StudyFolder
from diag.running.process import alive


def into(arguments: list[str], folder: Path) -> list[str]:
    return [
        *(word for word in arguments if not word.startswith(("outputs=", "execution.n_jobs="))),
        f"outputs={folder}",
    ]


def records(folder: Path) -> dict[str, bytes]:
    """Everything of a unit but its status, which holds a process and the time of day."""
    (study,) = folder.glob("*/*")
    paths = [*study.glob("units/*/*/events.jsonl"), *study.glob("units/*/*/outcome.json"), *study.glob("pictures/*/*")]
    assert paths
    return {str(path.relative_to(study)): path.read_bytes() for path in paths}


def pids(folder: Path) -> set[int]:
    return {
        json.loads(path.read_text())["pid"]
        for path in (
            *folder.glob("*/*/units/*/attempt-1/status.json"),
            *folder.glob("*/*/units/*/*.partial/status.json"),
        )
    }


def seats(n_processes: int, n_seats: int) -> list[str]:
    return [f"execution.n_jobs={n_processes}", f"execution.seats={n_seats}", "mode=run"]


@pytest.mark.parametrize(("n_processes", "n_seats"), [(1, 8), (2, 3)])
def test_records_are_those_of_one_at_a_time(diag, arguments, tmp_path, n_processes, n_seats):
    words = [*arguments, "study.max_units=12"]
    assert diag(*into(words, tmp_path / "one"), *seats(1, 1)) == 0
    assert diag(*into(words, tmp_path / "many"), *seats(n_processes, n_seats)) == 0
    assert records(tmp_path / "one") == records(tmp_path / "many")
    assert len(pids(tmp_path / "many")) == n_processes


@pytest.mark.slow
@pytest.mark.browser
def test_records_and_pictures_are_those_of_one_at_a_time_in_a_browser(diag, arguments, tmp_path):
    words = [*(word for word in arguments if word != "suite=rules"), "suite=browser", "study.max_units=6"]
    assert diag(*into(words, tmp_path / "one"), *seats(1, 1)) == 0
    assert diag(*into(words, tmp_path / "many"), *seats(1, 6)) == 0
    assert records(tmp_path / "one") == records(tmp_path / "many")


def test_ctrl_c_ends_ninety_six_seats_within_five_seconds(start, arguments, tmp_path):
    runner = start(*into(arguments, tmp_path / "out"), "agent.sleep_s=2", *seats(1, 96))
    wait_for(lambda: len(list(tmp_path.glob("out/*/*/units/*/*.partial/events.jsonl"))) >= 90, 120.0)
    workers = pids(tmp_path / "out")
    began = time.monotonic()
    os.killpg(runner.pid, signal.SIGINT)
    _, err = runner.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert runner.returncode == 130
    assert "the same command goes on from there" in err
    assert "Traceback" not in err
    wait_for(lambda: not any(alive(worker) for worker in workers), 5.0)


def test_a_killed_runner_resumes_to_the_same_records(diag, start, arguments, tmp_path):
    words = into([*arguments, "study.max_units=12"], tmp_path / "out")
    runner = start(*words, "agent.sleep_s=0.1", *seats(1, 4))
    wait_for(lambda: len(list(tmp_path.glob("out/*/*/units/*/attempt-1/outcome.json"))) >= 3)
    workers = pids(tmp_path / "out")
    os.kill(runner.pid, signal.SIGKILL)
    runner.communicate()
    wait_for(lambda: not any(alive(worker) for worker in workers), 5.0)
    assert diag(*words, *seats(1, 4)) == 0
    assert diag(*into(words, tmp_path / "whole"), *seats(1, 1)) == 0
    kept = {name: data for name, data in records(tmp_path / "out").items() if ".interrupted" not in name}
    assert kept == records(tmp_path / "whole")


@pytest.mark.slow
def test_an_agent_that_kills_its_process_costs_only_its_own_unit_an_attempt(diag, arguments, tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    words = into([*arguments, "study.max_units=6"], tmp_path / "out")
    words += ["agent=standin_failing", "agent.kill_worker=true", f"agent.marks={marks}", "agent.break_share=0.4"]
    assert diag(*words, *seats(1, 6)) == 0
    assert list(marks.iterdir())
    (study,) = (tmp_path / "out").glob("*/*")
    units = [path.name for path in (study / "units").iterdir()]
    assert len(units) == 6
    assert all(StudyFolder(study).primary(unit) for unit in units)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["execution.seats=0"], "execution.seats: found 0, wanted at least 1"),
        (["execution.seats=9", "execution.backend=dask"], "execution.seats: found 9 on a cluster, wanted 1"),
        (["execution.harness_share_limit=0"], "execution.harness_share_limit: found 0, wanted at least 0.001"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(diag, arguments, capsys, words, said):
    assert diag(*(word for word in arguments if not word.startswith("execution.n_jobs=")), *words, "mode=plan") == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.strip().splitlines()) == 1
