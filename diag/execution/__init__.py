"""Execution: units in parallel, one journalled attempt at a time."""

from diag.execution.attempt import Executor, Job, journalled
from diag.execution.backend import Workers, WorkersDied
from diag.execution.lock import study_lock
from diag.execution.runner import RunSummary, missing, run_plan, summary

__all__ = [
    "Executor",
    "Job",
    "RunSummary",
    "Workers",
    "WorkersDied",
    "journalled",
    "missing",
    "run_plan",
    "study_lock",
    "summary",
]
