"""What a model is told that codes or plays: neither rubrics, judges nor seeded defects; the player sees no code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from diag.studies.playtest.crew import CodeView, PlayView
from diag.studies.playtest.memory import Entry
from diag.studies.playtest.report import RETRIES, Report

CODER = """\
You are the game agent: you program a small browser game whose sources lie in a folder, and work with tools. Read before
you change, make small changes, and keep what works. A reply without a tool call ends the round; end it with the tool
`finish`, which takes a summary, the findings that you leave for later, and what is worth remembering."""
_MEMORIES = """\
A memory has a kind (pitfall, fix_pattern, decision, interaction_pattern, false_positive or observation), a layer
(skill: your own know-how for later games; world: what holds for games and is of use to both), the behaviour it is about
in a word or two, and a text."""
PLAYER = f"""\
You are the playtester. Play the game on the screen as somebody who has never seen it: look at what is there, start it,
play it through, and try everything that its guide promises, wrong inputs too. You see neither its code nor how it will
be judged. Before you call a level blocked, try at least {RETRIES} materially different ways past the block. When you
have seen enough, or the game is played through, say so as a final answer; you are then asked for your report."""
REPORT = f"""\
The play is over. Write your report on it as one JSON object and nothing else, with the keys
outcome: completed, reached-ending, blocked-by-bug or could-not-start;
confidence: low, medium or high;
signals: list of texts;
log: what you did, in order;
assessment: object from mechanics, controls, progression, interface, visual feedback to words;
findings: list of objects with about (the behaviour in a word or two), severity (critical, major or minor), text (what
you saw), fix (the change that you propose) and evidence (numbers of your turns, from 0);
blocking: the most blocking issue;
direction: where the fix should go;
retries: materially different retries of a blocked level;
memories: list of objects with kind, layer, about and text. {_MEMORIES}"""
TEXTS = (CODER, _MEMORIES, PLAYER, REPORT)


def coding(view: CodeView, files: Sequence[str], calls: int) -> str:
    """Return what a model that codes is told at the start of a round."""
    parts = [
        view.prompt,
        f"Round {view.round}. " + _aim(view),
        "" if view.report is None else f"Report of the playtester on the build as it is now:\n{reported(view.report)}",
        remembered(view.memory),
        f"Files:\n{chr(10).join(files)}",
        f"You have {calls} tool calls in this round. {_MEMORIES}",
    ]
    return "\n\n".join(part for part in parts if part)


def _aim(view: CodeView) -> str:
    if view.reviews:
        return "Nobody plays the build. Read your code again, and repair what does not do what the description says."
    if view.builds_only:
        return "Nobody plays the build. See that it starts and does what the description says."
    if view.report is None:
        return "The folder holds a draft. Finish it, so that the game does what the description says."
    return "Act on the report; it is advice, and you may leave findings for later or drop them."


def playing(view: PlayView) -> str:
    """Return what a model that plays is told at the start of a play."""
    parts = (PLAYER, f"Guide of the game:\n{view.prompt}", remembered(view.memory))
    return "\n\n".join(part for part in parts if part)


def reported(report: Report) -> str:
    """Return a report as it is handed on."""
    return json.dumps(asdict(report), ensure_ascii=False, indent=1)


def remembered(memory: Sequence[Entry]) -> str:
    """Return memory in words, an entry a line; empty without any."""
    lines = [f"- {one.layer}, {one.kind}, {one.about}: {one.text}" for one in memory]
    return "\n".join(["What you remember:", *lines]) if lines else ""
