"""Grading of a task: events in, what each round came to out; pure and offline.

The truth about a build is the oracle's judgement; without a browser, what the seeded defects say. A seeded defect is
there while its criterion fails, whoever edits the build. Before round 1 all of them are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from diag.analysis.endpoint import Endpoint
from diag.grading.endpoints import among, counts, shares, yes_no
from diag.grading.log import outcome_of
from diag.grading.walk import IncompleteLog, MalformedLog, framed
from diag.records import Event, Outcome
from diag.studies.contract import Grade
from diag.studies.playtest.bench import PAGE, TRUTHS
from diag.studies.playtest.builds.build import Build, build_of
from diag.studies.playtest.builds.game_defects import defects_of
from diag.studies.playtest.chain import left_memory
from diag.studies.playtest.findings import accounted
from diag.studies.playtest.loop import ROOM
from diag.studies.playtest.report import report_of
from diag.studies.playtest.rubrics import rubric_of
from diag.studies.study import Study
from games.catalogue import Catalogue
from games.contract import JsonObject

Value = bool | int | float | None
ENDPOINTS = (
    Endpoint("pass_share", "share", "", "criteria that the last build passes", "higher", primary=True),
    *shares(best_share="criteria that the best build passes", first_share="... the first build"),
    *yes_no(whole="the last build passes every criterion"),
    *among(
        "tasks with a page judge",
        *shares(
            page_share="the last build by the judge before the page; none without a browser",
            judges_agree="criteria, over all builds, on which both judges agree",
        ),
    ),
    *counts(rounds="rounds used"),
    *yes_no(stopped_early="fewer rounds than the most"),
    *counts(
        n_fixed="times that a seeded defect went",
        n_brought_back="times that one that had gone was back",
        n_left="seeded defects in the last build",
        n_new="criteria that fail in the last build and that no seeded defect breaks",
    ),
    *among(
        "tasks that were played",
        *counts(
            n_found="criteria that failed in a played build and were reported at some time",
            n_missed="... and were never reported",
            n_invented="findings without a failing criterion",
        ),
    ),
    *counts(
        n_deferred="findings on which the game agent did not act",
        n_gestures="GUI actions of the playtester",
        n_calls="calls of models",
        n_taken_over="memories from the tasks before",
        n_kept="memories that outlive the task",
    ),
    *among(
        "tasks of agents that report it",
        *counts(tokens="of all calls; none where any is unknown"),
        Endpoint("cost", "score", words="of all calls; none where any is unknown"),
    ),
)
Verdicts = Mapping[str, bool]
"""Criterion to whether it passed, in the order of the rubric."""


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the grading of a task; it needs nothing but the log."""
    del study, levels
    return grade_task


def grade_task(events: Sequence[Event], plan_hash: str | None = None) -> Outcome:
    """Return what one task came to. Raises LogError."""
    start, end = framed(events, plan_hash)
    return outcome_of(
        start,
        end,
        lambda: _graded(events),
        n_actions=sum(int(event.data["n_gestures"]) for event in _own(events, "play")),
        n_invalid_actions=0,
    )


@dataclass(frozen=True)
class Round:
    """One round as its events tell it."""

    number: int
    coded: JsonObject
    played: JsonObject | None
    truth: Verdicts
    page: Verdicts | None
    picture: str | None
    """Of its build's first level, as the judges saw it; else as the playtester did."""

    @property
    def failing(self) -> tuple[str, ...]:
        """The criteria that its build fails."""
        return tuple(name for name, passed in self.truth.items() if not passed)

    @property
    def share(self) -> float:
        """The score of its build."""
        return fmean(self.truth.values())


def rounds_of(events: Sequence[Event]) -> tuple[Round, ...]:
    """Return the rounds of a finished task. Raises LogError if a build was not judged."""
    bills = {build_of(event.data["build"]): event for event in _own(events, "judge")}
    played = {int(event.data["round"]): event.data for event in _own(events, "play")}
    return tuple(_round(event, bills, played.get(int(event.data["round"]))) for event in _own(events, "code"))


def _round(event: Event, bills: Mapping[Build, Event], played: JsonObject | None) -> Round:
    number, bill = int(event.data["round"]), bills.get(build_of(event.data["build"]))
    if bill is None:
        raise IncompleteLog(f"event {event.seq}: the build of round {number} was not judged")
    said = {one["judge"]: _verdicts(one) for one in bill.data["judgements"]}
    truth = next((said[name] for name in TRUTHS if name in said), None)
    if truth is None:
        raise MalformedLog(f"event {bill.seq}: judges {', '.join(said)}, wanted one of {', '.join(TRUTHS)}")
    picture = bill.data["picture"] or (played or {}).get("picture")
    return Round(number, event.data, played, truth, said.get(PAGE), picture)


def _verdicts(one: JsonObject) -> Verdicts:
    return {str(verdict["criterion"]): verdict["verdict"] == "PASS" for verdict in one["verdicts"]}


def _own(events: Iterable[Event], word: str) -> list[Event]:
    return [event for event in events if event.kind == f"{ROOM}.{word}"]


def _graded(events: Sequence[Event]) -> tuple[dict[str, Value], dict[str, Any]]:
    start, rounds = events[0].data, rounds_of(events)
    if not rounds:
        raise IncompleteLog("no round was finished, and the attempt did not end as an infrastructure failure")
    told = _told(start, rounds)
    return {
        **_of_builds(rounds, int(start["rounds"])),
        **_of_defects(start, rounds, told),
        **_of_reports(rounds, told),
        **_of_work(events, rounds),
    }, _details(start, rounds, told)


def _of_builds(rounds: Sequence[Round], most: int) -> dict[str, Value]:
    last = rounds[-1]
    distinct = [one for place, one in enumerate(rounds) if one.coded["build"] not in [
        earlier.coded["build"] for earlier in rounds[:place]
    ]]  # fmt: skip
    agree = [one.truth[name] == one.page[name] for one in distinct if one.page is not None for name in one.truth]
    return {
        "pass_share": last.share,
        "best_share": max(one.share for one in rounds),
        "first_share": rounds[0].share,
        "whole": not last.failing,
        "page_share": None if last.page is None else fmean(last.page.values()),
        "judges_agree": fmean(agree) if agree else None,
        "rounds": len(rounds),
        "stopped_early": len(rounds) < most,
    }


def seeded_criteria(start: JsonObject) -> tuple[str, ...]:
    """Return the criteria that the seeded defects of a task break, in the defects' order."""
    known = defects_of(str(start["task"]["game"]))
    return tuple(known[name].criterion for name in start["task"]["defects"])


def _told(start: JsonObject, rounds: Sequence[Round]) -> list[dict[str, Any]]:
    """Return for every round what went, what came back, and what its report found, missed and invented."""
    seeded = set(seeded_criteria(start))
    criteria = rubric_of(str(start["task"]["game"])).criteria
    before = (seeded, *(seeded & set(one.failing) for one in rounds))
    found = []
    for one, (earlier, now) in zip(rounds, pairwise(before), strict=True):
        report = report_of(one.played["report"]) if one.played is not None and one.coded["starts"] else None
        account = None if report is None else accounted(report.findings, criteria, one.failing)
        found.append(
            {
                "fixed": sorted(earlier - now),
                "brought_back": sorted(now - earlier),
                "found": list(account.found) if account else [],
                "missed": list(account.missed) if account else [],
                "invented": list(account.invented) if account else [],
            }
        )
    return found


def _of_defects(start: JsonObject, rounds: Sequence[Round], told: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    seeded, failing = set(seeded_criteria(start)), set(rounds[-1].failing)
    return {
        "n_fixed": sum(len(one["fixed"]) for one in told),
        "n_brought_back": sum(len(one["brought_back"]) for one in told),
        "n_left": len(seeded & failing),
        "n_new": len(failing - seeded),
    }


def _of_reports(rounds: Sequence[Round], told: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    if all(one.played is None for one in rounds):
        return {"n_found": None, "n_missed": None, "n_invented": None}
    found = {name for one in told for name in one["found"]}
    return {
        "n_found": len(found),
        "n_missed": len({name for one in told for name in one["missed"]} - found),
        "n_invented": sum(len(one["invented"]) for one in told),
    }


def _of_work(events: Sequence[Event], rounds: Sequence[Round]) -> dict[str, Value]:
    parts = [data for one in rounds for data in (one.coded, one.played) if data is not None]
    usage = [call for data in parts for call in data["usage"]]
    return {
        "n_deferred": sum(len(one.coded["deferred"]) for one in rounds),
        "n_gestures": sum(int(one.played["n_gestures"]) for one in rounds if one.played is not None),
        "n_calls": sum(int(data["n_calls"]) for data in parts),
        "n_taken_over": len(events[0].data["memory"]),
        "n_kept": len(left_memory(events)),
        "tokens": _sum([call.get(name) for call in usage for name in ("input_tokens", "output_tokens")]),
        "cost": _sum([call.get("cost") for call in usage]) if usage else None,
    }


def _sum(parts: Sequence[Any]) -> Any:
    return None if any(one is None for one in parts) else sum(parts)


def _details(start: JsonObject, rounds: Sequence[Round], told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    task = start["task"]
    return {
        **{name: task[name] for name in ("order", "position", "game")},
        "defects": list(task["defects"]),
        "seeded": list(seeded_criteria(start)),
        "rounds": [
            {
                "round": one.number,
                "starts": one.coded["starts"],
                "share": one.share,
                "page_share": None if one.page is None else fmean(one.page.values()),
                "truth": dict(one.truth),
                "page": None if one.page is None else dict(one.page),
                "outcome": None if one.played is None else one.played["report"]["outcome"],
                "confidence": None if one.played is None else one.played["report"]["confidence"],
                "reported": None if one.played is None else len(one.played["report"]["findings"]),
                "picture": one.picture,
                **account,
            }
            for one, account in zip(rounds, told, strict=True)
        ],
    }
