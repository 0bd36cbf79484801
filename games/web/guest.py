"""A page as the program knows a game: a name, a title, and what can be done in it. It has no rules of ours."""
# ruff: noqa: D102 - every method is one of `games.contract.Game` and documented there

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from games.contract import Drag, Gesture, JsonObject, JsonValue, KeyPress, Option, Reaction, Table, Tap
from games.web.adapter import Adapter


@dataclass
class PageGame:
    """Fulfils `games.contract.Game` for a page: its states are JSON, and nobody but the page knows what follows one."""

    name: str
    title: str
    difficulties: tuple[str, ...] = ("page",)
    has_undo: bool = False

    @classmethod
    def of(cls, adapter: Adapter) -> PageGame:
        return cls(adapter.name, adapter.title or adapter.name)

    def parse_layout(self, data: JsonObject) -> Any:
        return data

    def initial_state(self, layout: Any) -> Any:
        raise NotImplementedError(self._why(layout))

    def legal_moves(self, state: Any) -> tuple[Any, ...]:
        raise NotImplementedError(self._why(state))

    def step(self, state: Any, move: Any) -> Any:
        raise NotImplementedError(self._why(move))

    def is_won(self, state: Any) -> bool:
        raise NotImplementedError(self._why(state))

    def potential(self, state: Any) -> float:
        raise NotImplementedError(self._why(state))

    def state_to_json(self, state: Any) -> JsonObject:
        written: JsonObject = state
        return written

    def state_from_json(self, layout: Any, data: JsonObject) -> Any:
        del layout
        return data

    def move_to_json(self, move: Any) -> JsonValue:
        return move

    def move_from_json(self, data: JsonValue) -> Any:
        return data

    def scene(self, table: Table) -> JsonObject:
        raise NotImplementedError(self._why(table))

    def react(self, table: Table, gesture: Gesture) -> Reaction:
        raise NotImplementedError(self._why(gesture))

    def gestures(self, table: Table, move: Any) -> tuple[Gesture, ...]:
        raise NotImplementedError(self._why(move))

    def options(self, scene: JsonObject) -> tuple[Option, ...]:
        return tuple(
            Option(str(one["name"]), tuple(gesture_of(item) for item in one["gestures"]), float(one.get("appeal", 0)))
            for one in scene["moves"]
        )

    def texts(self, language: Literal["en", "zh"]) -> Mapping[str, Any]:
        del language
        return {"title": self.title, "instructions": [], "difficulties": {"page": self.title}}

    def _why(self, _asked: object) -> str:
        return f"the page {self.name} has no rules here"


def gesture_of(action: JsonObject) -> Gesture:
    """Return what a hand does for a GUI action in JSON form."""
    if action["name"] == "key":
        return KeyPress(str(action["key"]))
    if action["name"] in ("drag", "swipe"):
        return Drag(action["x"], action["y"], action["x2"], action["y2"])
    return Tap(action["x"], action["y"])
