"""Native actions beside code execution, in figures: pairs, calls, matched levels, one-call levels, operation errors.

Pure functions over episodes that `settings_command` reads. Source: first source document, Table 8 and the text before
it. **Matched levels** are the second and later levels that a pair solves in both settings; ratios are code / native.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from diag.studies.episodes.calls import Call, LevelPlay, Slips

SETTINGS = ("native", "code")
ONE_CALL = (0.8, 0.5)
"""Shares of a level's inputs that one call issues."""
MEASURES: Mapping[str, Callable[[LevelPlay], float]] = {
    "time_s": lambda play: play.time_s,
    "calls": lambda play: play.n_calls,
    "screenshots": lambda play: play.n_screenshots,
    "inputs": lambda play: play.n_inputs,
}


@dataclass(frozen=True)
class Played:
    """One valid episode."""

    objective: str
    n_won: int
    success: bool
    ending: str
    premature_exit: bool
    n_restarts: int
    calls: tuple[Call, ...]
    levels: tuple[LevelPlay, ...]
    slips: Slips


@dataclass(frozen=True)
class Pair:
    """The two episodes of one agent on one objective."""

    agent: str
    native: Played
    code: Played


def comparison(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return every figure over the pairs. Raises ValueError without a pair."""
    if not pairs:
        raise ValueError("no pair of episodes")
    episodes = {name: [getattr(pair, name) for pair in pairs] for name in SETTINGS}
    return {
        "n_pairs": len(pairs),
        "pairs": _gaps(pairs),
        **{name: {"calls": call_shares(found), **_levels(found), **_errors(found)} for name, found in episodes.items()},
        "matched": matched_summary(pairs),
    }


def _gaps(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return where the gap arises: who solves more, and what becomes of the native timeouts and exits."""
    timeouts = [pair for pair in pairs if not pair.native.success and pair.native.ending == "time_limit"]
    exits = [pair for pair in pairs if pair.native.premature_exit]
    return {
        **{f"solved_{name}": sum(getattr(pair, name).success for pair in pairs) for name in SETTINGS},
        "code_solves_more": sum(pair.code.n_won > pair.native.n_won for pair in pairs),
        "code_solves_fewer": sum(pair.code.n_won < pair.native.n_won for pair in pairs),
        **{f"{name}_{what}": count for name, found in (("native_timeouts", timeouts), ("native_exits", exits))
           for what, count in (("n", len(found)),
                               ("code_more", sum(one.code.n_won > one.native.n_won for one in found)),
                               ("code_completes", sum(one.code.success for one in found)))},
    }  # fmt: skip


def call_shares(episodes: Iterable[Played]) -> dict[str, Any]:
    """Return calls by kind, their shares, and the inputs per call."""
    calls = [call for one in episodes for call in one.calls]
    kinds = {kind: [call for call in calls if call.kind == kind] for kind in ("computation", "single", "batch")}
    n_inputs = sum(call.n_inputs for call in calls)
    acting = [call for call in kinds["computation"] if call.n_inputs]
    return {
        "n": len(calls),
        **{f"{kind}_share": _share(len(found), len(calls)) for kind, found in kinds.items()},
        "observation_share": _share(sum(call.kind == "observation" for call in calls), len(calls)),
        "inputs": n_inputs,
        "inputs_of_computation_share": _share(sum(call.n_inputs for call in acting), n_inputs),
        "inputs_per_computation_call": _mean(call.n_inputs for call in acting),
        "inputs_per_batch": _mean(call.n_inputs for call in kinds["batch"]),
    }


def _levels(episodes: Sequence[Played]) -> dict[str, Any]:
    known = [play.largest_call for one in episodes for play in one.levels if play.largest_call is not None]
    return {
        "solved_levels": sum(len(one.levels) for one in episodes),
        **{f"one_call_{share:.0%}": _share(sum(found >= share for found in known), len(known)) for share in ONE_CALL},
        "timeouts": sum(not one.success and one.ending == "time_limit" for one in episodes),
        "exits": sum(one.premature_exit for one in episodes),
        "restarts_per_episode": _mean(one.n_restarts for one in episodes),
    }


def _errors(episodes: Sequence[Played]) -> dict[str, Any]:
    sums = {name: sum(asdict(one.slips)[name] for one in episodes) for name in asdict(Slips())}
    swipes, gestures = sums["maze_swipes"], sums["connect_gestures"]
    return {
        "maze_swipes": swipes,
        **{f"{name}_share": _share(sums[name], swipes) for name in ("maze_invalid", "maze_zero_progress")},
        "maze_repeated_share": _share(sums["maze_repeated"], swipes),
        "connect_gestures": gestures,
        "connect_invalid_share": _share(sums["connect_invalid"], gestures),
        "connect_drag_slip_share": _share(sums["connect_drags"], gestures),
    }


def matched_levels(pairs: Iterable[Pair]) -> list[dict[str, Any]]:
    """Return a line per matched level: each measure in both settings."""
    lines = []
    for pair in pairs:
        code = {play.level: play for play in pair.code.levels}
        for native in pair.native.levels:
            other = code.get(native.level)
            if other is None or native.place == 0:
                continue
            line: dict[str, Any] = {"agent": pair.agent, "objective": pair.native.objective, "level": native.level}
            for name, read in MEASURES.items():
                line |= {f"{name}_native": read(native), f"{name}_code": read(other)}
            lines.append({**line, "computes": other.computes})
    return lines


def matched_summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return medians and median ratios over all matched levels, those with computation and those without."""
    lines = matched_levels(pairs)
    groups = {
        "all": lines,
        "computation": [line for line in lines if line["computes"]],
        "inputs_only": [line for line in lines if not line["computes"]],
    }
    return {name: {"n": len(found), **_medians(found)} for name, found in groups.items()}


def _medians(lines: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for name in MEASURES:
        for setting in SETTINGS:
            found[f"{name}_{setting}"] = _median(float(line[f"{name}_{setting}"]) for line in lines)
        found[f"{name}_ratio"] = _median(
            line[f"{name}_code"] / line[f"{name}_native"] for line in lines if line[f"{name}_native"]
        )
    return found


def _share(n: int, of: int) -> float | None:
    return n / of if of else None


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return statistics.fmean(known) if known else None


def _median(values: Iterable[float]) -> float | None:
    known = list(values)
    return statistics.median(known) if known else None
