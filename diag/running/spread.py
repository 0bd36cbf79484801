"""Work on the files of a study in several processes of this machine, all of which end with this one."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from diag.running.process import loky_workers, starting_workers

Task = TypeVar("Task")
Result = TypeVar("Result")
_LOG = logging.getLogger(__name__)


def usable_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[Task], Result], tasks: Sequence[Task], n_jobs: int) -> list[Result]:
    """Return `work(task)` of every task in order, `n_jobs` at a time; with one of either, in this process.

    If a process is killed, most often for want of memory, all of it is done again here. What `work` raises is raised.

    Args:
        work: a function of a module that may be called twice for a task; it, its task and its result are pickled.
        tasks: what it is called with.
        n_jobs: processes.
    """
    if n_jobs > 1 and len(tasks) > 1:
        try:
            return _elsewhere(work, tasks, n_jobs)
        except BrokenProcessPool:
            _LOG.warning("a worker process was killed, most often for want of memory; going on with one process")
    return [work(task) for task in tasks]


def _elsewhere(work: Callable[[Task], Result], tasks: Sequence[Task], n_jobs: int) -> list[Result]:
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    try:
        with starting_workers():  # the call starts them
            found = Parallel(return_as="generator", **loky_workers(n_jobs))(delayed(work)(task) for task in tasks)
        return list(found)
    except BaseException:
        get_reusable_executor().shutdown(wait=False, kill_workers=True)
        raise
