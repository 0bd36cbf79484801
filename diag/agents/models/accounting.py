"""What each unit and the whole study used, read from the decisions in its logs: tokens, images, calls, cost."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from diag.errors import DiagError
from diag.grading.ngar import step_is_native
from diag.records.csv_text import csv_text
from diag.records.lines import lines_of
from diag.records.study_folder import StudyFolder
from games.contract import JsonObject


@dataclass(frozen=True)
class Usage:
    """Sums over the answered calls of some attempts; None where any call did not report the part."""

    calls: int = 0
    summaries: int = 0
    """The part of `calls` that wrote summaries."""
    failed_tries: int = 0
    images: int = 0
    malformed: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0
    throttled_s: float = 0.0
    native_steps: int = 0
    other_steps: int = 0
    """Action steps of a code-execution agent: NGAR = 100 native / both."""

    def plus(self, call: JsonObject) -> Usage:
        """Return the sums with one record, as a decision's `usage` holds it; with code it is that of several calls."""
        cost, n_calls = call.get("cost"), int(call.get("model_calls", 1))
        steps = [step_is_native(step) for step in call.get("steps", ())]
        return Usage(
            self.calls + n_calls,
            self.summaries + len(call.get("summaries", ())),
            self.failed_tries + len(call.get("tries", ())) - n_calls,
            self.images + int(call.get("images", 0)),
            self.malformed + len(call.get("malformed", ())),
            _sum(self.input_tokens, call.get("input_tokens")),
            _sum(self.output_tokens, call.get("output_tokens")),
            None if self.cost is None or cost is None else self.cost + cost,
            round(self.throttled_s + float(call.get("throttled_s", 0.0)), 3),
            self.native_steps + sum(steps),
            self.other_steps + len(steps) - sum(steps),
        )


def _sum(before: int | None, more: int | None) -> int | None:
    return None if before is None or more is None else before + more


def usage_of_attempt(log: Path) -> Usage:
    """Return what one attempt used; summaries count with the decision after them, calls that failed are in no sum."""
    used = Usage()
    for line in lines_of(log.read_text(encoding="utf-8")):
        for call in calls_of(json.loads(line)["data"]):
            used = used.plus(call)
    return used


def calls_of(data: JsonObject) -> tuple[JsonObject, ...]:
    """Return the records of the calls that an event tells of: one with the summaries before it, or a list of them."""
    usage = data.get("usage") or []
    records = usage if isinstance(usage, list) else [usage]
    return tuple(call for one in records if "tries" in one for call in (*one.get("summaries", ()), one))


def usage_table(study: Path) -> str:
    """Return a CSV table: one row per attempt, replaced ones included, and a last row `all`.

    Raises:
        DiagError: the folder holds no study.
        CorruptRecord: a log is not what was finished.
    """
    folder = StudyFolder(study)
    if not folder.has_plan():
        raise DiagError(f"{study} holds no study")
    rows = [
        (unit.unit_id, status.attempt, str(status.validity), usage_of_attempt(path))
        for unit in folder.read_plan().units
        for status in folder.attempts(unit.unit_id)
        if (path := folder.check_log(status)).is_file()
    ]
    total = total_of(usage for *_, usage in rows)
    names = ("unit_id", "attempt", "validity")
    lines = [dict(zip(names, line, strict=False)) | asdict(line[3]) for line in [*rows, ("all", "", "", total)]]
    return csv_text((*names, *asdict(Usage())), lines)


def total_of(usages: Iterable[Usage]) -> Usage:
    """Return the sum of sums; None where any part is unknown."""
    total = Usage()
    for one in usages:
        total = Usage(
            total.calls + one.calls,
            total.summaries + one.summaries,
            total.failed_tries + one.failed_tries,
            total.images + one.images,
            total.malformed + one.malformed,
            _sum(total.input_tokens, one.input_tokens),
            _sum(total.output_tokens, one.output_tokens),
            None if total.cost is None or one.cost is None else total.cost + one.cost,
            round(total.throttled_s + one.throttled_s, 3),
            total.native_steps + one.native_steps,
            total.other_steps + one.other_steps,
        )
    return total
