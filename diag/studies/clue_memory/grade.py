"""Grading of a play: when each clue was seen, stored and used; what was reached; and whether the judge agrees.

Pure and offline: the scenes are drawn again from the states in the log. A step is a counted GUI action. A card is
stored once what is remembered in words names its emblem (a clue of COAST, or the free notes).

| endpoint | meaning |
|---|---|
| success | the level was won within the budget |
| completion, milestones | K/N and K by the evaluator: milestones satisfied before the first that is not |
| judge_completion, judge_agrees | K/N by the judge; whether its K is the evaluator's |
| gap, gap_longest | mean and greatest observation-behaviour gap of the clues that were used; None without one |
| n_seen, n_stored, n_used | clues that were on the screen, in the memory, cashed in |
| repeated | share of tried subtasks that had been tried before; None if none was tried |
| n_cycles, n_mapped, n_solved, n_malformed | seeks ended, mappings tried, tasks said to be solved, misshapen answers |
| memory_tokens | most tokens of what was remembered in words |
| n_counted | counted GUI actions |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from diag.analysis.endpoint import Endpoint
from diag.arms.tokens import count_tokens
from diag.grading.endpoints import among, counts, primary, shares, yes_no
from diag.grading.log import AttemptLog, Value
from diag.grading.walk import MalformedLog
from diag.records import Event, Outcome
from diag.studies.clue_memory import memories
from diag.studies.clue_memory.cycle import COUNTED
from diag.studies.clue_memory.judge import Completion, board_truth, level_milestones
from diag.studies.clue_memory.metrics import Look, gaps, repeated_share, timelines
from diag.studies.clue_memory.player import ROOM
from games.catalogue import Catalogue
from games.clue_house.game import GAME
from games.clue_house.layout import EMBLEMS
from games.contract import JsonObject, Table

ENDPOINTS = (
    *primary(*yes_no(success="the level was won")),
    *shares(completion="K/N: milestones reached, by the evaluator"),
    *counts(milestones="K, by the evaluator"),
    *shares(judge_completion="K/N as the judge sees it"),
    *yes_no(judge_agrees="the judge counts the same K"),
    *among(
        "plays that used a clue",
        Endpoint("gap", "score", "actions", "mean step of use minus step of first sight, of the clues that were used"),
        Endpoint("gap_longest", "count", "actions", "the longest of them"),
    ),
    *counts(n_seen="clues seen", n_stored="clues named by what is remembered", n_used="clues used"),
    *among("plays that tried a subtask", *shares(repeated="tried subtasks that had been tried before")),
    *counts(
        n_cycles="seek, map, solve cycles",
        n_mapped="mappings",
        n_solved="mappings said to be solved",
        n_malformed="answers that could not be read",
        memory_tokens="most tokens of what was remembered",
        n_counted="counted GUI actions",
    ),
)


def grade_play(events: Sequence[Event], levels: Catalogue, plan_hash: str | None = None) -> Outcome:
    """Return what one play came to.

    Raises:
        LogError: the log cannot be graded; also where what was remembered is longer than the capacity.
    """
    log = AttemptLog.read(events, plan_hash=plan_hash)
    if log.failed:
        return log.outcome({})
    looks = tuple(_looks(events, log, levels))
    lines = timelines(looks)
    found = gaps(lines)
    checks = level_milestones(levels.layout(log.level), log.level)
    truth = board_truth(checks, {**looks[-1].scene, "found": log.won_at_s is not None})
    judge = _judge(events)
    own = [event for event in events if event.kind.startswith(f"{ROOM}.")]
    endpoints: dict[str, Value] = {
        "success": log.won_at_s is not None,
        "completion": truth.share,
        "milestones": truth.reached,
        "judge_completion": judge.share,
        "judge_agrees": judge.reached == truth.reached,
        "gap": found.mean,
        "gap_longest": max(found.values, default=None),
        "n_seen": sum(line.seen is not None for line in lines),
        "n_stored": sum(line.stored is not None for line in lines),
        "n_used": sum(line.used is not None for line in lines),
        **_of_cycle(own),
        "n_counted": looks[-1].step,
    }
    details = {
        "distance": log.level.difficulty,
        "n_milestones": truth.n_milestones,
        "judge": list(judge.verdicts),
        "truth": list(truth.verdicts),
        "timelines": [{**asdict(line), "gap": line.gap} for line in lines],
    }
    return log.outcome(endpoints, details=details)


def _looks(events: Sequence[Event], log: AttemptLog, levels: Catalogue) -> Iterator[Look]:
    """Yield the board before the first action and after each change of it, with what is remembered by then."""
    layout, stored, step = levels.layout(log.level), frozenset[str](), 0
    scene = _scene(layout, log.start_state or {})
    yield Look(0, str(log.level), scene)
    for event in events:
        if event.kind == "action" and event.data["valid"]:
            step += event.data["action"]["name"] in COUNTED
        elif event.kind in (f"{ROOM}.memory", f"{ROOM}.notes"):
            stored = _stored(event.data)
        elif event.kind == "snapshot":
            for change in event.data["transitions"]:
                if change["level"] == str(log.level) and change["kind"] != "leave":
                    scene = _scene(layout, change["state"])
        else:
            continue
        yield Look(step, str(log.level), scene, stored)


def _scene(layout: Any, state: JsonObject) -> JsonObject:
    found: JsonObject = GAME.scene(Table(GAME.state_from_json(layout, state)))
    return found


def _stored(data: JsonObject) -> frozenset[str]:
    """Return the emblems that are named by the remembered clues or the notes; checks the capacity on the way."""
    content: Mapping[str, Any] = data["content"]
    if data["tokens"] > data["capacity_tokens"]:
        raise MalformedLog(f"a memory of {data['tokens']} tokens, capacity {data['capacity_tokens']}")
    notes = content.get("text")
    if notes is not None and count_tokens(notes) != data["tokens"]:
        raise MalformedLog(f"notes of {count_tokens(notes)} tokens, recorded {data['tokens']}")
    words = notes if notes is not None else " ".join(_words(one) for one in content["clues"])
    named = {word.strip(".,:;!?()\"'").casefold() for word in words.split()}
    return frozenset(emblem for emblem in EMBLEMS if emblem in named)


def _words(clue: Mapping[str, Any]) -> str:
    return f"{clue['name']} {clue['description']} {clue['usage_hint']}"


def _judge(events: Sequence[Event]) -> Completion:
    found = [event.data for event in events if event.kind == f"{ROOM}.judge"]
    if len(found) != 1:
        raise MalformedLog(f"found {len(found)} judgements, wanted 1")
    return Completion(tuple(bool(one) for one in found[0]["verdicts"]), len(found[0]["milestones"]))


def _of_cycle(own: Sequence[Event]) -> dict[str, Value]:
    tried = [memories.Mapping(**one["task"]) for one in _data(own, "result")]
    kept = [*_data(own, "memory"), *_data(own, "notes")]
    return {
        "repeated": repeated_share(tried),
        "n_cycles": max((int(event.data["n_cycles"]) for event in own if "n_cycles" in event.data), default=0),
        "n_mapped": len(tried),
        "n_solved": sum(bool(one["success"]) for one in _data(own, "result")),
        "n_malformed": len(_data(own, "malformed")),
        "memory_tokens": max((int(one["tokens"]) for one in kept), default=0),
    }


def _data(own: Sequence[Event], word: str) -> list[JsonObject]:
    return [event.data for event in own if event.kind == f"{ROOM}.{word}"]
