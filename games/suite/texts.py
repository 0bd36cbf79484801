"""All words a player reads, in two languages: the suite's own and each game's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from games.contract import Game

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
Instructions = Literal["brief", "full", "none"]
"""What stands beside a board: the goal and the gesture, every rule as well, or nothing."""


@cache
def read_texts(folder: Path, language: Language) -> Mapping[str, Any]:
    """Return the table in `<folder>/texts/<language>.json`. Raises OSError, json.JSONDecodeError."""
    table: Mapping[str, Any] = json.loads((folder / "texts" / f"{language}.json").read_text(encoding="utf-8"))
    return table


def suite_text(language: Language, key: str, **values: object) -> str:
    """Return one of the suite's own texts, filled in. Raises KeyError."""
    template: str = read_texts(Path(__file__).parent, language)[key]
    return template.format(**values)


def note_text(game: Game, language: Language, key: str, values: Mapping[str, Any]) -> str:
    """Return a game's message; values that are keys of the table's `words` are translated. Raises KeyError."""
    table = game.texts(language)
    words = table.get("words", {})
    values = {name: words.get(value, value) for name, value in values.items()}
    template: str = table["notes"][key]
    return template.format(**values)


def instructions_of(game: Game, language: Language, amount: Instructions) -> list[str]:
    """Return the sentences that stand beside a game's board. Raises KeyError."""
    match amount:
        case "brief":
            return list(game.texts(language)["brief"])
        case "full":
            return list(game.texts(language)["instructions"])
        case "none":
            return []


def difficulty_label(game: Game, language: Language, difficulty: str) -> str:
    """Return the menu name of a difficulty. Raises KeyError."""
    label: str = game.texts(language)["difficulties"][difficulty]
    return label
