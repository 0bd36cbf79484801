"""Rule probes (protocol 5): which rules of a game an answer states, by which grader, and how far graders agree.

The deterministic matcher reads sentence by sentence: a rule is stated if all expressions of one of its alternatives
occur in one sentence (`cards`). A model grades by the versioned prompt in `rubric/`; its verdicts
come as one JSON object. Both are exported for people, and compared by percent agreement and Cohen's kappa.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from diag.grading.assertion import NEGATION, is_asserted
from diag.grading.walk import MalformedLog
from diag.records import Event
from diag.studies.knowledge_workflow.cards import Card, Language, Rule, card_of

MATCHER_VERSION = "2"
RUBRIC = Path(__file__).parent / "rubric" / "v1.en.txt"
Status = Literal["answered", "refused"]
_SENTENCES = re.compile(r"(?<=[.;!?])\s+|[\n。；！？]+")  # noqa: RUF001 - Chinese punctuation ends sentences too
_REFUSAL = re.compile(
    r"\b(?:do not|don't|cannot|can't|unable to) (?:know|state|say|tell|answer|list)\b|\bno idea\b|不知道", re.IGNORECASE
)


class RubricError(ValueError):
    """A model's verdicts are not what the rubric asks for; the message says what was found."""


@dataclass(frozen=True)
class GradedProbe:
    """One probe, rule by rule."""

    index: int
    """0-based within the session."""
    at_s: float
    """When it was due."""
    clock_s: float
    """When it was asked."""
    answer: str
    status: Status
    """`refused`: nothing was said, or only that nothing is known; every rule then counts as not stated."""
    rules: dict[str, bool]

    @property
    def share(self) -> float:
        """Share of the game's rules that the answer states."""
        return sum(self.rules.values()) / len(self.rules)


def grade_answer(answer: str, card: Card, language: Language) -> dict[str, bool]:
    """Return rule id -> whether the answer states it."""
    sentences = [part for part in _SENTENCES.split(answer.replace("\u2019", "'")) if part.strip()]
    return {rule.id: any(_states(sentence, rule, language) for sentence in sentences) for rule in card.rules}


def graded_probes(events: Sequence[Event], game: str, language: Language) -> tuple[GradedProbe, ...]:
    """Return the session's probes in order. Raises MalformedLog for a probe without an answer field."""
    card = card_of(game)
    found: list[GradedProbe] = []
    for event in (one for one in events if one.kind == "probe"):
        if "answer" not in event.data or "at_s" not in event.data:
            raise MalformedLog(f"event {event.seq}: a probe without `answer` or `at_s`")
        answer = str(event.data["answer"] or "")
        rules = grade_answer(answer, card, language)
        status: Status = "answered" if any(rules.values()) or not is_refusal(answer) else "refused"
        found.append(GradedProbe(len(found), float(event.data["at_s"]), event.clock_s, answer, status, rules))
    return tuple(found)


def is_refusal(answer: str) -> bool:
    """Tell whether an answer says nothing, or only that nothing is known or will be said."""
    return not answer.strip() or _REFUSAL.search(answer) is not None


def _states(sentence: str, rule: Rule, language: Language) -> bool:
    """Tell whether a sentence states a rule; one that negates, asks or supposes it does not.

    Negation is not looked for where the rule's own sentence has one beside its expressions ("Bushes do not move").
    """
    spans = [found for parts in rule.matches[language] if (found := _spans(sentence, parts))]
    if not spans:
        return False
    own = [found for parts in rule.matches[language] if (found := _spans(rule.sentence[language], parts))]
    if not any(_is_affirmed(rule.sentence[language], one) for one in own):
        return True
    return any(_is_affirmed(sentence, one) for one in spans)


def _spans(sentence: str, parts: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the expressions of an alternative occur; nothing if one of them does not."""
    found = [re.search(part, sentence, re.IGNORECASE) for part in parts]
    return [match.span() for match in found if match is not None] if all(found) else []


def _is_affirmed(sentence: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a sentence asserts what its expressions say, and no word beside them, up to the last, negates it."""
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    beside = "".join(
        " " if any(start <= place < end for start, end in spans) else sign
        for place, sign in enumerate(sentence[first:last], start=first)
    )
    return is_asserted(sentence, first, last, is_rule=True) and NEGATION.search(beside) is None


# --- other graders ----------------------------------------------------------------------------------------------------


def rubric_prompt(answer: str, card: Card, language: Language) -> str:
    """Return what a model grader is asked."""
    rules = "\n".join(f"{rule.id}: {rule.sentence[language]}" for rule in card.rules)
    return RUBRIC.read_text(encoding="utf-8").replace("{rules}", rules).replace("{answer}", answer)


def rubric_verdicts(reply: str, card: Card) -> dict[str, bool]:
    """Read a model grader's reply: one JSON object, rule id to true or false. Raises RubricError."""
    begin, end = reply.find("{"), reply.rfind("}")
    try:
        data: Any = json.loads(reply[begin : end + 1])
    except (ValueError, RecursionError) as error:
        raise RubricError(f"no JSON object in the reply {reply!r:.80}") from error
    wanted = [rule.id for rule in card.rules]
    if not isinstance(data, dict) or set(data) != set(wanted):
        raise RubricError(f"verdicts on {sorted(data) if isinstance(data, dict) else data!r}, wanted {sorted(wanted)}")
    if not all(isinstance(value, bool) for value in data.values()):
        raise RubricError(f"verdicts {data}, wanted true or false for each rule")
    return {name: data[name] for name in wanted}


# --- agreement --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """How far two graders agree over the same verdicts."""

    n: int
    n_agree: int
    kappa: float | None
    """Cohen's kappa; None where both graders always say the same one thing, so that chance explains everything."""

    @property
    def share(self) -> float:
        """Percent agreement as a share."""
        return self.n_agree / self.n

    @property
    def words(self) -> str:
        """Both measures as text."""
        kappa = "undefined (no variation)" if self.kappa is None else f"{self.kappa:.3f}"
        return f"{self.n_agree}/{self.n} agree ({self.share:.1%}), kappa {kappa}"


def agreement(first: Sequence[bool], second: Sequence[bool]) -> Agreement:
    """Compare two graders' verdicts, pair by pair.

    Source: Cohen (1960): kappa = (p_o - p_e) / (1 - p_e), p_e from the graders' own marginal rates.

    Raises:
        ValueError: there are none, or not equally many.
    """
    n = len(first)
    if n == 0 or n != len(second):
        raise ValueError(f"{n} and {len(second)} verdicts; wanted equally many, at least one")
    n_agree = sum(one == other for one, other in zip(first, second, strict=True))
    yes_1, yes_2 = sum(first), sum(second)
    by_chance = yes_1 * yes_2 + (n - yes_1) * (n - yes_2)  # n^2 p_e, whole numbers: no rounding near 1
    kappa = None if by_chance == n * n else (n * n_agree - by_chance) / (n * n - by_chance)
    return Agreement(n, n_agree, kappa)


def agreement_of(first: Sequence[Mapping[str, bool]], second: Sequence[Mapping[str, bool]]) -> Agreement:
    """Compare two graders over answers, rule by rule. Raises ValueError if they did not grade the same rules."""
    if [set(one) for one in first] != [set(one) for one in second]:
        raise ValueError("the graders did not grade the same rules of the same answers")
    pairs = [(one[rule], other[rule]) for one, other in zip(first, second, strict=True) for rule in sorted(one)]
    return agreement([one for one, _ in pairs], [other for _, other in pairs])


Verdicts = Mapping[tuple[str, str, str], bool]
"""(unit id, number of the probe, rule) -> whether the answer states the rule."""


def agreement_by_game(first: Verdicts, second: Verdicts, games: Mapping[str, str]) -> dict[str, Agreement]:
    """Return how far two graders agree in each game and, as `all`, over all games.

    Args:
        first: one grader's verdicts.
        second: the other's, on the same rules of the same answers.
        games: unit id -> game.

    Raises:
        ValueError: they did not grade the same rules, or none.
    """
    if set(first) != set(second):
        raise ValueError(f"{len(set(first) ^ set(second))} verdicts are of one grader only")
    found = {}
    for game in (*sorted({games[unit_id] for unit_id, _, _ in first}), "all"):
        keys = [key for key in first if game in ("all", games[key[0]])]
        found[game] = agreement([first[key] for key in keys], [second[key] for key in keys])
    return found
