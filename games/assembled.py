"""A game put together from the modules of its folder."""
# ruff: noqa: D102 - every method is one of `games.contract.Game` and documented there

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from games.contract import Gesture, JsonObject, JsonValue, Option, Reaction, Rules, Sight, Stage, Table
from games.suite.texts import read_texts


@dataclass(frozen=True)
class Parts:
    """What a folder contributes to its game: modules, and two functions that do not always live in `rules`."""

    parse_layout: Callable[[JsonObject], Any]
    potential: Callable[[Any], float]
    rules: Rules
    stage: Stage
    sight: Sight


class AssembledGame:
    """Fulfils `games.contract.Game` by asking its parts; a subclass names itself and them."""

    name: str
    difficulties: tuple[str, ...]
    has_undo: bool = False
    folder: Path
    """Where `texts/` is."""
    parts: Parts

    def parse_layout(self, data: JsonObject) -> Any:
        return self.parts.parse_layout(data)

    def initial_state(self, layout: Any) -> Any:
        return self.parts.rules.initial_state(layout)

    def legal_moves(self, state: Any) -> tuple[Any, ...]:
        return self.parts.rules.legal_moves(state)

    def step(self, state: Any, move: Any) -> Any:
        return self.parts.rules.step(state, move)

    def is_won(self, state: Any) -> bool:
        return self.parts.rules.is_won(state)

    def potential(self, state: Any) -> float:
        return self.parts.potential(state)

    def state_to_json(self, state: Any) -> JsonObject:
        return self.parts.rules.state_to_json(state)

    def state_from_json(self, layout: Any, data: JsonObject) -> Any:
        return self.parts.rules.state_from_json(layout, data)

    def move_to_json(self, move: Any) -> JsonValue:
        return self.parts.rules.move_to_json(move)

    def move_from_json(self, data: JsonValue) -> Any:
        return self.parts.rules.move_from_json(data)

    def scene(self, table: Table) -> JsonObject:
        return self.parts.stage.scene(table)

    def react(self, table: Table, gesture: Gesture) -> Reaction:
        return self.parts.stage.react(table, gesture)

    def gestures(self, table: Table, move: Any) -> tuple[Gesture, ...]:
        return self.parts.stage.gestures(table, move)

    def options(self, scene: JsonObject) -> tuple[Option, ...]:
        return self.parts.sight.options(scene)

    def texts(self, language: Literal["en", "zh"]) -> Mapping[str, Any]:
        return read_texts(self.folder, language)
