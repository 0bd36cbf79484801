"""Worker processes with many seats each: every attempt has a thread of its own, all of a process share one browser.

The loop, the agents and their clients are plain synchronous code; a thread that waits for a model or for its screen to
settle costs nothing. The parent hands out attempts and hears of each as it is sealed, over one pipe a process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from diag.errors import ConfigError, DiagError, one_line
from diag.records.study_folder import AttemptStatus
from diag.running.process import die_with_parent, starting_workers

LEAVE_S = 15.0
"""The longest that a process may take to close its browser when everything is done."""
_POLL_S = 1.0


class SeatsLost(RuntimeError):
    """A process ended with attempts in its seats."""


@dataclass
class _Worker:
    """One process as the parent knows it."""

    process: Any
    pipe: Connection
    running: set[int] = field(default_factory=set)


class Crew:
    """Processes x seats, in the form that `diag.running.cluster.run_on` works with."""

    deaths: tuple[type[BaseException], ...] = (SeatsLost,)

    def __init__(self, n_processes: int, n_seats: int, parent_pid: int | None) -> None:
        self._n_seats = n_seats
        self._results: dict[int, tuple[AttemptStatus | None, BaseException | None]] = {}
        self._n_submitted = 0
        with starting_workers():
            self._workers = [_started(parent_pid) for _ in range(n_processes)]

    def size(self) -> int:
        """Return how many attempts run at a time."""
        return self._n_seats * len(self._workers)

    def submit(self, task: Callable[..., AttemptStatus], *arguments: Any) -> int:
        """Send an attempt to the process with the fewest, and return its number."""
        from joblib.externals.loky.backend.reduction import dumps

        self._n_submitted += 1
        number, worker = self._n_submitted, min(self._workers, key=lambda one: len(one.running))
        worker.running.add(number)
        with contextlib.suppress(OSError):  # it is gone; `wait` finds out
            worker.pipe.send((number, bytes(dumps((task, arguments)))))
        return number

    def wait(self, futures: Sequence[int]) -> Sequence[int]:
        """Return the attempts that are done after at most a second."""
        if not any(number in self._results for number in futures):
            for pipe in wait([worker.pipe for worker in self._workers if worker.running], timeout=_POLL_S):
                self._hear(next(worker for worker in self._workers if worker.pipe is pipe))
        return [number for number in futures if number in self._results]

    def result(self, future: int) -> AttemptStatus:
        """Return a sealed attempt's status, or raise what ended it."""
        status, error = self._results.pop(future)
        if error is not None:
            raise error
        assert status is not None
        return status

    def leave(self) -> None:
        """Let every process close its browser and end."""
        for worker in self._workers:
            with contextlib.suppress(OSError):
                worker.pipe.send(None)
        for worker in self._workers:
            worker.process.join(LEAVE_S)

    def end(self) -> None:
        """End every process now; browsers and drivers end with the pipes that hold them."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join(LEAVE_S)
            worker.pipe.close()

    def _hear(self, worker: _Worker) -> None:
        try:
            number, status, error = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(LEAVE_S)
            lost = SeatsLost(f"a worker process ended with {len(worker.running)} attempts (exit {_code(worker)})")
            self._results.update(dict.fromkeys(worker.running, (None, lost)))
            worker.running.clear()
            return
        worker.running.discard(number)
        self._results[number] = (status, error)


@contextlib.contextmanager
def crew(n_processes: int, n_seats: int, parent_pid: int | None) -> Iterator[Crew]:
    """Start a crew; it ends with the block, at once if the block ends with an error or an interrupt."""
    one = Crew(n_processes, n_seats, parent_pid)
    try:
        yield one
        one.leave()
    finally:
        one.end()


def _started(parent_pid: int | None) -> _Worker:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, parent_pid), name="seats", daemon=True)
    process.start()
    there.close()
    return _Worker(process, here)


def _code(worker: _Worker) -> Any:
    return worker.process.exitcode


# --- in the worker ---------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, parent_pid: int | None) -> None:
    """Give every attempt that comes a thread, until there are no more."""
    if parent_pid is not None:
        die_with_parent(parent_pid)
    sending = threading.Lock()
    with contextlib.suppress(EOFError, OSError):  # the parent is gone
        while (order := pipe.recv()) is not None:
            threading.Thread(target=_attempt, args=(pipe, sending, *order), name="seat", daemon=True).start()


def _attempt(pipe: Connection, sending: threading.Lock, number: int, payload: bytes) -> None:
    """Run one attempt in this thread and say how it was sealed."""
    status, error = None, None
    try:
        task, arguments = _loaded(payload)
        status = task(*arguments)
    except BaseException as raised:
        error = _portable(raised)
    with sending, contextlib.suppress(OSError):
        pipe.send((number, status, error))


def _loaded(payload: bytes) -> Any:
    """Return what is to be run. Raises ConfigError: this process cannot import it."""
    try:
        return pickle.loads(payload)  # noqa: S301 - from the parent
    except Exception as error:
        raise ConfigError(f"workers cannot load the study: {one_line(error)}") from error


def _portable(error: BaseException) -> BaseException:
    """Return an error that survives the way to the parent."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:
        return DiagError(f"{type(error).__name__}: {one_line(error)}")
    return error
