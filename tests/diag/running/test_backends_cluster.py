"""Real Dask and Ray clusters on this machine: the tables of loky byte for byte, whatever dies (make cluster-tests)."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import wait_for

HERE = Path(__file__).parent.parent
BOUND_S = 90.0


def with_outputs(words: list[str], folder: Path) -> list[str]:
    kept = [word for word in words if not word.startswith(("outputs=", "execution.n_jobs="))]
    return [*kept, f"outputs={folder}", "execution.n_jobs=2"]


def finish(process: subprocess.Popen[str], code: int = 0) -> str:
    out, err = process.communicate(timeout=BOUND_S)
    assert process.returncode == code, out + err
    return err


def tables(diag, words: list[str], folder: Path) -> list[bytes]:
    assert diag(*with_outputs(words, folder), "mode=analyse") == 0
    (tables,) = folder.glob("*/*/tables")
    return [(tables / name).read_bytes() for name in ("outcomes.csv", "effects.json")]


@pytest.fixture
def reference(diag, arguments, tmp_path):
    """The tables of the same study in loky."""
    words = [*arguments, "study.max_units=12"]
    assert diag(*with_outputs(words, tmp_path / "loky"), "mode=run") == 0
    return tables(diag, words, tmp_path / "loky")


class Dask:
    """A scheduler and a worker command of their own, as on a cluster."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.folder = folder
        environment = {**os.environ, "PYTHONPATH": f"{HERE.parent.parent}{os.pathsep}{HERE}"}
        host, port = self.address.removeprefix("tcp://").split(":")
        self.processes = [
            self._start(environment, "scheduler", "--host", host, "--port", port),
        ]
        wait_for(lambda: self._answers(host, int(port)))
        here = ("--nworkers", "2", "--nthreads", "1", "--local-directory", str(folder))
        self.processes.append(self._start(environment, "worker", self.address, *here))

    def _start(self, environment, role: str, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "dask", role, *words, "--no-dashboard"], cwd=self.folder,
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip

    def _answers(self, host: str, port: int) -> bool:
        with contextlib.suppress(OSError):
            socket.create_connection((host, port), timeout=1).close()
            return True
        return False

    def kill(self) -> None:
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def dask(tmp_path) -> Iterator[Dask]:
    pytest.importorskip("distributed")
    folder = tmp_path / "dask"
    folder.mkdir()
    cluster = Dask(folder)
    yield cluster
    cluster.kill()


def running(folder: Path) -> list[dict]:
    """Return the statuses of the attempts that run now."""
    found = []
    for path in folder.glob("*/*/units/*/attempt-*.partial/status.json"):
        with contextlib.suppress(OSError, ValueError):
            found.append(json.loads(path.read_text()))
    return found


def interrupted(folder: Path) -> list[Path]:
    return list(folder.glob("*/*/units/*/attempt-1.interrupted-*"))


def test_a_dask_cluster_gives_the_tables_of_loky(diag, start, dask, arguments, reference, tmp_path):
    words = [*arguments, "study.max_units=12"]
    finish(
        start(*with_outputs(words, tmp_path / "d"), "mode=run", "execution=dask", f"execution.address={dask.address}")
    )
    assert tables(diag, words, tmp_path / "d") == reference


def test_dask_without_an_address_starts_its_own_workers(diag, start, arguments, reference, tmp_path):
    pytest.importorskip("distributed")
    words = [*arguments, "study.max_units=12"]
    finish(start(*with_outputs(words, tmp_path / "d"), "mode=run", "execution=dask"))
    assert tables(diag, words, tmp_path / "d") == reference


def test_a_dask_worker_that_is_killed_costs_nothing(diag, start, dask, arguments, reference, tmp_path):
    words, folder = [*arguments, "study.max_units=12"], tmp_path / "d"
    run = start(
        *with_outputs(words, folder), "mode=run", "execution=dask", f"execution.address={dask.address}",
        "agent.sleep_s=0.1",
    )  # fmt: skip
    os.kill(wait_for(lambda: running(folder))[0]["pid"], signal.SIGKILL)
    finish(run)
    assert len(interrupted(folder)) == 1
    assert tables(diag, words, folder) == reference


def test_a_lost_dask_scheduler_ends_the_run_in_words_and_the_same_command_goes_on(
    diag, start, dask, arguments, reference, tmp_path
):
    words, folder = [*arguments, "study.max_units=12"], tmp_path / "d"
    run = start(
        *with_outputs(words, folder), "mode=run", "execution=dask", f"execution.address={dask.address}",
        "agent.sleep_s=0.1",
    )  # fmt: skip
    wait_for(lambda: list(folder.glob("*/*/units/*/attempt-1")))
    dask.kill()
    began = time.monotonic()
    message = finish(run, 2)
    assert time.monotonic() - began < BOUND_S
    assert "the same command goes on from there" in message
    assert "Traceback" not in message
    assert diag(*with_outputs(words, folder), "mode=run") == 0
    assert tables(diag, words, folder) == reference


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_unit_that_kills_its_worker_is_charged_alone(diag, start, arguments, tmp_path, backend):
    pytest.importorskip({"dask": "distributed"}.get(backend, backend))
    words, folder = [*arguments, "study.max_units=6", "agent=standin_failing", "agent.kill_worker=true"], tmp_path / "k"
    words += ["agent.break_share=0.2", "execution.max_attempts=1"]
    finish(start(*with_outputs(words, folder), "mode=run", f"execution={backend}"), 1)
    statuses = [json.loads(path.read_text()) for path in folder.glob("*/*/units/*/attempt-*/status.json")]
    charged = {one["unit_id"] for one in statuses if one["failure_kind"] == "worker"}
    fine = {one["unit_id"] for one in statuses if one["validity"] == "valid"}
    assert charged
    assert not charged & fine
    assert len(charged | fine) == 6


def test_ray_gives_the_tables_of_loky(diag, start, arguments, reference, tmp_path):
    pytest.importorskip("ray")
    words = [*arguments, "study.max_units=12"]
    finish(start(*with_outputs(words, tmp_path / "r"), "mode=run", "execution=ray"))
    assert tables(diag, words, tmp_path / "r") == reference


def test_a_ray_worker_that_is_killed_costs_nothing(diag, start, arguments, reference, tmp_path):
    pytest.importorskip("ray")
    words, folder = [*arguments, "study.max_units=12"], tmp_path / "r"
    run = start(*with_outputs(words, folder), "mode=run", "execution=ray", "agent.sleep_s=0.1")
    os.kill(wait_for(lambda: running(folder))[0]["pid"], signal.SIGKILL)
    finish(run)
    assert len(interrupted(folder)) == 1
    assert tables(diag, words, folder) == reference


@pytest.mark.parametrize(
    ("backend", "module", "address"),
    [("dask", "distributed", "tcp://127.0.0.1:1"), ("ray", "ray", "127.0.0.1:1"), ("ray", "ray", "auto")],
)
def test_a_cluster_that_is_not_there_is_one_line_in_bounded_time(start, arguments, backend, module, address):
    pytest.importorskip(module)
    began = time.monotonic()
    message = finish(start(*arguments, "mode=run", f"execution={backend}", f"execution.address={address}"), 2)
    assert f"error: execution={backend}: n" in message
    assert "Traceback" not in message
    assert time.monotonic() - began < 60
