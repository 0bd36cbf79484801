"""Color Connect as the suite sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from games.color_connect import layout, rules, sight, stage
from games.contract import Game
from games.suite.texts import read_texts


class ColorConnect:
    """Connect every pair of equal dots by paths that do not cross."""

    name = "color_connect"
    difficulties: tuple[str, ...] = ("easy", "hard")
    has_undo = False

    parse_layout = staticmethod(layout.parse_layout)
    initial_state = staticmethod(rules.initial_state)
    legal_moves = staticmethod(rules.legal_moves)
    step = staticmethod(rules.step)
    is_won = staticmethod(rules.is_won)
    potential = staticmethod(rules.potential)
    state_to_json = staticmethod(rules.state_to_json)
    state_from_json = staticmethod(rules.state_from_json)
    move_to_json = staticmethod(rules.move_to_json)
    move_from_json = staticmethod(rules.move_from_json)
    scene = staticmethod(stage.scene)
    react = staticmethod(stage.react)
    gestures = staticmethod(stage.gestures)
    options = staticmethod(sight.options)

    def texts(self, language: Literal["en", "zh"]) -> Mapping[str, Any]:
        """Return title, instructions, difficulty names and note templates."""
        return read_texts(Path(__file__).parent, language)


GAME: Game = ColorConnect()
