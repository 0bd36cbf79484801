"""Dask and Ray: a window of attempts on a cluster, each sealed attempt as it comes, every wait bounded.

Both are used through their own futures: joblib's Ray backend hands nothing back before the last attempt, and neither of
joblib's tells a worker that died from an attempt that failed, or notices a scheduler that is gone.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from diag.errors import ConfigError, CorruptRecord, DiagError, one_line
from diag.records import Outcome, Unit
from diag.records.study_folder import AttemptStatus, StudyFolder
from diag.running.attempt import Job, journalled

CONNECT_S = 10.0
"""How long a cluster may take to answer at its address."""
NO_WORKERS_S = 60.0
"""How long a cluster may be without any worker before the run gives up."""
_POLL_S = 1.0
_GOES_ON = "what is finished is kept, and the same command goes on from there"


class WorkersDied(RuntimeError):
    """A worker process ended in the middle; what was finished is on disk."""


class ClusterLost(DiagError):
    """The cluster does not answer any more, or has no workers."""


class Cluster(Protocol):
    """A connection to a cluster."""

    deaths: tuple[type[BaseException], ...]
    """What a future raises when its worker died."""

    def size(self) -> int:
        """Return how many attempts the cluster can run at a time."""

    def submit(self, task: Callable[..., AttemptStatus], *arguments: Any) -> Any:
        """Start a task and return its future."""

    def wait(self, futures: Sequence[Any]) -> Sequence[Any]:
        """Return the futures that are done after at most a second. Raises ClusterLost."""

    def result(self, future: Any) -> AttemptStatus:
        """Return what a finished future holds, or raise what its task raised."""


def run_on(
    cluster: Cluster,
    job: Job,
    assignments: Sequence[tuple[Unit, int]],
    *,
    n_jobs: int | Callable[[], int] | None,
    task: Callable[..., AttemptStatus] | None = None,
) -> Iterator[AttemptStatus]:
    """Yield each attempt's status as it is sealed, `n_jobs` at a time (None: as many as the cluster takes).

    Args:
        cluster: where to.
        job: what the attempts share.
        assignments: what to run.
        n_jobs: a number, or what says it anew before every attempt.
        task: what runs an attempt; `fenced` if not given.

    Raises:
        WorkersDied: a worker died; what ran beside it was finished first, the rest of the assignments was not begun.
        ClusterLost: the cluster is gone.
        DiagError: the disk or the configuration, from the attempt concerned.
    """
    waiting = iter(assignments)
    running: set[Any] = set()
    death: BaseException | None = None
    fixed = 0 if callable(n_jobs) else n_jobs or max(cluster.size(), 1)
    n_places = n_jobs if callable(n_jobs) else lambda: fixed
    while True:
        while death is None and len(running) < n_places() and (one := next(waiting, None)) is not None:
            running.add(cluster.submit(task or fenced, job, *one))
        if not running:
            break
        for future in cluster.wait(tuple(running)):
            running.discard(future)
            try:
                yield cluster.result(future)
            except cluster.deaths as error:
                death = error
    if death is not None:
        raise WorkersDied(one_line(death)[:300]) from death


# --- one attempt, fenced ---------------------------------------------------------------------------------------------


def fenced(job: Job, unit: Unit, attempt: int) -> AttemptStatus:
    """Run one attempt that cannot be mistaken for a later try at the same one.

    A cluster goes on when the run that asked is stopped, so an attempt may still be played when the next run begins it
    again: only the attempt whose mark lies in the folder is sealed. And a scheduler runs a task again whose result was
    lost with a worker: an attempt that is complete is not played again.

    Raises:
        CorruptRecord: another process took the attempt over in the meantime; nothing of this one was kept.
    """
    if job.folder.attempt_folder(unit.unit_id, attempt).is_dir():
        return job.folder.status(unit.unit_id, attempt)
    return journalled(replace(job, folder=_Fenced(job.folder.root, uuid4().hex)), unit, attempt)


class _Fenced(StudyFolder):
    """A study's folder as one attempt sees it."""

    def __init__(self, root: Path, mark: str) -> None:
        super().__init__(root)
        self._mark = mark

    def begin_attempt(self, unit_id: str, attempt: int, *, plan_hash: str, browser: bool) -> Path:
        """Begin and leave the mark."""
        partial = super().begin_attempt(unit_id, attempt, plan_hash=plan_hash, browser=browser)
        (partial / "mark").write_text(self._mark)
        return partial

    def beat(self, folder: Path) -> None:
        """Renew the heartbeat of the own attempt only."""
        if self._is_own(folder):
            super().beat(folder)

    def finish_attempt(self, folder: Path, outcome: Outcome, message: str = "") -> AttemptStatus:
        """Seal the own attempt only."""
        if not self._is_own(folder):
            raise CorruptRecord(f"{folder} was taken over by another run while this attempt was played")
        (folder / "mark").unlink()
        return super().finish_attempt(folder, outcome, message)

    def _is_own(self, folder: Path) -> bool:
        try:
            return (folder / "mark").read_text() == self._mark
        except OSError:
            return False


@dataclass
class _Vigil:
    """Gives a cluster up that has had nobody to work on it for too long."""

    nobody: str
    """What there is none of, for the message."""
    _seen_s: float = field(default_factory=time.monotonic)

    def note(self, somebody: bool) -> None:
        """Note whether anybody works now. Raises ClusterLost: nobody has for `NO_WORKERS_S`."""
        now = time.monotonic()
        if somebody:
            self._seen_s = now
        elif now - self._seen_s > NO_WORKERS_S:
            raise ClusterLost(f"{self.nobody} for {NO_WORKERS_S:.0f} s; {_GOES_ON}")


# --- Dask ------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def dask_cluster(address: str | None, n_jobs: int) -> Iterator[Cluster]:
    """Connect to a scheduler; without an address start one here with `n_jobs` worker processes.

    Raises:
        ConfigError: Dask is not installed, or nothing answers at the address.
    """
    distributed = needed("distributed", "dask")
    require_answer(address, "dask")
    for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters of its errors is raised
    where: dict[str, Any] = (
        {"address": address}
        if address
        else {"n_workers": n_jobs, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    )
    try:
        client = distributed.Client(**where, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConfigError(f"execution=dask: no scheduler answers at {address}: {one_line(error)}") from error
    try:
        yield _Dask(client, distributed)
    finally:
        client.close(timeout=CONNECT_S)


@dataclass
class _Dask:
    client: Any
    distributed: Any
    deaths: tuple[type[BaseException], ...] = ()
    lost: tuple[type[BaseException], ...] = ()
    """What says that the scheduler is gone."""
    _vigil: _Vigil = field(default_factory=lambda: _Vigil("execution=dask: no worker"))

    def __post_init__(self) -> None:
        client = self.distributed.client
        self.deaths = (self.distributed.scheduler.KilledWorker,)
        self.lost = (
            CancelledError,
            client.FutureCancelledError,
            client.FuturesCancelledError,
            self.distributed.comm.CommClosedError,
        )

    def size(self) -> int:
        return sum(worker["nthreads"] for worker in self._workers().values())

    def submit(self, task: Callable[..., AttemptStatus], *arguments: Any) -> Any:
        return self.client.submit(task, *arguments, pure=False, retries=0)

    def wait(self, futures: Sequence[Any]) -> Sequence[Any]:
        with self._answering(), self.client.as_current(), contextlib.suppress(TimeoutError):
            self.distributed.wait(futures, timeout=_POLL_S, return_when="FIRST_COMPLETED")
        done = [future for future in futures if future.done()]
        self._vigil.note(bool(done) or bool(self._workers()))
        return done

    def result(self, future: Any) -> AttemptStatus:
        with self._answering():
            status: AttemptStatus = future.result(timeout=CONNECT_S)
        return status

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except self.lost as error:
            raise ClusterLost(f"execution=dask: the scheduler is gone; {_GOES_ON}") from error

    def _workers(self) -> dict[str, Any]:
        if self.client.status != "running":
            return {}
        with self._answering():
            workers: dict[str, Any] = self.client.scheduler_info(n_workers=-1)["workers"]
        return workers


# --- Ray -------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def ray_cluster(address: str | None, n_jobs: int) -> Iterator[Cluster]:
    """Connect to a head (`auto`, or host:port); without an address start one here with `n_jobs` processors.

    Raises:
        ConfigError: Ray is not installed, or nothing answers at the address.
    """
    ray = needed("ray", "ray")
    require_answer(address, "ray")
    where: dict[str, Any] = {"address": address} if address else {"num_cpus": n_jobs, "include_dashboard": False}
    try:
        if not ray.is_initialized():  # starting takes seconds: the connection is kept until the process ends
            ray.init(**where, log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise ConfigError(f"execution=ray: no head answers at {address}: {one_line(error)}") from error
    cluster = _Ray(ray)
    try:
        yield cluster
    finally:
        cluster.stop()


@dataclass
class _Ray:
    ray: Any
    deaths: tuple[type[BaseException], ...] = ()
    _open: set[Any] = field(default_factory=set)
    _vigil: _Vigil = field(default_factory=lambda: _Vigil("execution=ray: no node"))

    def __post_init__(self) -> None:
        errors = self.ray.exceptions
        self.deaths = (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError)

    def size(self) -> int:
        return int(self.ray.cluster_resources().get("CPU", 1))

    def submit(self, task: Callable[..., AttemptStatus], *arguments: Any) -> Any:
        future = self.ray.remote(max_retries=0, num_cpus=1)(task).remote(*arguments)
        self._open.add(future)
        return future

    def wait(self, futures: Sequence[Any]) -> Sequence[Any]:
        done, _ = self.ray.wait(list(futures), num_returns=1, timeout=_POLL_S)
        self._vigil.note(bool(done) or any(node["Alive"] for node in self.ray.nodes()))
        return list(done)

    def result(self, future: Any) -> AttemptStatus:
        self._open.discard(future)
        try:
            status: AttemptStatus = self.ray.get(future, timeout=CONNECT_S)
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from None  # what the attempt raised, as on any other backend
        return status

    def stop(self) -> None:
        """End what still runs: a stopped study leaves nothing behind on the cluster."""
        for future in self._open:
            with contextlib.suppress(Exception):
                self.ray.cancel(future, force=True)


# --- both ------------------------------------------------------------------------------------------------------------


def needed(module: str, extra: str) -> Any:
    """Import what an extra brings. Raises ConfigError saying what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f'execution={extra} needs a package that is not installed: pip install "gui-diagnostics[{extra}]"'
        ) from error


def require_answer(address: str | None, backend: str) -> None:
    """Check that something listens at host:port before a client spends minutes on it. Raises ConfigError."""
    match = re.fullmatch(r"(?:\w+://)?\[?([^\[\]/]+?)\]?:(\d+)", address or "")
    if match is None:
        return  # none, `auto`, or a form that only the client knows
    try:
        socket.create_connection((match[1], int(match[2])), timeout=CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise ConfigError(f"execution={backend}: nothing answers at {address}: {one_line(error)}") from error
