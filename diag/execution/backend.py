"""Where attempts run: in this process, in joblib's loky workers, or on a Dask or Ray cluster."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from diag.config import Backend
from diag.errors import ConfigError
from diag.execution.attempt import Job, journalled
from diag.records import Unit
from diag.study_folder import AttemptStatus

Assignment = tuple[Unit, int]
"""A unit and the number of the attempt at it."""


class WorkersDied(RuntimeError):
    """A worker process ended in the middle; what was finished is on disk."""


@dataclass(frozen=True)
class Workers:
    """The backend and how many units it runs at a time."""

    backend: Backend
    n_jobs: int
    address: str | None = None

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
        if self.backend is Backend.loky and self.n_jobs == 1 and not isolated:
            yield from (journalled(job, unit, attempt) for unit, attempt in assignments)
            return
        try:
            yield from self._parallel(job, assignments, max(self.n_jobs, 2) if isolated else self.n_jobs)
        except BrokenProcessPool as error:
            if "un-serialize" in str(error):  # no worker died: it cannot import what it is asked to run
                raise ConfigError(f"workers cannot load the study: {_last_line(error.__cause__)}") from error
            raise WorkersDied(str(error).splitlines()[0]) from error

    def _parallel(self, job: Job, assignments: Sequence[Assignment], n_jobs: int) -> Iterator[AttemptStatus]:
        from joblib import Parallel, delayed

        tasks = (delayed(journalled)(job, unit, attempt) for unit, attempt in assignments)
        with self._cluster():
            parallel = Parallel(
                n_jobs=n_jobs,
                backend=self.backend.value,
                batch_size=1,
                return_as="generator" if self.backend is Backend.ray else "generator_unordered",
            )
            yield from parallel(tasks)

    @contextlib.contextmanager
    def _cluster(self) -> Iterator[None]:
        if self.backend is Backend.dask:
            distributed = _needed("distributed", "dask")
            arguments: dict[str, Any] = {"address": self.address} if self.address else {"n_workers": self.n_jobs}
            with distributed.Client(**arguments, **({} if self.address else {"threads_per_worker": 1})):
                yield
        elif self.backend is Backend.ray:
            _needed("ray", "ray").init(address=self.address, ignore_reinit_error=True)
            _needed("ray.util.joblib", "ray").register_ray()
            yield
        else:
            yield

    def stop(self) -> None:
        """End all worker processes now."""
        if self.backend is Backend.loky and self.n_jobs > 1:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor().shutdown(wait=False, kill_workers=True)


def _last_line(cause: BaseException | None) -> str:
    lines = [line.strip(" \n\"'") for line in str(cause).splitlines() if line.strip(" \n\"'")]
    return lines[-1] if lines else "unknown cause"


def _needed(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"execution={package} needs a package that is not installed: pip install {package}"
        ) from error
