"""Grading of a retry (protocol 4): events in, `Outcome` out; pure, offline, needs a solver but no game session.

A retry begins on the board that a verified native restart gave back. It ends at the first of these; exactly one of the
yes/no endpoints below is true.

| endpoint | the retry ended because |
|---|---|
| completion | the level was won (the primary endpoint) |
| recurrence | a board of the level is certified dead by the **source's** mechanism; a similar board is not enough |
| other_failure | a board of the level is certified dead by another mechanism; in Bolt Unscrew there is none |
| another_restart | the level was restarted, or left and entered again |
| stopped | the agent stopped, or claimed a completion that could not be verified for the second time |
| out_of_time | the limit was reached |
| out_of_actions | the ceiling of actions, or of decisions without a valid action, was reached |

Further: `search_dead_end` (before the end a board was proven dead by exhausted search, which is no certificate of the
game and ends no retry), `best_progress` (largest potential, the first board included), `end_s`, `n_moves`,
`n_undecided`, and of the text that was written `memory_tokens`, `memory_cut`, `memory_malformed`, `memory_refused`
(None in arms without one).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from diag.arms.tokens import count_tokens
from diag.grading.certifier import Certifier, is_certified
from diag.grading.endpoints import among, counts, primary, seconds, shares, yes_no
from diag.grading.episodes.bolt import Measure
from diag.grading.log import AttemptLog, Value, states_of
from diag.grading.walk import MalformedLog, Step
from diag.records import Event, Outcome
from diag.studies.retry.accounts import HEADINGS, account_codes
from diag.studies.retry.capacity import capacity_record
from games.digest import sha256_of

_ENDED = (
    *primary(*yes_no(completion="ended because the level was won")),
    *yes_no(
        recurrence="... a board is certified dead by the source's mechanism",
        other_failure="... a board is certified dead by another mechanism",
        another_restart="... the level was restarted, or left and entered again",
        stopped="... the agent stopped or claimed a completion that could not be verified",
        out_of_time="... the limit was reached",
        out_of_actions="... the ceiling of actions, or of decisions without a valid one, was reached",
    ),
)
ENDINGS = tuple(one.name for one in _ENDED)
ENDPOINTS = (
    *_ENDED,
    *yes_no(search_dead_end="before the end a board was proven dead by search alone, which ends no retry"),
    *shares(best_progress="largest potential, the first board included"),
    *seconds(end_s="until the end"),
    *counts(n_moves="accepted moves", n_undecided="boards that the solver left open"),
    *among(
        "retries of arms that write a text",
        *counts(memory_tokens="tokens of it"),
        *yes_no(
            memory_cut="it was longer than its capacity",
            memory_malformed="a heading of it is missing or out of order",
            memory_refused="nothing was written",
        ),
    ),
)
_BY_LOG = {
    "won": "completion",
    "stopped": "stopped",
    "unverified_claim": "stopped",
    "time_limit": "out_of_time",
    "action_limit": "out_of_actions",
    "invalid_action_limit": "out_of_actions",
}


@dataclass(frozen=True)
class _Ended:
    """What a retry ended with, and when."""

    how: str
    clock_s: float
    boards: tuple[Step, ...]
    """Boards of the level up to the end."""
    seq: float
    """Event number of the board that it ended with; infinite if the log's end ended it."""
    n_undecided: int
    doomed: bool
    """A board before it was proven dead without a certificate."""


def grade_retry(
    events: Sequence[Event],
    *,
    certify: Certifier,
    measure: Measure,
    plan_hash: str | None = None,
    limit_s: float = 300.0,
) -> Outcome:
    """Return what one retry came to, with the capacity table of its moves (Bolt Unscrew) in `details`.

    Raises:
        LogError: the log cannot be graded; also where its text is longer than the capacity or is not the one digested.
    """
    log = AttemptLog.read(events, plan_hash=plan_hash)
    start = events[0].data
    memory = start.get("memory")
    _check_memory(memory)
    if log.failed:
        return log.outcome({}, codes=_codes(memory))
    ended = _ended(log, certify, str(start["source"]["mechanism"]), limit_s)
    bolt = capacity_record(log, ended.boards, measure, end_seq=ended.seq)
    return log.outcome(
        {**_endpoints(log, ended), **_of_memory(memory)},
        codes=_codes(memory),
        details={"ended": ended.how, "memory": memory, "source": start["source"], "bolt": bolt},
    )


def _ended(log: AttemptLog, certify: Certifier, mechanism: str, limit_s: float) -> _Ended:
    """Walk the boards of the level to the first that ends the retry, whatever the run itself stopped at."""
    seen: list[Step] = []
    verdicts: list[str] = []

    def ended(how: str, clock_s: float, seq: float) -> _Ended:
        return _Ended(how, clock_s, tuple(seen), seq, verdicts.count("undecided"), "doomed" in verdicts)

    for board in states_of(log.steps, log.level):
        if board.clock_s > limit_s:
            break
        if board.kind in ("restart", "enter"):
            return ended("another_restart", board.clock_s, board.seq)
        seen.append(board)
        if board.won:
            return ended("completion", board.clock_s, board.seq)
        verdict = certify(log.level, board.state)
        if verdict == "dead_end" and is_certified(certify, log.level, board.state):
            same = certify.mechanism(log.level, board.state) == mechanism
            return ended("recurrence" if same else "other_failure", board.clock_s, board.seq)
        verdicts.append("doomed" if verdict == "dead_end" else verdict)
    how = _BY_LOG.get(log.ending)
    if how is None:
        raise MalformedLog(f"{log.unit_id}: ended as {log.ending}, but no board of {log.level} shows why")
    return ended(how, log.elapsed_s, math.inf)


def _endpoints(log: AttemptLog, ended: _Ended) -> dict[str, Value]:
    return {
        **{name: name == ended.how for name in ENDINGS},
        "search_dead_end": ended.doomed,
        "best_progress": max([log.start_potential or 0.0, *(board.potential for board in ended.boards)]),
        "end_s": ended.clock_s,
        "n_moves": sum(board.kind == "move" for board in ended.boards),
        "n_undecided": ended.n_undecided,
    }


def _of_memory(memory: Any) -> dict[str, Value]:
    if memory is None:
        return dict.fromkeys(one.name for one in ENDPOINTS[-4:])
    return {
        "memory_tokens": int(memory["tokens"]),
        "memory_cut": int(memory["tokens_written"]) > int(memory["capacity_tokens"]),
        "memory_malformed": memory["status"] == "malformed",
        "memory_refused": memory["status"] == "refused",
    }


def _codes(memory: Any) -> dict[str, bool]:
    """Return the codes of a structured account; there are none for another text."""
    structured = memory is not None and any(name in memory["text"] for pair in HEADINGS for name in pair)
    return account_codes(memory["text"]) if structured else {}


def _check_memory(memory: Any) -> None:
    if memory is None:
        return
    found = count_tokens(memory["text"])
    if found != memory["tokens"] or found > memory["capacity_tokens"]:
        raise MalformedLog(
            f"a text of {found} tokens, recorded {memory['tokens']}, capacity {memory['capacity_tokens']}"
        )
    if sha256_of(memory["text"]) != memory["sha256"]:
        raise MalformedLog(f"the text has digest {sha256_of(memory['text'])[:12]}, recorded {memory['sha256'][:12]}")
