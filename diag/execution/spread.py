"""Work on the files of a study in several processes of this machine, all of which end with this one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from diag.errors import DiagError
from diag.execution.process import die_with_parent, starting_workers

Task = TypeVar("Task")
Result = TypeVar("Result")


def usable_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[Task], Result], tasks: Sequence[Task], n_jobs: int) -> list[Result]:
    """Return `work(task)` of every task in order, `n_jobs` at a time; with one of either, in this process.

    Args:
        work: a function of a module; it, its task and its result go from process to process.
        tasks: what it is called with.
        n_jobs: processes.

    Raises:
        DiagError: a process was killed, most often for want of memory. What `work` raises is raised here.
    """
    if n_jobs == 1 or len(tasks) < 2:
        return [work(task) for task in tasks]
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    try:
        with starting_workers():  # the call starts them
            found = Parallel(n_jobs=n_jobs, backend="loky", batch_size=1, return_as="generator")(
                delayed(_bound)(os.getpid(), work, task) for task in tasks
            )
        return list(found)
    except BrokenProcessPool as error:
        raise DiagError(f"a worker process was killed: {str(error).splitlines()[0]}") from error
    except BaseException:
        get_reusable_executor().shutdown(wait=False, kill_workers=True)
        raise


def _bound(parent_pid: int, work: Callable[[Task], Result], task: Task) -> Result:
    die_with_parent(parent_pid)
    return work(task)
