"""Grading of a play: its score, and what its models were worth before each action and at the end. Pure and offline.

The endpoints of every grid play (`diag.grading.grid_plays`), and:

| endpoint | meaning |
|---|---|
| completed_actions | scored actions of completed levels of the best play |
| execution_rate | actions but RESETs for which replay, render and a valid outcome ran beforehand / all of them |
| accepted_match, strict_match | of graded ordinary actions with a render: claimed cells right; whole frame right |
| coverage, known_cell | of the same: claimed / all cells; right / claimed cells |
| terminal_recall | recorded ends of attempts that an executing model foresaw / those with an executing model |
| terminal_false | actions that went on for which an executing model said otherwise / those with an executing model |
| end_accepted, end_coverage, end_exact_levels, end_evaluable_levels | the last model against everything |
| calls, tokens, builder_calls, model_versions, verifications, plans_found | what was used |
| recommended, followed, paused | recommendations surfaced, followed exactly in the same turn; plans that were paused |

None where nothing can be told: no graded action, no model at the end, a condition without a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from diag.analysis.endpoint import Endpoint
from diag.grading.endpoints import among, counts, shares
from diag.grading.frames import shown
from diag.grading.grid_plays import ENDPOINTS as PLAY_ENDPOINTS
from diag.grading.grid_plays import grade_play
from diag.grading.walk import MalformedLog, field_of
from diag.records import Event, Outcome
from diag.studies.world_model.desk import ROOM
from games.grid.card import PlayCounter
from games.grid.scores import game_score

ENDPOINTS: tuple[Endpoint, ...] = (
    *PLAY_ENDPOINTS,
    *counts(completed_actions="actions on completed levels"),
    *among("plays with an action", *shares(execution_rate="before an action: the version in use runs, of all actions")),
    *among(
        "plays with an action that a model foresaw",
        *shares(
            accepted_match="before an action: accepted predictions of graded ones",
            strict_match="before an action: predictions right in every cell",
            coverage="before an action: claimed cells of all",
            known_cell="before an action: right cells of those claimed",
            terminal_recall="ends that the version in use foretold",
            terminal_false="ongoing steps that it called an end",
        ),
    ),
    *among(
        "plays that end with a model",
        *shares(
            end_accepted="the last version against everything: accepted match",
            end_coverage="the last version against everything: coverage",
        ),
        *counts(
            end_exact_levels="levels whose every transition the last version has right",
            end_evaluable_levels="levels with a graded transition",
        ),
    ),
    *counts(
        calls="model calls of actor and builder",
        tokens="tokens of both",
        builder_calls="calls of the builder",
        model_versions="versions of the model",
        verifications="verifications",
        plans_found="plans found",
        recommended="actions that a plan recommended",
        followed="of them taken: same action and cell, same turn",
        paused="plans that were left",
    ),
)


def grade_model_play(events: Sequence[Event], plan_hash: str | None = None) -> Outcome:
    """Return what one play came to. Raises LogError."""
    outcome = grade_play(events, plan_hash)
    if outcome.validity != "valid":
        return outcome
    foreseen = [event.data for event in _own(events, "prediction")]
    levels = outcome.details["levels"]
    endpoints = {
        **outcome.endpoints,
        "completed_actions": sum(one["actions"] or 0 for one in levels),
        **before_action(foreseen),
        **_at_the_end(events),
        **_used(events),
    }
    details = {
        **outcome.details,
        "foreseen": [_short(one) for one in foreseen],
        "curve": list(curve(events)),
        "divergences": [dict(one) for event in _own(events, "final") for one in event.data.get("divergences", ())],
        "plans": list(_plans(events)),
    }
    return replace(outcome, endpoints=endpoints, details=details)


def before_action(foreseen: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Return the diagnostics of the model version that was in use before each action."""
    running = [one for one in foreseen if one["executes"]]
    graded = [one for one in foreseen if one.get("graded") and one.get("renders")]
    ends = [one for one in running if one["wanted"] != "ongoing"]
    ongoing = [one for one in running if one["wanted"] == "ongoing"]
    return {
        "execution_rate": _ratio(len(running), len(foreseen)),
        "accepted_match": _ratio(sum(one["accepted"] for one in graded), len(graded)),
        "strict_match": _ratio(sum(one["strict"] for one in graded), len(graded)),
        "coverage": _ratio(sum(one["claimed"] for one in graded), sum(one["cells"] for one in graded)),
        "known_cell": _ratio(sum(one["right"] for one in graded), sum(one["claimed"] for one in graded)),
        "terminal_recall": _ratio(sum(one["outcome"] == one["wanted"] for one in ends), len(ends)),
        "terminal_false": _ratio(sum(one["outcome"] != "ongoing" for one in ongoing), len(ongoing)),
    }


def curve(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """Yield the score at each share of the budgets: the play only through the action whose cycle crosses the limit."""
    budgets: Mapping[str, Any] = field_of(events[0], "budgets")
    baselines = field_of(events[0], "baselines")
    for of in ("calls", "tokens"):
        for share in budgets["curve"]:
            limit = share * budgets[of]
            kept, crossed = _until(events, of, limit)
            counter = PlayCounter()
            for one in shown(kept):
                counter.add(one.action, one.seen)
            score = game_score(baselines, counter.plays)
            yield {"of": of, "share": share, "limit": limit, "crossed": crossed, "rhae": score.score,
                   "levels_completed": score.levels_completed, "actions": score.actions}  # fmt: skip


def _until(events: Sequence[Event], of: str, limit: float) -> tuple[Sequence[Event], bool]:
    """Return the play through the action in whose cycle the limit is reached, and whether it is reached at all."""
    done = 0
    for place, event in enumerate(events):
        if event.kind != f"{ROOM}.step":
            continue
        acted, done = event.data["after"] > done, event.data["after"]
        if event.data[of] >= limit:
            if acted:
                return events[:place], True
            later = (n for n in range(place, len(events)) if events[n].kind == "grid.frame")
            return events[: next(later, len(events)) + 1], True
    return events, False


def _at_the_end(events: Sequence[Event]) -> dict[str, Any]:
    final = _own(events, "final")
    if len(final) != 1:
        raise MalformedLog(f"found {len(final)} final verifications, wanted 1")
    data = final[0].data
    has = bool(data["has_model"])
    return {
        "end_accepted": data["accepted"] if has else None,
        "end_coverage": data["coverage"] if has else None,
        "end_exact_levels": len(data["exact_levels"]) if has else None,
        "end_evaluable_levels": len(data["evaluable_levels"]) if has else None,
    }


def _used(events: Sequence[Event]) -> dict[str, int]:
    steps, hints = _own(events, "step"), _own(events, "hint")
    return {
        "calls": max((int(one.data["calls"]) for one in steps), default=0),
        "tokens": max((int(one.data["tokens"]) for one in steps), default=0),
        "builder_calls": len(_own(events, "builder")),
        "model_versions": len(_own(events, "model")),
        "verifications": len(_own(events, "verify")),
        "plans_found": sum(one.data["status"] == "found" for one in _own(events, "plan")),
        "recommended": len(hints),
        "followed": sum(bool(one.data["followed"]) for one in hints),
        "paused": sum(one.data["reason"] != "over" for one in _own(events, "pause")),
    }


def _plans(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """Yield every plan that was found, with what was played from its start on."""
    found: dict[str, Any] | None = None
    for event in events:
        if event.kind == f"{ROOM}.plan" and event.data["status"] == "found":
            if found is not None:
                yield found
            start = event.data["start"]
            found = {"level": start["level"], "turn": start["turn"], "planned": event.data["actions"], "played": []}
            found["stopped"] = ""
        elif found is not None and event.kind == "grid.frame" and len(found["played"]) < len(found["planned"]):
            found["played"].append(event.data["action"])
        elif found is not None and event.kind == f"{ROOM}.pause":
            found["stopped"] = event.data["reason"]
            yield found
            found = None
    if found is not None:
        yield found


def _short(one: Mapping[str, Any]) -> dict[str, Any]:
    names = ("number", "level", "version", "executes", "graded", "accepted", "wanted", "outcome")
    share = one["claimed"] / one["cells"] if one.get("cells") else None
    return {**{name: one.get(name) for name in names}, "coverage": share}


def _own(events: Sequence[Event], word: str) -> list[Event]:
    return [event for event in events if event.kind == f"{ROOM}.{word}"]


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
