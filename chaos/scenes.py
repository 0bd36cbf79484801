"""What a cell needs around it: the study's words, a small disk, a tracking server, an endpoint, a second runner."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from chaos.cells import Cell
from chaos.endpoint import serving
from chaos.promise import tracked_runs
from chaos.strikes import FILLER
from chaos.victim import run_victim

SMALL_DISK = "64m"
UNITS = {"rules": 6, "browser": 4}
"""Units of a study that is struck, by suite."""

TRACKED_RUNS = 4
"""Runs of a tracked study of two blocks: the study's and one per condition."""

Meanwhile = Callable[[Path, Sequence[str]], None]


@dataclass
class Scene:
    """A study and its surroundings."""

    words: list[str]
    """What decides the study: equal words, equal tables."""
    runtime_words: list[str]
    outputs: Path
    meanwhile: Meanwhile = lambda marks, words: None
    """Called once beside the struck run, with the folder of marks and the command line."""
    repair: Callable[[], None] = lambda: None
    """What a user would put right before giving the same command again."""
    complaints: list[str] = field(default_factory=list)
    """What was not as promised around the struck run."""
    seconds: bool = True
    """Whether equal studies have equal seconds; not with a real endpoint."""


@contextlib.contextmanager
def scene_for(cell: Cell, folder: Path) -> Iterator[Scene]:
    """Set the scene of a cell in its folder, and take everything down afterwards."""
    words = [
        "+experiment=rq2",
        *("agent=simulated/sol", f"suite={cell.suite}", f"study.max_units={UNITS[cell.suite]}"),
        *([] if cell.tracked else ["tracking=none"]),
        *cell.extra,
    ]
    runtime_words = [f"execution.n_jobs={cell.workers}", "execution.progress=false", f"mode={cell.mode}"]
    scene = Scene(words, runtime_words, folder / "out")
    scene.outputs.mkdir()
    with _SCENES[cell.scene](scene, folder):
        yield scene


@contextlib.contextmanager
def _plain(_scene: Scene, _folder: Path) -> Iterator[None]:
    yield


@contextlib.contextmanager
def _apart(scene: Scene, _folder: Path) -> Iterator[None]:
    """RQ6, small: two levels alone under four conditions, an agent whose doubts lose games."""
    scene.words = [
        *("+experiment=rq6", "study.targets=[agi_maze/tutorial/1,agi_maze/tutorial/2]", "study.cohorts=[single]"),
        *("study.repeats=1", "study.analysis.draws=200", "agent.knobs.doubts=0.75", "agent.knobs.reread_gain=0"),
        "tracking=none",
    ]
    yield


@contextlib.contextmanager
def _small_disk(scene: Scene, _folder: Path) -> Iterator[None]:
    place = str(scene.outputs)
    _run("mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", place)

    def repair() -> None:
        if not os.access(place, os.W_OK):
            _run("umount", place)  # the read-only mount on top
        (scene.outputs / FILLER).unlink(missing_ok=True)

    scene.repair = repair
    try:
        yield
    finally:
        while os.path.ismount(place):
            _run("umount", "--lazy", place)


@contextlib.contextmanager
def _second_runner(scene: Scene, folder: Path) -> Iterator[None]:
    def meanwhile(marks: Path, words: Sequence[str]) -> None:
        wait_for(marks / "struck")
        beside = folder / "second"
        beside.mkdir()
        second = run_victim(words, mark=str(beside), folder=beside, limit_s=30)
        if second.code != 2 or "is being run by process" not in second.errors:
            scene.complaints.append(f"the second runner ended with {second.code}: {second.errors[-200:]}")
        (marks / "released").touch()

    scene.meanwhile = meanwhile
    yield


@contextlib.contextmanager
def _finished_log_cut(scene: Scene, _folder: Path) -> Iterator[None]:
    """Cut a finished log before the study is looked at again; the remedy is to take that attempt away."""

    def meanwhile(marks: Path, _words: Sequence[str]) -> None:
        wait_for(marks / "struck")
        log = _finished_logs(scene)[0]
        log.write_bytes(log.read_bytes()[:-20])
        (marks / "released").touch()

    def repair() -> None:
        shutil.rmtree(_finished_logs(scene)[0].parent)

    scene.meanwhile, scene.repair = meanwhile, repair
    yield


def _finished_logs(scene: Scene) -> list[Path]:
    return sorted(scene.outputs.glob("*/*/units/*/attempt-1/events.jsonl"))


@contextlib.contextmanager
def _tracking_server(scene: Scene, folder: Path) -> Iterator[None]:
    """A tracking server that is killed when the projection is half done and comes back for the next command."""
    from diag.tracking.ui import command, environment, stop, wait_ready

    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    home = folder / "server"
    home.mkdir()
    running: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(
            command(home, port), env=environment(), stdout=quiet, stderr=quiet, start_new_session=True
        )
        running.append(server)
        if not wait_ready(server, port):
            raise RuntimeError("the tracking server does not start")

    def meanwhile(marks: Path, _words: Sequence[str]) -> None:
        wait_for(marks / "struck", limit_s=120)
        os.killpg(running[0].pid, signal.SIGKILL)
        running[0].wait()
        (marks / "released").touch()

    scene.runtime_words += ["tracking=server", f"tracking.uri=http://127.0.0.1:{port}"]
    scene.meanwhile, scene.repair = meanwhile, start
    start()
    try:
        yield
        if (found := tracked_runs(home / "mlflow.db")) != TRACKED_RUNS:
            scene.complaints.append(f"{found} runs on the tracking server")
    finally:
        for server in running:
            stop(server)


@contextlib.contextmanager
def _outage(scene: Scene, _folder: Path, *, back_after_s: float | None) -> Iterator[None]:
    """A model endpoint that goes down in the middle of a session; None: it comes back for the next command only."""
    with serving() as endpoint:

        def meanwhile(marks: Path, _words: Sequence[str]) -> None:
            wait_for(marks / "struck")
            endpoint.down()
            (marks / "released").touch()
            if back_after_s is not None:
                time.sleep(back_after_s)
                endpoint.up()

        wait_limit_s = 2.0 if back_after_s is None else 60.0
        scene.words = [word for word in scene.words if not word.startswith("agent=")]
        scene.words += ["agent=local", "agent.model=no-model", "agent.simulated=true", "study.limits.actions=6"]
        scene.runtime_words += [
            f"agent.client.base_url={endpoint.url}",
            *("+agent.patience.first_wait_s=0.3", "+agent.patience.longest_wait_s=0.6", "agent.patience.tries=1000"),
            f"agent.patience.wait_limit_s={wait_limit_s}",
        ]
        scene.meanwhile, scene.repair, scene.seconds = meanwhile, endpoint.up, False
        yield


def wait_for(path: Path, *, limit_s: float = 60.0) -> None:
    """Wait until a mark exists, at most so long."""
    deadline = time.monotonic() + limit_s
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


_SCENES: Mapping[str, Callable[[Scene, Path], contextlib.AbstractContextManager[None]]] = {
    "plain": _plain,
    "client and server apart": _apart,
    "small disk": _small_disk,
    "second runner": _second_runner,
    "finished log cut": _finished_log_cut,
    "tracking server": _tracking_server,
    "short outage": functools.partial(_outage, back_after_s=3.0),
    "long outage": functools.partial(_outage, back_after_s=None),
}
