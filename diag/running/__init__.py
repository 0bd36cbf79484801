"""Execution: units in parallel, one journalled attempt at a time."""

from diag.running.attempt import Executor, Job, journalled
from diag.running.backend import Workers, WorkersDied
from diag.running.lock import study_lock
from diag.running.runner import RunSummary, missing, run_plan, summary

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
