"""Runs cells: strike, look what is left, give the same command again, check every promise."""

from __future__ import annotations

import contextlib
import io
import shutil
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chaos.cells import RESUME_LIMIT_S, Cell
from chaos.hooking import Orders
from chaos.promise import Tables, broken_promises, failures, finished_files, tables_of
from chaos.scenes import Scene, scene_for
from chaos.victim import Ended, run_victim


@dataclass(frozen=True)
class Observation:
    """What one cell came to."""

    cell: Cell
    ended: str
    """How the struck run ended."""
    charged: str
    """Infrastructure failures that it cost."""
    resumed: str
    """How the same command ended afterwards."""
    broken: tuple[str, ...]
    """Promises that do not hold; empty if all do."""
    seconds: tuple[float, float]
    """Of the struck run and of the next."""
    went_on_s: float | None = None
    """How long the struck run went on after the strike; None if it did not strike, or if it was not to stop."""


class Campaign:
    """Cells in a scratch folder of their own, each against the tables of its undisturbed study."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._undisturbed: dict[tuple[str, ...], Tables] = {}
        self._took_s: dict[tuple[str, ...], float] = {}
        self._lock = threading.Lock()

    def run(self, cell: Cell) -> Observation:
        """Run one cell; whatever happens, its result is an observation."""
        folder = self._scratch / "".join(letter if letter.isalnum() else "-" for letter in cell.name)
        folder.mkdir(parents=True)
        with scene_for(cell, folder) as scene:
            wanted = self.undisturbed(scene)
            seen = _struck_and_resumed(cell, scene, folder, wanted)
        if not seen.broken:
            shutil.rmtree(folder, ignore_errors=True)
        return seen

    def undisturbed(self, scene: Scene) -> Tables:
        """Return the tables of the scene's study, run once without any fault. Raises RuntimeError: it does not run."""
        words = tuple(scene.words)
        with self._lock:
            if words not in self._undisturbed:
                self._undisturbed[words] = self._run_undisturbed(words, scene)
            return self._undisturbed[words]

    def took_s(self, scene: Scene) -> float:
        """Return how long the undisturbed run of the scene took; `undisturbed` has been called."""
        return self._took_s[tuple(scene.words)]

    def _run_undisturbed(self, words: Sequence[str], scene: Scene) -> Tables:
        folder = self._scratch / f"undisturbed-{len(self._undisturbed) + 1}"
        folder.mkdir(parents=True)
        outputs = folder / "out"
        command = [*words, *scene.runtime_words, f"outputs={outputs}"]
        ended = run_victim(command, mark=str(folder), folder=folder, limit_s=120)
        if ended.code != 0:
            raise RuntimeError(f"the undisturbed study ended with {ended.code}: {ended.errors[-2000:]}")
        self._took_s[tuple(words)] = ended.took_s
        analyse(command)
        return tables_of(outputs, seconds=scene.seconds)


def _struck_and_resumed(cell: Cell, scene: Scene, folder: Path, wanted: Tables) -> Observation:
    marks = folder / "marks"
    marks.mkdir()
    mark, words = str(folder), [*scene.words, *scene.runtime_words, f"outputs={scene.outputs}"]
    orders = Orders(cell.phase.name, cell.strike, str(scene.outputs), str(marks))
    struck = run_victim(
        words,
        mark=mark,
        folder=folder,
        limit_s=cell.limit_s,
        orders=orders,
        meanwhile=lambda: scene.meanwhile(marks, words),
    )
    went_on = went_on_s(marks / "struck")
    broken = scene.complaints + _complaints(cell, struck, went_on_s=went_on)
    charged = failures(scene.outputs)
    broken += [f"charged with {kind}" for kind in sorted(set(charged) - set(cell.charged))]
    scene.repair()
    before = finished_files(scene.outputs)
    again = run_victim(words, mark=mark, folder=folder, limit_s=RESUME_LIMIT_S)
    analyse(words)
    broken += [f"afterwards: {complaint}" for complaint in always(again)]
    broken += [] if again.code == 0 else [f"afterwards: {ending(again)}"]
    broken += broken_promises(before, scene.outputs, wanted, seconds=scene.seconds)
    return Observation(
        cell,
        ending(struck),
        _counted(charged),
        ending(again),
        tuple(broken),
        (struck.took_s, again.took_s),
        went_on if cell.stops_s is not None else None,
    )


_ANALYSING = threading.Lock()


def analyse(words: Sequence[str]) -> None:
    """Write the tables of a run, in this process, which has everything imported. A failure leaves no tables."""
    if "mode=run" in words:
        from diag.app.command_line import main

        with _ANALYSING, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main([word for word in words if word != "mode=run"] + ["mode=analyse", "interim=true"])


def went_on_s(mark: Path) -> float | None:
    """Return how long ago a strike happened; None if it did not."""
    return time.time() - mark.stat().st_mtime if mark.exists() else None


def _complaints(cell: Cell, struck: Ended, *, went_on_s: float | None) -> list[str]:
    broken = [] if went_on_s is not None else ["the fault did not strike"]
    if cell.stops_s is not None and (went_on_s or 0.0) > cell.stops_s:
        broken.append(f"went on for {went_on_s:.0f} s")
    if struck.code not in cell.endings:
        broken.append(f"{ending(struck)}: {' '.join(struck.errors.split())[-300:]}")
    if cell.says not in struck.errors:
        broken.append(f"does not say {cell.says!r}")
    return broken + always(struck)


def always(ended: Ended) -> list[str]:
    """Return what no run may do, however it ends."""
    broken = ["a traceback on the terminal"] if "Traceback" in ended.errors else []
    broken += ["noise of a library on the terminal"] if _noise(ended.errors) else []
    return broken + [f"left behind: {command}" for command in ended.left_behind]


def _noise(errors: str) -> bool:
    return any(text in errors for text in ("never retrieved", "UserWarning", "Exception ignored", "leaked"))


def ending(ended: Ended) -> str:
    """Return how a command ended, in words."""
    if ended.code is None:
        return "no end in time"
    return "killed" if ended.code == -9 else f"signal {-ended.code}" if ended.code < 0 else f"exit {ended.code}"


def _counted(charged: dict[str, int]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in sorted(charged.items())) or "none"
