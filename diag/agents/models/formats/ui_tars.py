"""UI-TARS text: `Thought: ...` and `Action: click(start_box='(x,y)')` in pixels of the resized image."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from diag.agents.models.conversation import Part, Text
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.contract import (
    UNREADABLE,
    FormatError,
    Parsed,
    feedback,
    given,
    on_screen,
    only,
    read_all,
    shown,
    unreadable,
)
from diag.agents.models.formats.thoughts import spoken
from diag.agents.models.reply import AnyTool, Reply
from diag.records.lines import lines_of
from diag.session.contract import Turn
from diag.session.history import GUI_MODELS, HistoryPolicy
from games.contract import JsonObject

SCROLL_PX = 300
"""Screen pixels one scroll moves: the format names only a direction."""
WAIT_S = 5.0
_CALL = re.compile(r"^(\w+)\((.*)\)$", re.DOTALL)
_ARGUMENT = re.compile(r"\s*(\w+)\s*=\s*('(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")\s*(?:,|$)", re.DOTALL)
_AROUND = re.compile(r"<\|box_(?:start|end)\|>|</?(?:point|bbox)>")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_KEYS = {
    "enter": "Enter", "return": "Enter", "tab": "Tab", "esc": "Escape", "escape": "Escape", "space": "Space",
    "backspace": "Backspace", "left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown",
    "arrowleft": "ArrowLeft", "arrowright": "ArrowRight", "arrowup": "ArrowUp", "arrowdown": "ArrowDown",
}  # fmt: skip


@dataclass(frozen=True)
class UiTars:
    """Thought and Action lines."""

    name: str = "ui_tars"
    prompt: str = "ui_tars"
    continuation_prompts: int = 1
    episode_history: HistoryPolicy = GUI_MODELS

    def tools(self, contract: CoordinateContract) -> tuple[AnyTool, ...]:
        """Return none: the actions are text."""
        return ()

    def parse(self, reply: Reply, contract: CoordinateContract) -> Parsed:
        """Read the lines after the last `Action:` as one batch."""
        before, found, after = spoken(reply.text).rpartition("Action:")
        reason = (before if found else after).split("Thought:", 1)[-1].strip()
        calls = [line.strip() for line in lines_of(after.strip()) if line.strip()] if found else []
        if not calls:
            missing = FormatError("no_action", "the answer holds no Action: line")
            return Parsed((unreadable(missing, reply.text),), reason)
        actions = read_all(calls, lambda line: _action(line, contract))
        if actions[0].get("name") == "stop":
            return Parsed((), reason, stop=True)
        return Parsed(actions, reason)

    def render(self, turn: Turn, place: int, contract: CoordinateContract) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return a turn as Thought and Action."""
        lines = [_line(shown(one, contract)) for one in turn.actions if one.get("name") != UNREADABLE]
        said = f"Thought: {turn.reason}\nAction: " + ("\n".join(lines) or "(none)")
        return (Text(said),), (Text(feedback(turn, contract)),)


def _action(line: str, contract: CoordinateContract) -> JsonObject:
    found = _CALL.match(line)
    if found is None:
        raise FormatError("bad_syntax", f"an action is name(argument='value'), got {line!r:.100}")
    name = found[1]
    if name not in _READERS:
        raise FormatError("unknown_action", f"unknown action {name!r:.100}; wanted one of {', '.join(_READERS)}")
    wanted, read = _READERS[name]
    arguments = _arguments(name, found[2])
    only(arguments, wanted, name)
    action = dict(on_screen(read(arguments), contract))
    if action["name"] == "scroll":  # a fixed distance on the screen, in no model's space
        action["dy"] = SCROLL_PX if given(arguments, "direction") == "down" else -SCROLL_PX
    return action


def _arguments(name: str, text: str) -> Mapping[str, str]:
    """Return the arguments of a call by name; all of the text is read. Raises FormatError."""
    arguments: dict[str, str] = {}
    place = 0
    while text[place:].strip():
        found = _ARGUMENT.match(text, place)
        if found is None or found[1] in arguments:
            raise FormatError("bad_syntax", f"{name}: wanted argument='value', each once, got {text[place:]!r:.100}")
        arguments[found[1]] = _unquoted(found[2])
        place = found.end()
    return arguments


def _at(name: str) -> Callable[[Mapping[str, str]], JsonObject]:
    def read(arguments: Mapping[str, str]) -> JsonObject:
        x, y = _point(given(arguments, "start_box"))
        return {"name": name, "x": x, "y": y}

    return read


def _between(name: str) -> Callable[[Mapping[str, str]], JsonObject]:
    def read(arguments: Mapping[str, str]) -> JsonObject:
        x2, y2 = _point(given(arguments, "end_box"))
        ends = {**_at(name)(arguments), "x2": x2, "y2": y2}
        if "via" not in arguments:
            return ends
        return {**ends, "via": [list(_point(box)) for box in arguments["via"].split(";")]}

    return read


def _scroll(arguments: Mapping[str, str]) -> JsonObject:
    direction = given(arguments, "direction")
    if direction not in ("up", "down"):
        raise FormatError("wrong_arguments", f"scroll: direction is up or down, got {direction!r:.100}")
    return _at("scroll")(arguments)


def _hotkey(arguments: Mapping[str, str]) -> JsonObject:
    key = given(arguments, "key")
    return {"name": "key", "key": _KEYS.get(key.lower(), key)}


_START, _ENDS = ("start_box",), ("start_box", "end_box", "via")
_READERS: Mapping[str, tuple[tuple[str, ...], Callable[[Mapping[str, str]], JsonObject]]] = {
    "click": (_START, _at("click")),
    "left_double": (_START, _at("double_click")),
    "long_press": (_START, _at("long_press")),
    "drag": (_ENDS, _between("drag")),
    "swipe": (_ENDS, _between("swipe")),
    "scroll": (("start_box", "direction"), _scroll),
    "hotkey": (("key",), _hotkey),
    "type": (("content",), lambda arguments: {"name": "type", "text": given(arguments, "content")}),
    "wait": ((), lambda _: {"name": "wait", "seconds": WAIT_S}),
    "finished": (("content",), lambda arguments: {"name": "answer", "text": arguments.get("content", "")}),
    "stop": ((), lambda _: {"name": "stop"}),
    "call_user": ((), lambda _: {"name": "stop"}),
}
"""The arguments of each action, and how they read under the names of the GUI action set."""


def _point(box: str) -> tuple[float, float]:
    """Return a point, or the middle of a box of four numbers; nothing but its numbers may stand in it."""
    inside = _AROUND.sub("", box).strip()
    if (inside[:1], inside[-1:]) in (("(", ")"), ("[", "]")):
        inside = inside[1:-1]
    words = [word for word in re.split(r"\s*,\s*|\s+", inside.strip()) if word]
    if len(words) not in (2, 4) or not all(map(_NUMBER.fullmatch, words)):
        raise FormatError("wrong_arguments", f"a point is (x,y), got {box!r:.100}")
    numbers = [float(word) for word in words]
    return (numbers[0] + numbers[-2]) / 2, (numbers[1] + numbers[-1]) / 2


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), value[1:-1], flags=re.DOTALL)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _corners(action: JsonObject) -> str:
    via = ";".join(f"({x},{y})" for x, y in action.get("via", ()))
    return f", via='{via}'" if via else ""


def _line(action: JsonObject) -> str:
    """Return an action, already in the model's space, as a call."""
    start = f"start_box='({action.get('x')},{action.get('y')})'"
    match action.get("name"):
        case "double_click":
            return f"left_double({start})"
        case "click" | "long_press" as name:
            return f"{name}({start})"
        case "drag" | "swipe" as name:
            return f"{name}({start}, end_box='({action.get('x2')},{action.get('y2')})'{_corners(action)})"
        case "scroll":
            return f"scroll({start}, direction='{'down' if int(action.get('dy', 0)) > 0 else 'up'}')"
        case "key":
            return f"hotkey(key={_quoted(str(action.get('key')))})"
        case "type":
            return f"type(content={_quoted(str(action.get('text')))})"
        case "answer":
            return f"finished(content={_quoted(str(action.get('text')))})"
        case _:
            return "wait()"
