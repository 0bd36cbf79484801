"""Grading of a knowledge x workflow session: an episode, the controllers' share, and the rule probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from diag.grading.endpoints import among, counts, seconds, shares, yes_no
from diag.grading.episodes.grade import ENDPOINTS as OF_EPISODES
from diag.grading.episodes.grade import grade_episode, solver_tools
from diag.records import Event, Outcome
from diag.session.controllers import ADVANCE, ENTRY, RESTART
from diag.studies.contract import Grade
from diag.studies.knowledge_workflow.probes import GradedProbe, graded_probes
from diag.studies.study import Study
from games.catalogue import Catalogue

ENDPOINTS = (
    *OF_EPISODES,
    *counts(
        n_actions_model="executed actions of the agent",
        n_actions_controller="actions of the controller",
        n_actions_total="both",
        controller_entries="levels that the controller opened",
        controller_advances="times that it went on after a win",
        controller_restarts="certified dead ends that it restarted",
        n_probes="rule probes asked",
        n_probes_refused="of them without an answer",
    ),
    *shares(
        rules_first="rules stated correctly at the first probe",
        rules_last="... at the last probe",
        rules_best="... at the best probe",
    ),
    *seconds(rules_all_correct_s="until the first probe with all rules correct"),
    *among(
        "sessions that once had every rule right",
        *yes_no(
            won_after_all_correct="a level was won afterwards", all_correct_at_last="so they are at the last probe"
        ),
    ),
)
"""Those of every episode, and those of the controllers and the probes."""


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the episode grading with the controllers' share and the probes."""
    tools, language = solver_tools(levels), study.language

    def graded(events: Sequence[Event], plan_hash: str) -> Outcome:
        outcome = grade_episode(events, tools=tools, plan_hash=plan_hash)
        if outcome.validity != "valid":
            return outcome
        game = str(events[0].data["objective"][0]).split("/", maxsplit=1)[0]
        probes = graded_probes(events, game, language)
        return replace(
            outcome,
            endpoints={
                **outcome.endpoints,
                **_controller_counts(events, outcome.n_actions),
                **_knowledge(probes, outcome.details["levels"]),
            },
            details={**outcome.details, "probes": [vars(probe) for probe in probes], "game": game},
        )

    return graded


def _controller_counts(events: Sequence[Event], n_actions: int) -> dict[str, Any]:
    done = [str(event.data.get("what")) for event in events if event.kind == "controller"]
    return {
        "n_actions_model": n_actions,
        "n_actions_controller": len(done),
        "n_actions_total": n_actions + len(done),
        "controller_entries": done.count(ENTRY),
        "controller_advances": done.count(ADVANCE),
        "controller_restarts": done.count(RESTART),
    }


def _knowledge(probes: Sequence[GradedProbe], levels: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first = next((one for one in probes if all(one.rules.values())), None)
    return {
        "n_probes": len(probes),
        "n_probes_refused": sum(one.status == "refused" for one in probes),
        "rules_first": probes[0].share if probes else None,
        "rules_last": probes[-1].share if probes else None,
        "rules_best": max((one.share for one in probes), default=None),
        "rules_all_correct_s": None if first is None else first.clock_s,
        "won_after_all_correct": None
        if first is None
        else any((one["won_s"] or 0.0) > first.clock_s for one in levels),
        "all_correct_at_last": None if first is None else all(probes[-1].rules.values()),
    }
