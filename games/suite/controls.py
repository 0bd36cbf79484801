"""The buttons, cards and dialog of each screen: where they are, what they say, which one a point hits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from games.catalogue import Catalogue
from games.contract import BOARD, Game, JsonObject, JsonValue, LevelId, Rect, Table
from games.suite.state import SuiteState, game_in_play, is_complete
from games.suite.texts import difficulty_label, suite_text

Style = Literal["bar", "primary", "plain", "card", "level"]

SIDE = Rect(904, 96, 336, 784)
"""The panel beside the board: title, instructions, message line."""
DIALOG = Rect(SIDE.x, SIDE.y + SIDE.height - 300, SIDE.width, 300)
"""The win dialog, over the message line: the board stays in sight."""
NEXT_BUTTON = Rect(SIDE.x + 24, SIDE.y + SIDE.height - 84, SIDE.width - 48, 60)
"""Where "next level" is when a complete level's dialog was closed."""


@dataclass(frozen=True)
class Control:
    """Something to click. Among the enabled controls of a screen no two have the same id."""

    id: str
    label: str
    rect: Rect
    style: Style
    enabled: bool = True
    detail: str = ""
    """A second line."""
    count: str = ""
    """Levels solved and levels there are, as in 3/8."""
    mark: bool = False
    """Everything behind it is solved."""
    preview: LevelId | None = None
    """The level whose first board the card shows."""

    def to_json(self, catalogue: Catalogue) -> dict[str, JsonValue]:
        """Return the control as the picture carries it."""
        return {
            "id": self.id,
            "label": self.label,
            "rect": list(self.rect),
            "enabled": self.enabled,
            "style": self.style,
            "detail": self.detail,
            "count": self.count,
            "mark": self.mark,
            "preview": None if self.preview is None else preview(catalogue, self.preview),
        }


def preview(catalogue: Catalogue, level: LevelId) -> JsonObject:
    """Return the scene of a level's first board, as anybody who opens the level sees it."""
    game = catalogue.games[level.game]
    return {"game": level.game, "scene": game.scene(Table(game.initial_state(catalogue.layout(level))))}


def controls_of(catalogue: Catalogue, state: SuiteState) -> tuple[Control, ...]:
    """Return everything that can be clicked now, topmost last; while the dialog is open nothing else is enabled."""
    match state.screen:
        case "home":
            return _home(catalogue, state)
        case "difficulties":
            return (_home_button(state), *_difficulties(catalogue, state))
        case "levels":
            return (_home_button(state), *_levels(catalogue, state))
        case "playing":
            return _playing(catalogue, state)


def control_at(controls: Iterable[Control], x: float, y: float) -> Control | None:
    """Return the topmost enabled control at a point."""
    hits = [control for control in controls if control.enabled and control.rect.contains(x, y)]
    return hits[-1] if hits else None


def grid(count: int, columns: int, area: Rect, gap: float, height_limit: float) -> list[Rect]:
    """Return `count` equal cells in rows of `columns`, centred in `area`, `gap` pixels apart."""
    columns = max(1, min(columns, count))
    rows = -(-count // columns)
    width = (area.width - gap * (columns - 1)) / columns
    height = min(height_limit, (area.height - gap * (rows - 1)) / max(rows, 1))
    return [
        Rect(area.x + (k % columns) * (width + gap), area.y + (k // columns) * (height + gap), width, height)
        for k in range(count)
    ]


def _home(catalogue: Catalogue, state: SuiteState) -> tuple[Control, ...]:
    names = tuple(catalogue.games)
    columns = 3 if len(names) <= 6 else 4
    cells = grid(len(names), columns, Rect(40, 124, 1200, 752), 24, 364)
    language = Control("language", suite_text(state.language, "language"), Rect(1104, 28, 136, 56), "bar")
    return (language, *(_game_card(catalogue, state, name, cell) for name, cell in zip(names, cells, strict=True)))


def _game_card(catalogue: Catalogue, state: SuiteState, name: str, cell: Rect) -> Control:
    game = catalogue.games[name]
    levels = [level.id for level in catalogue.entries if level.id.game == name]
    texts = game.texts(state.language)
    return _card(f"game:{name}", texts["title"], cell, levels, state, detail=texts.get("tagline", ""))


def _difficulties(catalogue: Catalogue, state: SuiteState) -> tuple[Control, ...]:
    game = _menu_game(catalogue, state)
    names = catalogue.difficulties(game.name)
    width = min(1200.0, 384 * len(names) + 24 * (len(names) - 1))
    cells = grid(len(names), 5, Rect(640 - width / 2, 260, width, 420), 24, 400)
    return tuple(
        _card(
            f"difficulty:{name}",
            difficulty_label(game, state.language, name),
            cell,
            [level.id for level in catalogue.levels(game.name, name)],
            state,
        )
        for name, cell in zip(names, cells, strict=True)
    )


def _card(
    control_id: str, label: str, cell: Rect, levels: list[LevelId], state: SuiteState, detail: str = ""
) -> Control:
    won = len(set(levels) & set(state.won_levels))
    return Control(
        control_id,
        label,
        cell,
        "card",
        detail=detail or suite_text(state.language, "solved_count", won=won, total=len(levels)),
        count=f"{won}/{len(levels)}" if detail else "",
        mark=won == len(levels),
        preview=levels[len(levels) // 2],
    )


def _levels(catalogue: Catalogue, state: SuiteState) -> tuple[Control, ...]:
    game = _menu_game(catalogue, state)
    levels = catalogue.levels(game.name, str(state.difficulty))
    won = [level.id in state.won_levels for level in levels]
    last_open = len(levels) if state.unlock == "all" else [*won, False].index(False)
    columns = 5 if len(levels) <= 15 else 10
    width = min(1200.0, 160 * min(columns, len(levels)) + 24 * (columns - 1))
    cells = grid(len(levels), columns, Rect(640 - width / 2, 240, width, 600), 24, 150)
    return tuple(
        Control(
            f"level:{level.id.number}",
            str(level.id.number),
            cell,
            "level",
            enabled=place <= last_open,
            mark=level.id in state.won_levels,
        )
        for place, (level, cell) in enumerate(zip(levels, cells, strict=True))
    )


def _playing(catalogue: Catalogue, state: SuiteState) -> tuple[Control, ...]:
    game, free = game_in_play(catalogue, state), not state.on_board.dialog
    names = ["home", "levels", "restart"] + (["undo"] if game.has_undo else [])
    bar = tuple(
        Control(name, suite_text(state.language, name), Rect(40 + 152 * place, 24, 140, 56), "bar", enabled=free)
        for place, name in enumerate(names)
    )
    if not is_complete(catalogue, state):
        return bar
    if state.on_board.dialog:
        return bar + _dialog(catalogue, state)
    on = next_level(catalogue, state.on_board.level) is not None
    return bar + (_forward(catalogue, state, NEXT_BUTTON) if on else ())


def _dialog(catalogue: Catalogue, state: SuiteState) -> tuple[Control, ...]:
    row = DIALOG.y + DIALOG.height
    wide = Rect(DIALOG.x + 24, row - 144, DIALOG.width - 48, 60)
    close = suite_text(state.language, "close_dialog")
    return (
        *_forward(catalogue, state, wide),
        Control("close_dialog", close, Rect(DIALOG.x + 24, row - 72, DIALOG.width - 48, 48), "plain"),
    )


def _forward(catalogue: Catalogue, state: SuiteState, rect: Rect) -> tuple[Control, ...]:
    """The way on: the next level, or the level menu after the last one."""
    if next_level(catalogue, state.on_board.level) is not None:
        return (Control("next_level", suite_text(state.language, "next_level"), rect, "primary"),)
    return (Control("levels", suite_text(state.language, "all_levels"), rect, "primary"),)


def next_level(catalogue: Catalogue, level: LevelId) -> LevelId | None:
    """Return the level after this one in its objective, or None."""
    ids = [entry.id for entry in catalogue.levels(level.game, level.difficulty)]
    following = ids[ids.index(level) + 1 :]
    return following[0] if following else None


def _home_button(state: SuiteState) -> Control:
    return Control("home", suite_text(state.language, "home"), Rect(40, 24, 140, 56), "bar")


def _menu_game(catalogue: Catalogue, state: SuiteState) -> Game:
    return catalogue.games[str(state.game)]


def is_on_board(x: float, y: float) -> bool:
    """Tell whether a point belongs to the board rather than to the shell."""
    return BOARD.contains(x, y)
