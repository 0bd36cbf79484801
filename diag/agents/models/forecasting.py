"""What a study of a model will take before it runs: calls, images, tokens, money; unknown where nothing tells.

Three sources, the best that is there: units of this agent that finished (of this study, else of another one in the same
outputs), a call's time and tokens from `agent-check`, or the protocol's ceilings alone. Every line names its source.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from diag.agents.models.accounting import Usage, usage_of_attempt
from diag.agents.models.factory import ModelFactory
from diag.agents.models.prompts import Prompts
from diag.agents.models.reply import Tokens, Tool
from diag.errors import DiagError
from diag.records.study_folder import StudyFolder
from diag.session.history import ALL, HistoryPolicy
from games.contract import JsonObject
from games.digest import canonical_json

CHARACTERS_PER_TOKEN = 4.0
"""Of prompts and schemas; used only until a call was measured."""
FEEDBACK_TOKENS = 40
"""Of one past turn, beside what the model itself said in it."""


@dataclass(frozen=True)
class CallRate:
    """What one call takes, as `agent-check` measured it: one image and a short question."""

    latency_s: float
    input_tokens: float | None
    output_tokens: float | None


@dataclass(frozen=True)
class PerUnit:
    """What one unit takes; None: unknown."""

    decisions: float
    summaries: float
    images: float
    input_tokens: float | None
    output_tokens: float | None

    def times(self, n: int) -> PerUnit:
        """Return the sums over n units."""
        return PerUnit(*(None if value is None else value * n for value in asdict(self).values()))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Window:
    """What bounds the calls of a unit."""

    time_s: float
    settle_s: float
    most_decisions: int
    history: HistoryPolicy
    prefix_pictures: int
    """Pictures of the prefix that the first request holds."""

    def unit(self, n_decisions: int, *, text: float | None, image: float | None, said: float | None) -> PerUnit:
        """Return what a unit of n decisions takes.

        Args:
            n_decisions: calls that act.
            text: tokens of the system prompt, the tools and the task; None: unknown.
            image: tokens of one image; None: unknown.
            said: output tokens of a call; None: unknown.
        """
        calls = list(self._calls(n_decisions))
        images = sum(one.images for one in calls)
        n_summaries = sum(one.summary for one in calls)
        known = text is not None and image is not None
        spoken = 0.0 if said is None else said
        tokens = [(text or 0.0) + one.images * (image or 0.0) + one.turns * (spoken + FEEDBACK_TOKENS) for one in calls]
        return PerUnit(
            n_decisions,
            n_summaries,
            images,
            sum(tokens) if known else None,
            None if said is None else said * len(calls),
        )

    def decisions_at(self, latency_s: float) -> int:
        """Return how many decisions fit when every call takes this long and every decision settles once."""
        clock_s, n = 0.0, 0
        while n < self.most_decisions and clock_s < self.time_s:
            n += 1
            clock_s += latency_s + self.settle_s
            clock_s += latency_s if n % self.history.summary_every_turns == 0 else 0.0
        return n

    def _calls(self, n_decisions: int) -> Iterable[_Call]:
        history = self.history
        for n in range(n_decisions):
            turns = min(n, history.recent_turns)
            earlier = min(history.pictures, self.prefix_pictures + turns)
            yield _Call(earlier + 1, turns, summary=False)
            if (n + 1) % history.summary_every_turns == 0 and n + 1 < n_decisions:
                turns = min(n + 1, history.recent_turns)
                yield _Call(min(history.pictures, self.prefix_pictures + turns), turns, summary=True)


@dataclass(frozen=True)
class _Call:
    images: int
    turns: int
    summary: bool


def lines(factory: ModelFactory, folder: StudyFolder, window: Window, n_units: int) -> list[str]:
    """Return the forecast as lines."""
    image = None if factory.image_tokens is None else float(factory.image_tokens.of(factory.contract.size_seen))
    text = prompt_tokens(factory)
    most = window.unit(window.most_decisions, text=text, image=image, said=factory.max_output_tokens)
    found = [
        f"model calls: at most {_n(most.decisions)} decisions and {_n(most.summaries)} summaries a unit, "
        f"{_n(n_units * (most.decisions + most.summaries))} in all",
        f"history: {_history_words(window.history)}",
        f"images: at most {window.history.pictures + 1} a call, {_image_words(factory, image)}",
        f"unverified completion claims answered by a prompt to continue: {factory.format.continuation_prompts} a unit; "
        "the next one ends it",
    ]
    likely, source = _likely(factory, folder, window, text, image)
    if likely is None:
        found.append(f"likely: unknown until something is measured ({source})")
        likely, source = most, "a ceiling no model reaches: instant answers, each as long as agent.max_output_tokens"
    return [*found, *_sums(likely.times(n_units), source, factory)]


def _history_words(history: HistoryPolicy) -> str:
    """Say what stays in context."""
    turns = "all turns" if history.recent_turns >= ALL else f"the last {history.recent_turns} turns"
    every = history.summary_every_turns
    summaries = "no summaries" if every >= ALL else f"a summary every {every} turns"
    return f"{turns} as text, at most {history.pictures} earlier images, {summaries}"


def _likely(
    factory: ModelFactory, folder: StudyFolder, window: Window, text: float, image: float | None
) -> tuple[PerUnit | None, str]:
    measured = measured_units(factory, folder)
    if measured is not None:
        return measured
    rate = read_check(factory)
    if rate is None:
        return None, "run agent-check with the same outputs, or a few units first"
    n = window.decisions_at(rate.latency_s)
    fills = f"a call takes {rate.latency_s:.1f} s in agent-check: {n} decisions fill a unit"
    source = f"{fills}; without prefix text, probes, accounts"
    if rate.input_tokens is not None and image is None:
        image, source = rate.input_tokens, f"{source}; no formula: each image counted as a whole call of agent-check"
    elif rate.input_tokens is not None and image is not None:
        text = max(rate.input_tokens - image, 0.0)
    return window.unit(n, text=text, image=image, said=rate.output_tokens), source


def measured_units(factory: ModelFactory, folder: StudyFolder) -> tuple[PerUnit, str] | None:
    """Return the mean over the agent's finished units, those of this study first; None without any."""
    others = sorted(path for path in folder.root.parent.parent.glob(f"*/{folder.root.name}") if path != folder.root)
    for root in (folder.root, *others):
        used = _finished(StudyFolder(root))
        if used:
            n = len(used)
            where = "this study" if root == folder.root else f"{root.parent.name}/{root.name}"
            mean = [_mean(values) for values in zip(*used, strict=True)]
            return PerUnit(*mean), f"mean of {n} finished unit{'s' if n > 1 else ''} of {where}"  # type: ignore[arg-type]
    return None


def _finished(folder: StudyFolder) -> list[tuple[float | None, ...]]:
    """Return decisions, summaries, images, tokens in and out of each valid unit; a damaged study gives none."""
    if not folder.has_plan():
        return []
    try:
        valid = [
            folder.check_log(status)
            for unit in folder.read_plan().units
            for status in folder.attempts(unit.unit_id)
            if status.validity == "valid"
        ]
    except (DiagError, ValueError, OSError):
        return []
    used = [usage_of_attempt(log) for log in valid if log.is_file()]
    return [_row(one) for one in used if one.calls]


def _row(used: Usage) -> tuple[float | None, ...]:
    return used.calls - used.summaries, used.summaries, used.images, used.input_tokens, used.output_tokens


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if len(known) == len(values) else None


def prompt_tokens(factory: ModelFactory) -> float:
    """Return about how many tokens system prompt and tools take."""
    declared = [
        {"name": tool.name, "description": tool.description, "schema": tool.schema}
        for tool in factory.format.tools(factory.contract)
        if isinstance(tool, Tool)
    ]
    words = Prompts(factory.language).text(factory.format.prompt)
    return (len(words) + len(canonical_json(declared))) / CHARACTERS_PER_TOKEN


def _image_words(factory: ModelFactory, image: float | None) -> str:
    width, height = factory.contract.size_seen
    if factory.image_tokens is None or image is None:
        return f"{width} x {height} px, tokens unknown (agent.image_tokens names no formula)"
    return f"{width} x {height} px, {_n(image)} tokens each ({factory.image_tokens.words})"


def _sums(all_units: PerUnit, source: str, factory: ModelFactory) -> list[str]:
    price = factory.known_price
    calls = _n(all_units.decisions + all_units.summaries)
    tokens = Tokens(_whole(all_units.input_tokens), _whole(all_units.output_tokens))
    cost = None if price is None else price.cost(tokens)
    if price is None:
        money = "unknown: " + (
            "no price is given (agent.price or agent.prices)"
            if factory.prices is None
            else f"{Path(factory.prices).name} has no price of {factory.model}"
        )
    elif cost is None:
        money = "unknown: the tokens are"
    else:
        money = f"{cost:,.2f} {price.currency}, cached input not counted on"
    return [
        f"forecast ({source}):",
        f"  {calls} calls, {_n(all_units.images)} images, {_n(tokens.input)} tokens in, {_n(tokens.output)} out",
        f"  money: {money}",
    ]


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _n(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f}"


# --- what agent-check leaves for a forecast ---------------------------------------------------------------------------


def check_path(factory: ModelFactory) -> Path | None:
    """Return where agent-check keeps its measure of this agent; None without an outputs folder."""
    if factory.outputs is None:
        return None
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", factory.name)
    return Path(factory.outputs) / ".models" / "checks" / f"{name}.json"


def keep_check(factory: ModelFactory, spent: JsonObject, n_calls: int) -> None:
    """Keep what a call took."""
    path = check_path(factory)
    if path is None:
        return
    per_call = {
        name: None if spent[name] is None else spent[name] / n_calls for name in ("input_tokens", "output_tokens")
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(CallRate(float(spent["latency_median_s"]), **per_call))) + "\n")


def read_check(factory: ModelFactory) -> CallRate | None:
    """Return what agent-check kept; None if it never ran or the file is damaged: it then has to run again."""
    path = check_path(factory)
    if path is None or not path.is_file():
        return None
    try:
        data: Any = json.loads(path.read_text())
        return CallRate(**data)
    except (ValueError, TypeError):
        return None
