"""The tagged JSON that seeker, mapper and solver answer in. Strict: anything else is a FormatError, never a guess.

seek   <clues>[{...}]</clues><episodes>[{...}]</episodes>
map    <mappings>[{...}]</mappings>            at most K; an empty list means: seek again
solve  <result>{"success": true, "change": "item"}</result>
judge  <verdict>true</verdict>
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from diag.studies.clue_memory.memories import Clue, ClueType, Episode, Location, Mapping, Memory

Change = Literal["item", "area", "state", "story"]
"""What may visibly change in the game when a subtask succeeds."""
_CLUE = {"name": str, "description": str, "location": dict, "type": str, "interactable": bool, "usage_hint": str}


class FormatError(ValueError):
    """An answer is not of its form; the message names the part, what was found and what was wanted."""


@dataclass(frozen=True)
class Result:
    """What the solver says of its subtask."""

    success: bool
    change: Change | None


def read_seek(text: str) -> tuple[tuple[Clue, ...], tuple[Episode, ...]]:
    """Return the clues and the episodic entries of a seeker's answer. Raises FormatError."""
    clues = tuple(_clue(item) for item in _list(text, "clues"))
    episodes = (_fields("episodes", item, {"action": str, "place": str}) for item in _list(text, "episodes"))
    return clues, tuple(Episode(item["action"], item["place"]) for item in episodes)


def read_mappings(text: str, memory: Memory, *, most: int) -> tuple[Mapping, ...]:
    """Return the mappings of a mapper's answer.

    Raises:
        FormatError: wrong form, more than `most`, a clue that is not remembered, or a task that is solved already.
    """
    wanted: dict[str, type] = {"clue": str, "related_memory": str, "expected_action": str}
    found = tuple(Mapping(**_fields("mappings", item, wanted)) for item in _list(text, "mappings"))
    if len(found) > most:
        raise FormatError(f"mappings: found {len(found)}, wanted at most {most}")
    names = {clue.name for clue in memory.clues}
    for one in found:
        if one.clue not in names:
            raise FormatError(f"mappings: found the clue {one.clue!r}, wanted one that is remembered")
        if memory.is_solved(one):
            raise FormatError(f"mappings: found {one.task}, wanted none that is solved")
    return found


def read_result(text: str) -> Result:
    """Return a solver's result; a success names the visible change. Raises FormatError."""
    found = _fields("result", _tagged(text, "result"), {"success": bool}, optional={"change": str})
    change = found.get("change")
    if found["success"] and change not in get_args(Change):
        raise FormatError(f"result.change: found {change!r}, wanted one of {', '.join(get_args(Change))}")
    return Result(found["success"], change if found["success"] else None)


def read_done(text: str) -> bool:
    """Return whether a seeker says that nothing is left to explore. Raises FormatError."""
    found = _tagged(text, "done")
    if not isinstance(found, bool):
        raise FormatError(f"done: found {found!r:.40}, wanted true or false")
    return found


def read_verdict(text: str) -> bool:
    """Return a judge's verdict on one milestone. Raises FormatError."""
    found = _tagged(text, "verdict")
    if not isinstance(found, bool):
        raise FormatError(f"verdict: found {found!r:.40}, wanted true or false")
    return found


def says(text: str, *tags: str) -> bool:
    """Tell whether a text opens any of the tags, well formed or not."""
    return any(f"<{tag}>" in text for tag in tags)


def _clue(item: Any) -> Clue:
    found = _fields("clues", item, _CLUE)
    place = _fields("clues.location", found["location"], {"spot": str, "surroundings": str})
    if found["type"] not in get_args(ClueType):
        raise FormatError(f"clues.type: found {found['type']!r}, wanted one of {', '.join(get_args(ClueType))}")
    return Clue(**{**found, "location": Location(**place)})


def _list(text: str, tag: str) -> list[Any]:
    found = _tagged(text, tag)
    if not isinstance(found, list):
        raise FormatError(f"{tag}: found {type(found).__name__}, wanted a list")
    return found


def _tagged(text: str, tag: str) -> Any:
    parts = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    if len(parts) != 1:
        raise FormatError(f"{tag}: found {len(parts)} parts tagged <{tag}>, wanted 1")
    try:
        return json.loads(parts[0])
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{tag}: found no JSON ({error}), wanted JSON") from error


def _fields(where: str, item: Any, wanted: dict[str, type], optional: dict[str, type] | None = None) -> dict[str, Any]:
    known = {**wanted, **(optional or {})}
    if not isinstance(item, dict) or not set(wanted) <= set(item) <= set(known):
        raise FormatError(f"{where}: found {item!r:.80}, wanted an object with {', '.join(wanted)}")
    for name, value in item.items():
        if type(value) is not known[name]:
            raise FormatError(f"{where}.{name}: found {value!r:.40}, wanted {known[name].__name__}")
    return item
