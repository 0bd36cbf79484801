"""What a player sees at one decision: the visible scene, the controls, the words of its context. Nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from diag.agents.simulated.reading import Reading, read
from diag.session.contract import Observation
from games.contract import BOARD, Game, JsonObject, Option, Rect, Tap
from games.registry import game_named


@dataclass(frozen=True)
class Control:
    """A button or card on the screen."""

    id: str
    label: str
    rect: Rect
    marked: bool
    """Shown as solved."""

    def tap(self) -> Tap:
        """Return a tap on its middle."""
        return Tap(self.rect.x + self.rect.width / 2, self.rect.y + self.rect.height / 2)


@dataclass(frozen=True)
class View:
    """One look at the screen."""

    observation: Observation

    @property
    def picture(self) -> JsonObject:
        """Everything visible, as the suite drew it. Raises ValueError for an observation without a scene."""
        if self.observation.scene is None:
            raise ValueError("this player reads the visible scene, and the observation holds none")
        return self.observation.scene

    @cached_property
    def controls(self) -> tuple[Control, ...]:
        """What can be clicked now."""
        found = (item for item in self.picture.get("controls", ()) if item.get("enabled", True))
        return tuple(Control(item["id"], item["label"], Rect(*item["rect"]), bool(item.get("mark"))) for item in found)

    def control(self, control_id: str) -> Control | None:
        """Return a control by what it is for."""
        return next((item for item in self.controls if item.id == control_id), None)

    def controls_like(self, prefix: str) -> tuple[Control, ...]:
        """Return the controls of one family: `game:`, `difficulty:`, `level:`."""
        return tuple(item for item in self.controls if item.id.startswith(prefix))

    @property
    def instruction(self) -> str:
        """The task as the context states it."""
        return self.observation.context.instruction

    @property
    def memory(self) -> str:
        """What it remembers in words from before; empty without."""
        return self.observation.context.memory or ""

    @cached_property
    def reading(self) -> Reading:
        """What the context tells about the board: instruction and memory."""
        context = self.observation.context
        text = "\n".join(part for part in (context.instruction, context.memory) if part)
        return read(text, (item.label for item in self.controls))

    @property
    def screen(self) -> str:
        """home, difficulties, levels or playing."""
        screen: str = self.picture["screen"]
        return screen

    @property
    def complete(self) -> bool:
        """A way on is offered: the level is shown as complete."""
        return bool(self.picture.get("dialog")) or self.control("next_level") is not None

    @property
    def game(self) -> Game:
        """The game whose board is shown."""
        return game_named(self.picture["game"])

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The moves that can be read off the board; empty without a board."""
        board = self.picture.get("board")
        return () if board is None else self.game.options(board)

    @property
    def shows_mistake(self) -> bool:
        """The message line says that something was not possible."""
        note = self.picture.get("note")
        return note is not None and note.get("tone") == "mistake"

    @cached_property
    def marks(self) -> tuple[tuple[float, float], ...]:
        """Places on the board where something is drawn: every point the scene names inside the board."""
        found = {point for point in _points(self.picture.get("board")) if BOARD.contains(*point)}
        return tuple(sorted(found))


def _points(value: Any) -> Iterator[tuple[float, float]]:
    """Yield every (x, y) in a scene: objects with numbers x and y, at any depth."""
    if isinstance(value, dict):
        x, y = value.get("x"), value.get("y")
        if isinstance(x, int | float) and isinstance(y, int | float):
            yield float(x), float(y)
        for item in value.values():
            yield from _points(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _points(item)
