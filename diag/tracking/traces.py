"""A sample of continuations as MLflow traces: one span per decision, one per action, on the takeover clock.

A trace begins when its attempt began, as MLflow's trace list shows the last days only, and goes on by the takeover
clock, which may be virtual. Written after the fact from the event logs, never inside a timed loop. Measured
(benchmarks/tracking.py): several milliseconds and about 1 kB a span, against nothing for the report's own viewer; so
the default is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from diag.reading.study_files import StudyFiles
from diag.report.continuation import Continuation, Frame, read_continuation
from diag.tracking.store import Tracker, import_mlflow

_NS = 1_000_000_000


@dataclass(frozen=True)
class _Clock:
    """The takeover clock, set to begin at a moment."""

    began_ns: int

    def at(self, clock_s: float) -> int:
        """Return nanoseconds since the epoch."""
        return self.began_ns + round(clock_s * _NS)


def log_traces(tracker: Tracker, files: StudyFiles, experiment_id: str, run_id: str, *, per_arm: int) -> int:
    """Write the first `per_arm` continuations of every cohort and arm, in planned order; return how many there are.

    Equal files give equal traces. An attempt whose beginning was not recorded begins at the epoch.
    """
    mlflow = import_mlflow()
    taken: dict[tuple[str, str], int] = {}
    n_traces = 0
    with _pointed_at(mlflow, tracker.uri):
        for unit in files.plan.units:
            key = (unit.cohort, unit.arm)
            events = files.events(unit.unit_id) if taken.get(key, 0) < per_arm else ()
            if not events:
                continue
            taken[key] = taken.get(key, 0) + 1
            tags = {
                "cohort": unit.cohort,
                "condition": unit.arm,
                "checkpoint": unit.checkpoint_id,
                "unit": unit.unit_id,
                "model": files.agent,
            }
            began = files.started_utc(unit.unit_id)
            clock = _Clock(round(began.timestamp() * _NS) if began else _NS)
            _log_trace(mlflow, unit.unit_id, read_continuation(events), experiment_id, run_id, tags, clock)
            n_traces += 1
        mlflow.flush_trace_async_logging()
    return n_traces


def _log_trace(
    mlflow: Any,
    name: str,
    continuation: Continuation,
    experiment_id: str,
    run_id: str,
    tags: dict[str, str],
    clock: _Clock,
) -> None:
    root = mlflow.start_span_no_context(
        name,
        span_type="AGENT",
        inputs={"unit": f"{name} {tags['model']}", "instruction": continuation.instruction},
        tags=tags,
        metadata={"mlflow.sourceRun": run_id},
        experiment_id=experiment_id,
        start_time_ns=clock.at(0.0),
    )
    end_s = continuation.end_clock_s or 0.0
    ends = [*(frame.clock_s for frame in continuation.frames[1:]), end_s]
    for frame, frame_end_s in zip(continuation.frames, ends, strict=False):
        _log_frame(mlflow, root, frame, frame_end_s, clock)
    root.end(outputs=dict(continuation.end), end_time_ns=clock.at(end_s))


def _log_frame(mlflow: Any, root: Any, frame: Frame, end_s: float, clock: _Clock) -> None:
    span = mlflow.start_span_no_context(
        f"decision {frame.index + 1}",
        span_type="CHAT_MODEL",
        parent_span=root,
        inputs={"screenshot": frame.picture, "settled": frame.settled},
        start_time_ns=clock.at(frame.clock_s),
    )
    begin_s = frame.clock_s
    for line in frame.actions:
        action = mlflow.start_span_no_context(
            line.text.split()[0],
            span_type="TOOL",
            parent_span=span,
            inputs={"action": line.text},
            start_time_ns=clock.at(begin_s),
        )
        action.end(outputs={"feedback": line.feedback, "valid": line.valid}, end_time_ns=clock.at(line.clock_s))
        begin_s = line.clock_s
    span.end(outputs={"reason": frame.reason, "stop": frame.stop}, end_time_ns=clock.at(end_s))


@contextmanager
def _pointed_at(mlflow: Any, uri: str) -> Iterator[None]:
    """Point MLflow's fluent interface, which tracing needs, at the tracker, and back again."""
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri(uri)
    try:
        yield
    finally:
        mlflow.set_tracking_uri(before)
