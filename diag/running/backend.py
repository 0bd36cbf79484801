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
from diag.running.pace import Pace
from diag.running.process import loky_workers, starting_workers
from diag.running.seats import crew

__all__ = ["Assignment", "Workers", "WorkersDied", "free_memory_bytes"]

Assignment = tuple[Unit, int]
"""A unit and the number of the attempt at it."""


@dataclass(frozen=True)
class Workers:
    """The backend and how many units it runs at a time."""

    backend: Backend
    n_jobs: int
    """Worker processes."""
    address: str | None = None
    fill: bool = False
    """On a cluster with an address: as many units at a time as it has room for, whatever `n_jobs` says."""
    seats: int = 1
    """Attempts at a time in each process, a thread each."""
    harness_share_limit: float = 0.03
    """What the harness may take of a takeover's time before fewer run at a time."""

    @property
    def at_once(self) -> int:
        """Return how many units run at a time."""
        return self.n_jobs * self.seats

    def described(self) -> str:
        """Return how many units run at a time, in words."""
        if self.fill and self.address:
            return f"as many at a time as the {self.backend.value} cluster takes"
        by_seats = f", {self.seats} in each of {self.n_jobs} processes" if self.seats > 1 < self.n_jobs else ""
        return f"{self.at_once} at a time{by_seats}" if self.at_once > 1 else "one at a time"

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
        if self.backend is Backend.loky and self.seats > 1:
            yield from self._seated(job, assignments)
            return
        if self.backend is Backend.loky:
            yield from self._here(job, assignments, isolated=isolated)
            return
        connect = dask_cluster if self.backend is Backend.dask else ray_cluster
        with connect(self.address, self.n_jobs) as cluster:
            n_jobs = None if self.fill and self.address else self.n_jobs
            yield from run_on(cluster, job, assignments, n_jobs=n_jobs)

    def _seated(self, job: Job, assignments: Sequence[Assignment]) -> Iterator[AttemptStatus]:
        n_processes = max(1, min(self.n_jobs, len(assignments)))
        pace = Pace(job.folder, n_processes * self.seats, self.harness_share_limit)
        with crew(n_processes, self.seats, job.parent_pid) as seats:
            for status in run_on(seats, job, assignments, n_jobs=lambda: pace.n_places, task=journalled):
                pace.note(status)
                yield status

    def _here(self, job: Job, assignments: Sequence[Assignment], *, isolated: bool) -> Iterator[AttemptStatus]:
        if self.n_jobs == 1 and not isolated:
            yield from (journalled(job, unit, attempt) for unit, attempt in assignments)
            return
        from joblib import Parallel, delayed

        tasks = (delayed(journalled)(job, unit, attempt) for unit, attempt in assignments)
        try:
            with starting_workers():  # the call starts them
                statuses = Parallel(return_as="generator_unordered", **loky_workers(max(self.n_jobs, 2)))(tasks)
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
