"""`python -m diag agent-check agent=...`: a model agent's coordinates, format, speed and price, measured.

Shows the agent a page with targets at known pixels, asks it for clicks, a drag, a swipe and a key (eleven calls), and
measures hit rate, scale and offset of its coordinates, readable answers, latency, tokens and cost. Exit code 1, loudly,
when its coordinate space looks wrong. `agent-check usage=STUDY_FOLDER` prints what a study used instead, unit by unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from diag.agents.models.accounting import usage_table
from diag.agents.models.calibration import Answer, LenientContract, measure, page_png, sums, tasks
from diag.agents.models.forecasting import keep_check
from diag.session.contract import Observation, PublicContext
from diag.studies.model_agent import model_factory
from diag.terminal import say

LOOKS_WRONG = 1


def main(arguments: Sequence[str]) -> int:
    """Check the agent that the overrides name, or print a study's usage; return the exit code."""
    if len(arguments) == 1 and arguments[0].startswith("usage="):
        say(usage_table(Path(arguments[0].removeprefix("usage="))).removesuffix("\n"))
        return 0
    factory = model_factory(arguments, "agent-check")
    say(f"{factory.name}: asking {factory.model} about the calibration page ...")
    answers = ask_all(factory)
    lines, code = report(factory, answers)
    say("\n".join(lines))
    return code


def ask_all(factory: Any) -> tuple[Any, ...]:
    """Ask every question, each in a fresh context. Raises InfrastructureFailure, ConfigError."""
    agent = factory.build(0)
    own = factory.contract
    agent.contract = LenientContract(**{item.name: getattr(own, item.name) for item in fields(own)})
    png, answers = page_png(own.device_scale), []
    for task in tasks():
        decision = agent.decide(Observation(PublicContext(task.words), png, None, 0.0))
        answers.append(Answer(task, decision.actions, decision.usage, decision.latency_s or 0.0))
    return tuple(answers)


def report(factory: Any, answers: Sequence[Any]) -> tuple[list[str], int]:
    """Return the lines to print and the exit code; what a call took is kept for the forecast of mode=plan."""
    measured = measure(answers, factory.contract)
    lines = [_answer_line(one) for one in answers]
    lines += ["", f"contract     {_words(factory.contract.to_json())}"]
    lines.append(f"hits         {measured.n_hits} of {measured.n_tasks}")
    lines.append(f"readable     {measured.n_readable} of {measured.n_tasks}")
    for name, axis in (("x", measured.x), ("y", measured.y)):
        if axis is not None:
            fit = f"scale {axis.scale:.4f}, offset {axis.offset_px:+.1f} px, spread {axis.residual_px:.1f} px"
            lines.append(f"{name}            {fit}")
    spent = sums(answers)
    lines += _spending(spent, len(answers))
    keep_check(factory, spent, len(answers))
    if measured.n_encoded_twice:
        lines += [
            "",
            f"WARNING: {measured.n_encoded_twice} of {measured.n_tasks} answers came with arguments encoded twice, "
            "a fault of the server's tool parser; they are read, and counted as malformed",
        ]
    if not measured.faults:
        return [*lines, "", "OK: the coordinate space is the contract's"], 0
    lines += ["", *(f"WRONG: {fault}" for fault in measured.faults)]
    if measured.suggestion:
        lines.append(f"HINT: {measured.suggestion}")
    return lines, LOOKS_WRONG


def _answer_line(answer: Any) -> str:
    mark = "hit " if answer.hit else "MISS"
    wanted = ", ".join(map(str, answer.task.points)) or answer.task.key
    found = ", ".join(f"({x:g}, {y:g})" for x, y in answer.points) or _words(
        answer.actions[0] if answer.actions else {}
    )
    return f"{mark}  {answer.task.kind:5}  wanted {wanted}  got {found[:120]}"


def _words(values: Any) -> str:
    return ", ".join(f"{key} {value}" for key, value in dict(values).items())


def _spending(spent: dict[str, Any], n_calls: int) -> list[str]:
    shown = {
        name: "unknown" if spent[name] is None else f"{spent[name]:g}" for name in ("input_tokens", "output_tokens")
    }
    cost = "unknown (give agent.price or agent.prices)"
    if spent["cost"] is not None:
        cost = f"{spent['cost']:.4f} for {n_calls} calls, {spent['cost'] / n_calls:.5f} a call"
    return [
        f"latency      median {spent['latency_median_s']:.2f} s, longest {spent['latency_max_s']:.2f} s; "
        f"{spent['n_failed_tries']} failed tries",
        f"tokens       {shown['input_tokens']} in, {shown['output_tokens']} out",
        f"cost         {cost}",
    ]
