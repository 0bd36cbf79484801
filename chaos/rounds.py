"""Random kills at random times: a study is killed again and again, then run to its end, as if undisturbed."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chaos.campaign import Campaign, always, analyse, ending
from chaos.cells import RESUME_LIMIT_S, STRUCK_LIMIT_S, Cell, Suite
from chaos.phases import MID_SESSION, TRACKING
from chaos.processes import marked
from chaos.promise import broken_promises, finished_files
from chaos.scenes import scene_for
from chaos.victim import run_victim

MOST_KILLS = 5
"""Kills of a study before it may end."""
SHARED_MEMORY = Path("/dev/shm")
Who = Callable[[random.Random, Sequence[int]], Sequence[int]]
WHO: dict[str, Who] = {
    "the runner": lambda rng, pids: pids[:1],
    "any one process": lambda rng, pids: [rng.choice(list(pids))],
    "everything at once": lambda rng, pids: pids,
}


@dataclass(frozen=True)
class Kind:
    """One sort of study that is killed."""

    name: str
    suite: Suite
    tracked: bool = False

    def cell(self, workers: int) -> Cell:
        """Return the study as the cells of the campaign have it."""
        phase = TRACKING if self.tracked else MID_SESSION
        return Cell(f"random {self.name}", phase, "", self.suite, workers, tracked=self.tracked)


KINDS = (Kind("rules", "rules"), Kind("browser", "browser"), Kind("tracking", "rules", tracked=True))


@dataclass
class Tally:
    """What became of the kills of one kind."""

    kills: int = 0
    late: int = 0
    """Struck nothing: the study had ended."""
    rounds: int = 0
    broken: list[str] = field(default_factory=list)


def kill_at_random(campaign: Campaign, scratch: Path, kind: Kind, n_kills: int, seed: int) -> Tally:
    """Run rounds until so many kills have struck; round `n` depends on (seed, kind, n) and the machine's pace alone."""
    tally = Tally()
    while tally.kills < n_kills:
        rng = random.Random(f"{seed}/{kind.name}/{tally.rounds}")
        folder = scratch / f"random-{kind.name}-{tally.rounds}"
        broken = _round(campaign, folder, kind, rng, tally, n_kills)
        tally.broken += [f"{kind.name} round {tally.rounds}: {one}" for one in broken]
        tally.rounds += 1
        if not broken:
            shutil.rmtree(folder, ignore_errors=True)
    return tally


def _round(campaign: Campaign, folder: Path, kind: Kind, rng: random.Random, tally: Tally, n_kills: int) -> list[str]:
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    workers = rng.choice((1, 2))
    with scene_for(kind.cell(workers), folder) as scene:
        wanted, took_s = campaign.undisturbed(scene), campaign.took_s(scene)
        words = [*scene.words, *scene.runtime_words, f"outputs={scene.outputs}"]
        mark, broken = str(folder), []
        before: dict[Path, bytes] = {}
        pids: set[int] = set()
        for _ in range(min(rng.randint(1, MOST_KILLS), n_kills - tally.kills)):
            who, after_s = rng.choice(list(WHO)), rng.uniform(0.0, took_s)
            strike = _Strike(mark, WHO[who], after_s, rng)
            ended = run_victim(
                words,
                mark=mark,
                folder=folder,
                limit_s=max(STRUCK_LIMIT_S, 5 * took_s),
                meanwhile=strike,
                temporary=temporary,
            )
            pids |= strike.pids
            tally.kills, tally.late = tally.kills + strike.struck, tally.late + (not strike.struck)
            broken += [f"{who} killed after {after_s:.2f} s: {one}" for one in always(ended)]
            if ended.code is None:
                broken.append(f"{who} killed after {after_s:.2f} s: no end in time")
            broken += [f"{path.parent.parent.name}: lost or changed" for path in _changed(before)]
            before = finished_files(scene.outputs)
        again = run_victim(
            words, mark=mark, folder=folder, limit_s=max(RESUME_LIMIT_S, 5 * took_s), temporary=temporary
        )
        analyse(words)
        broken += [f"afterwards: {one}" for one in always(again)]
        broken += [] if again.code == 0 else [f"afterwards: {ending(again)}: {again.errors[-300:]}"]
        broken += broken_promises(before, scene.outputs, wanted, seconds=scene.seconds)
        broken += [f"afterwards: {path.name} is left" for path in _leavings(temporary, pids)]
    return broken


class _Strike:
    """Waits, then kills; it is called beside the victim."""

    def __init__(self, mark: str, who: Who, after_s: float, rng: random.Random) -> None:
        self._mark, self._who, self._after_s, self._rng = mark, who, after_s, rng
        self.struck = False
        self.pids: set[int] = set()

    def __call__(self) -> None:
        time.sleep(self._after_s)
        alive = sorted(marked(self._mark))  # the runner is the eldest
        self.pids |= set(alive)
        for pid in self._who(self._rng, alive) if alive else ():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.struck = True


def _changed(before: dict[Path, bytes]) -> Iterator[Path]:
    return (path for path, data in before.items() if not path.is_file() or path.read_bytes() != data)


def _leavings(temporary: Path, pids: set[int]) -> list[Path]:
    """Return temporary files, semaphores and shared memory that the next start did not take away.

    Python's own trial of the temporary folder, a file of at most four bytes, is not counted: nothing tells whose it is.
    """
    trials = (b"", b"blat")
    kept = [path for path in sorted(temporary.iterdir()) if path.is_dir() or path.read_bytes() not in trials]
    shared = [path for pid in pids for path in SHARED_MEMORY.glob(f"*loky-{pid}-*")]
    return [*kept, *shared]
