"""What a cell needs around it: the study's words, a small disk, a tracking server, a model endpoint, a second runner."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chaos.cells import Cell
from chaos.strikes import FILLER
from chaos.victim import run_victim

SMALL_DISK = "64m"
UNITS = {"rules": 6, "browser": 4}
"""Units of a study that is struck, by suite."""

Meanwhile = Callable[[Path, Sequence[str]], None]


@dataclass
class Scene:
    """A study and its surroundings."""

    words: list[str]
    """What decides the study: equal words, equal tables."""
    runtime_words: list[str]
    outputs: Path
    meanwhile: Meanwhile = lambda marks, words: None  # noqa: E731 - nothing happens meanwhile
    """Called once beside the struck run, with the folder of marks and the command line."""
    repair: Callable[[], None] = lambda: None
    """What a user would put right before giving the same command again."""
    complaints: list[str] = field(default_factory=list)


@contextlib.contextmanager
def scene_for(cell: Cell, folder: Path) -> Iterator[Scene]:
    """Set the scene of a cell in its folder, and take everything down afterwards."""
    words = [
        "+experiment=rq2",
        *("agent=simulated/sol", f"suite={cell.suite}", f"study.max_units={UNITS[cell.suite]}"),
        *([] if cell.tracked else ["tracking=none"]),
        *cell.extra,
    ]
    scene = Scene(words, [f"execution.n_jobs={cell.workers}", "execution.progress=false"], folder / "out")
    scene.outputs.mkdir()
    with _SCENES[cell.scene](scene, folder):
        yield scene


@contextlib.contextmanager
def _plain(_scene: Scene, _folder: Path) -> Iterator[None]:
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
    def meanwhile(marks: Path, _words: Sequence[str]) -> None:
        wait_for(marks / "struck")
        (marks / "released").touch()

    scene.meanwhile = meanwhile
    yield


@contextlib.contextmanager
def _tracking_server(scene: Scene, folder: Path) -> Iterator[None]:
    yield


@contextlib.contextmanager
def _outage(scene: Scene, folder: Path) -> Iterator[None]:
    yield


def wait_for(path: Path, *, limit_s: float = 60.0) -> None:
    """Wait until a mark exists, at most so long."""
    deadline = time.monotonic() + limit_s
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


_SCENES = {
    "plain": _plain,
    "small disk": _small_disk,
    "second runner": _second_runner,
    "finished log cut": _finished_log_cut,
    "tracking server": _tracking_server,
    "short outage": _outage,
    "long outage": _outage,
}
