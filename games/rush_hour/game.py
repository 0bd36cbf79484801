"""Rush Hour, put together for the suite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from games.contract import Game, Gesture, JsonObject, JsonValue, Option, Reaction, Table
from games.rush_hour import potential as progress
from games.rush_hour import rules, sight, stage
from games.rush_hour.layout import Layout, Slide, parse_layout
from games.rush_hour.reference import check_reference
from games.rush_hour.rules import State
from games.suite.texts import read_texts


class RushHour:
    """The game as `games.contract.Game` describes it."""

    name = "rush_hour"
    difficulties: tuple[str, ...] = ("easy", "medium", "hard")
    has_undo = False

    def parse_layout(self, data: JsonObject) -> Layout:
        """Read one layout and check its reference path."""
        layout = parse_layout(data)
        check_reference(layout)
        return layout

    def initial_state(self, layout: Layout) -> State:
        """Return the board as the level starts."""
        return rules.initial_state(layout)

    def legal_moves(self, state: State) -> tuple[Slide, ...]:
        """Return all slides."""
        return rules.legal_moves(state)

    def step(self, state: State, move: Slide) -> State:
        """Return the board after a slide."""
        return rules.step(state, move)

    def is_won(self, state: State) -> bool:
        """Tell whether the target touches the exit."""
        return rules.is_won(state)

    def potential(self, state: State) -> float:
        """Return progress in [0, 1]; see `games.rush_hour.potential`."""
        return progress.potential(state)

    def state_to_json(self, state: State) -> JsonObject:
        """Return where the vehicles stand."""
        return rules.state_to_json(state)

    def state_from_json(self, layout: Layout, data: JsonObject) -> State:
        """Invert `state_to_json`."""
        return rules.state_from_json(layout, data)

    def move_to_json(self, move: Slide) -> JsonValue:
        """Return `[vehicle, offset]`."""
        return rules.move_to_json(move)

    def move_from_json(self, data: JsonValue) -> Slide:
        """Invert `move_to_json`."""
        return rules.move_from_json(data)

    def scene(self, table: Table) -> JsonObject:
        """Return what a player sees."""
        return stage.scene(table)

    def react(self, table: Table, gesture: Gesture) -> Reaction:
        """Turn a gesture into a slide, a preview or a note."""
        return stage.react(table, gesture)

    def gestures(self, table: Table, move: Slide) -> tuple[Gesture, ...]:
        """Return the drag that performs a slide."""
        return stage.gestures(table, move)

    def options(self, scene: JsonObject) -> tuple[Option, ...]:
        """Return the slides that the picture shows room for."""
        return sight.options(scene)

    def texts(self, language: Literal["en", "zh"]) -> Mapping[str, Any]:
        """Return the game's texts."""
        return read_texts(Path(__file__).parent, language)


GAME: Game = RushHour()
