"""Nut and Bolt, put together for the suite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from games.contract import Game, Gesture, JsonObject, JsonValue, Option, Reaction, Table
from games.nut_and_bolt import rules, sight, stage
from games.nut_and_bolt.layout import Layout, Transfer, parse_layout
from games.nut_and_bolt.rules import State
from games.suite.texts import read_texts


class NutAndBolt:
    """The game as `games.contract.Game` describes it."""

    name = "nut_and_bolt"
    difficulties: tuple[str, ...] = ("easy", "medium", "hard", "extreme", "nightmare")
    has_undo = True

    def parse_layout(self, data: JsonObject) -> Layout:
        """Read one layout."""
        return parse_layout(data)

    def initial_state(self, layout: Layout) -> State:
        """Return the board as the level starts."""
        return rules.initial_state(layout)

    def legal_moves(self, state: State) -> tuple[Transfer, ...]:
        """Return all transfers."""
        return rules.legal_moves(state)

    def step(self, state: State, move: Transfer) -> State:
        """Return the board after a transfer."""
        return rules.step(state, move)

    def is_won(self, state: State) -> bool:
        """Tell whether every bolt with nuts is full and of one colour."""
        return rules.is_won(state)

    def potential(self, state: State) -> float:
        """Return the share of nuts on the largest pure stack of their colour."""
        return rules.potential(state)

    def state_to_json(self, state: State) -> JsonObject:
        """Return the nuts on each bolt."""
        return rules.state_to_json(state)

    def state_from_json(self, layout: Layout, data: JsonObject) -> State:
        """Invert `state_to_json`."""
        return rules.state_from_json(layout, data)

    def move_to_json(self, move: Transfer) -> JsonValue:
        """Return `[source, destination]`."""
        return rules.move_to_json(move)

    def move_from_json(self, data: JsonValue) -> Transfer:
        """Invert `move_to_json`."""
        return rules.move_from_json(data)

    def scene(self, table: Table) -> JsonObject:
        """Return what a player sees."""
        return stage.scene(table)

    def react(self, table: Table, gesture: Gesture) -> Reaction:
        """Turn a gesture into a lift, a transfer or a note."""
        return stage.react(table, gesture)

    def gestures(self, table: Table, move: Transfer) -> tuple[Gesture, ...]:
        """Return the taps that perform a transfer."""
        return stage.gestures(table, move)

    def options(self, scene: JsonObject) -> tuple[Option, ...]:
        """Return the transfers that the picture shows to be possible."""
        return sight.options(scene)

    def texts(self, language: Literal["en", "zh"]) -> Mapping[str, Any]:
        """Return the game's texts."""
        return read_texts(Path(__file__).parent, language)


GAME: Game = NutAndBolt()
