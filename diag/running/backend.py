"""Where attempts run: in this process, in joblib's loky workers, or on a Dask or Ray cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from diag.config import Backend
from diag.errors import ConfigError
from diag.records import Unit
from diag.records.study_folder import AttemptStatus
from diag.running.attempt import Job, journalled
from diag.running.cluster import WorkersDied, dask_cluster, ray_cluster, run_on
from diag.running.process import starting_workers

__all__ = ["Assignment", "Workers", "WorkersDied", "default_n_jobs", "free_memory_bytes"]

Assignment = tuple[Unit, int]
"""A unit and the number of the attempt at it."""
PER_WAITING_AGENT = 4
"""Units per core of an agent that waits on a network and leaves its core idle."""
PER_BUSY_BROWSER = 1.5
"""Units per core in a browser, each of which waits for its own frames now and then (docs/performance.md)."""
BROWSER_SEAT_BYTES = 768 * 2**20
"""Memory set aside for a worker with its browser: twice what one was seen to use (docs/performance.md)."""
RULES_SEAT_BYTES = 384 * 2**20
"""The same without a browser."""


@dataclass(frozen=True)
class Workers:
    """The backend and how many units it runs at a time."""

    backend: Backend
    n_jobs: int
    address: str | None = None
    fill: bool = False
    """On a cluster with an address: as many units at a time as it has room for, whatever `n_jobs` says."""

    def described(self) -> str:
        """Return how many units run at a time, in words."""
        if self.fill and self.address:
            return f"as many at a time as the {self.backend.value} cluster takes"
        return f"{self.n_jobs} at a time" if self.n_jobs > 1 else "one at a time"

    def run(self, job: Job, assignments: Sequence[Assignment], *, isolated: bool = False) -> Iterator[AttemptStatus]:
        """Yield each attempt's status as it is sealed, in any order.

        Args:
            job: what the attempts share.
            assignments: what to run.
            isolated: use a worker process even for one unit at a time.

        Raises:
            WorkersDied: a worker was killed; the rest of the assignments was not run.
            DiagError: the disk or the configuration, from the attempt concerned.
        """
        if self.backend is Backend.loky:
            yield from self._here(job, assignments, isolated=isolated)
            return
        connect = dask_cluster if self.backend is Backend.dask else ray_cluster
        with connect(self.address, self.n_jobs) as cluster:
            n_jobs = None if self.fill and self.address else self.n_jobs
            yield from run_on(cluster, job, assignments, n_jobs=n_jobs)

    def _here(self, job: Job, assignments: Sequence[Assignment], *, isolated: bool) -> Iterator[AttemptStatus]:
        if self.n_jobs == 1 and not isolated:
            yield from (journalled(job, unit, attempt) for unit, attempt in assignments)
            return
        from joblib import Parallel, delayed

        tasks = (delayed(journalled)(job, unit, attempt) for unit, attempt in assignments)
        try:
            with starting_workers():  # the call starts them
                statuses = Parallel(
                    n_jobs=max(self.n_jobs, 2), backend="loky", batch_size=1, return_as="generator_unordered"
                )(tasks)
            yield from statuses
        except BrokenProcessPool as error:
            if "un-serialize" in str(error):  # no worker died: it cannot import what it is asked to run
                raise ConfigError(f"workers cannot load the study: {_last_line(error.__cause__)}") from error
            raise WorkersDied(str(error).splitlines()[0]) from error

    def stop(self) -> None:
        """End all worker processes of this machine now; a cluster's are left when its connection closes."""
        if self.backend is Backend.loky and self.n_jobs > 1:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor().shutdown(wait=False, kill_workers=True)


def default_n_jobs(cores: int, memory_bytes: int | None, *, browser: bool, waits: bool) -> int:
    """Return how many units run at a time on this machine: by its cores, unless memory ends first; at least one.

    Args:
        cores: processors that this process may use.
        memory_bytes: memory that is free for it; None where the machine does not say.
        browser: a worker has a browser beside it.
        waits: the agent waits on a network most of the time.
    """
    by_cores = int(cores * (PER_WAITING_AGENT if waits else PER_BUSY_BROWSER if browser else 1))
    if memory_bytes is None:
        return by_cores
    return max(1, min(by_cores, memory_bytes // (BROWSER_SEAT_BYTES if browser else RULES_SEAT_BYTES)))


def free_memory_bytes(proc: Path = Path("/proc/meminfo"), cgroup: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Return the memory this process may still take, a container's limit included; None where Linux does not say."""
    found = []
    with contextlib.suppress(OSError, ValueError, StopIteration):
        line = next(line for line in proc.read_text().splitlines() if line.startswith("MemAvailable:"))
        found.append(int(line.split()[1]) * 1024)
    with contextlib.suppress(OSError, ValueError):  # `max` is no number: no limit
        found.append(int((cgroup / "memory.max").read_text()) - int((cgroup / "memory.current").read_text()))
    return max(min(found), 0) if found else None


def _last_line(cause: BaseException | None) -> str:
    lines = [line.strip(" \n\"'") for line in str(cause).splitlines() if line.strip(" \n\"'")]
    return lines[-1] if lines else "unknown cause"
