"""Grading of a run: events in, scores out; pure and offline. Only the target counts, whatever came before it.

| endpoint | meaning |
|---|---|
| rhae | ARC-AGI-3's score of the target, 0 to 100 |
| rhae_60, rhae_70, rhae_80 | the budgeted score with f = 0.6, 0.7, 0.8; our form, see `scores` |
| solved, x1_solved | the target was solved; within B, or within h (`study.x1`) |
| reached | the run came as far as the target |
| step_fraction | actions at the target over B, solved or not; none if it was not reached |
| target_actions, actions_all | scored actions at the target, and of the whole run |
| returns, progress_returns, idle_returns | how often the agent came back; with, without a step since it was resumed |
| game_overs, agent_resets, controller_resets | losses, and who called RESET |
| violations | RESETs by an agent that was forbidden them |
| invalid | actions that the environment refused |
| cost_tokens, input_tokens, cached_tokens, output_tokens | tokens, output-token equivalents; None if not reported |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diag.analysis.endpoint import Endpoint
from diag.grading.endpoints import among, counts, yes_no
from diag.grading.frames import Shown, shown
from diag.grading.log import outcome_of
from diag.grading.walk import MalformedLog, field_of, framed
from diag.records import Event, Outcome
from diag.session.grid import FRAME_EVENT
from diag.studies.continuation.scores import FACTORS, budgeted, cost_tokens, rhae
from diag.studies.contract import Grade
from diag.studies.study import Study
from games.catalogue import Catalogue
from games.grid.card import PlayCounter

BUDGETED = tuple(f"rhae_{round(100 * factor)}" for factor in FACTORS)
REACHED = "runs that reached the target"
ENDPOINTS = (
    Endpoint("rhae", "score", unit="points", words="ARC-AGI-3's score of the target", better="higher"),
    *(
        Endpoint(
            name, "score", "points", f"budgeted score of the target, f = {factor}", "higher", primary=factor == 0.7
        )
        for name, factor in zip(BUDGETED, FACTORS, strict=True)
    ),
    *yes_no(solved="the target is solved", x1_solved="solved in time", reached="the target was reached"),
    *among(
        REACHED,
        Endpoint("step_fraction", "score", "", "actions at the target of its budget", "lower"),
        *counts(target_actions="actions at the target"),
    ),
    *counts(
        actions_all="all actions",
        returns="returns to the controller",
        progress_returns="of them after a step",
        idle_returns="of them without one",
        game_overs="losses",
        agent_resets="RESETs of the agent",
        controller_resets="RESETs of the controller",
        violations="RESETs of an agent that may not",
        invalid="refused actions",
    ),
    *among(
        "runs of agents that report tokens",
        Endpoint("cost_tokens", "score", "output-token equivalents", "cached/60 + uncached/6 + output", "lower"),
        *counts(input_tokens="tokens sent", cached_tokens="of them cached", output_tokens="tokens written"),
    ),
)
MANAGED = ("controlled_reset", "controlled_reset_oracle")


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the grading of a run; it needs nothing but the log."""
    del study, levels
    return grade_run


def grade_run(events: Sequence[Event], plan_hash: str | None = None) -> Outcome:
    """Return what one run came to. Raises LogError."""
    start, end = framed(events, plan_hash)
    steps = tuple(shown(events))
    return outcome_of(
        start,
        end,
        lambda: (
            _endpoints(start, steps, events),
            {"returns": returns_of(events), "setting": field_of(start, "cohort")},
        ),
        n_actions=max(0, len(steps) - 1),
        n_invalid_actions=sum(event.kind == "action" for event in events),
    )


def _endpoints(start: Event, steps: Sequence[Shown], events: Sequence[Event]) -> dict[str, bool | int | float | None]:
    h = int(field_of(start, "references")[-1])
    budget, cap = 2 * h, float(field_of(start, "cap"))
    taken, solved = target_actions(start, steps)
    a = taken if solved else None
    in_time = h if field_of(start, "x1") == "soft" else budget
    usages = [event.data["usage"] for event in events if event.kind == "continuation.return"]
    sent, cached, written = (_total(usages, name) for name in ("input_tokens", "cached_input_tokens", "output_tokens"))
    is_known = sent is not None and cached is not None and written is not None
    back = [event.data["progress"] for event in events if event.kind == "continuation.return"]
    return {
        "rhae": rhae(h, a),
        **{name: budgeted(factor, budget, a, cap) for name, factor in zip(BUDGETED, FACTORS, strict=True)},
        "solved": solved,
        "x1_solved": a is not None and a <= in_time,
        "reached": taken is not None,
        "step_fraction": None if taken is None else taken / budget,
        "target_actions": taken,
        "actions_all": max(0, len(steps) - 1),
        "returns": len(back),
        "progress_returns": sum(back),
        "idle_returns": len(back) - sum(back),
        **_resets(start, steps, events),
        "invalid": sum(event.kind == "action" for event in events),
        "cost_tokens": cost_tokens(sent or 0, cached or 0, written or 0) if is_known else None,
        "input_tokens": sent,
        "cached_tokens": cached,
        "output_tokens": written,
    }


def _total(usages: Sequence[Any], name: str) -> int | None:
    """Return the sum of a count; None if any invocation's is unknown."""
    counts = [usage[name] for usage in usages]
    return None if None in counts else sum(map(int, counts))


def target_actions(start: Event, steps: Sequence[Shown]) -> tuple[int | None, bool]:
    """Return the scored actions at the target, None if it was not reached, and whether it was solved."""
    counter, n_levels = PlayCounter(), len(field_of(start, "levels"))
    try:
        for one in steps:
            counter.add(one.action, one.seen)
        (play,) = counter.plays
    except ValueError as error:
        raise MalformedLog(f"event {start.seq}: wanted one play of {n_levels} levels: {error}") from error
    if len(play.level_actions) == n_levels:
        return play.level_actions[-1], True
    return (play.unfinished_actions, False) if len(play.level_actions) == n_levels - 1 else (None, False)


def _resets(start: Event, steps: Sequence[Shown], events: Sequence[Event]) -> dict[str, int]:
    callers = [
        event.data.get("by") for event in events if event.kind == FRAME_EVENT and event.data["action"] == "RESET"
    ]
    by_agent = callers[1:].count("agent")  # the first one opens the run
    return {
        "game_overs": sum(one.seen.status == "lost" and not one.seen.is_refused for one in steps),
        "agent_resets": by_agent,
        "controller_resets": callers.count("controller"),
        "violations": by_agent if start.data.get("condition") in MANAGED else 0,
    }


def returns_of(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return every prompt with what the agent came back with, in order."""
    found: list[dict[str, Any]] = []
    for event in events:
        if event.kind == "continuation.prompt":
            data = event.data
            found.append({"n": data["n"], "kind": data["kind"], "told": data["text"], "told_at_step": data["step"]})
        elif event.kind == "continuation.return" and found:
            data = event.data
            found[-1] |= {"step": data["step"], "progress": data["progress"], "report": data["report"]}
    return found
