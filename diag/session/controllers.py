"""Deterministic controllers (protocol 5): entry and verified advancement (P1), restart after a certified dead end.

They see the evaluator's snapshot and the visible controls, act by clicks on visible controls, and make no move on a
board. A control that should be there and is not, or a click that changes nothing, is a failure of the apparatus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from diag.records import InfrastructureFailure
from diag.session.actions import Action, parse_action
from diag.session.workflow import Workflow
from games.contract import JsonObject, LevelId
from games.registry import game_named
from games.suite.snapshot import Snapshot

FAILURE = "controller"
ENTRY, ADVANCE, RESTART = "entry", "advance", "restart"


@dataclass
class EntryAndAdvance:
    """Opens the objective's first unsolved level from wherever the session is, and the next one after each win."""

    levels: Sequence[LevelId]
    name: str = "entry_and_advance"
    _last: tuple[object, ...] | None = field(default=None, init=False)

    def next_action(self, snapshot: Snapshot, picture: JsonObject) -> tuple[str, Action] | None:
        """Return the next click on the menus, or None while a board of the objective is to be played.

        Raises:
            InfrastructureFailure: the wanted control is not on the screen, or the last click had no effect.
        """
        chosen = self._chosen(snapshot, picture)
        if chosen is None:
            self._last = None
            return None
        what, control_id = chosen
        action = click_on(control_id, picture, self.name)
        place = (control_id, snapshot.screen, str(snapshot.level), snapshot.state_digest, picture.get("dialog") is None)
        if place == self._last:
            raise InfrastructureFailure(FAILURE, f"{self.name}: a click on {control_id} changed nothing")
        self._last = place
        return what, action

    def _chosen(self, snapshot: Snapshot, picture: JsonObject) -> tuple[str, str] | None:
        left = [level for level in self.levels if level not in snapshot.won_levels]
        if not left:
            return None
        if snapshot.screen != "playing":
            return ENTRY, self._menu(snapshot, picture, left[0])
        if snapshot.level not in self.levels:
            return ENTRY, "home"
        if not snapshot.won:
            return None
        following = list(self.levels)[self.levels.index(snapshot.level) + 1 :]
        if following[:1] == left[:1] and _control(picture, "next_level") is not None:
            return ADVANCE, "next_level"
        return ADVANCE, "close_dialog" if _control(picture, "levels") is None else "levels"

    def _menu(self, snapshot: Snapshot, picture: JsonObject, level: LevelId) -> str:
        if snapshot.screen == "home":
            return f"game:{level.game}"
        if snapshot.screen == "difficulties":
            wanted = f"difficulty:{level.difficulty}"
            return wanted if _control(picture, wanted) is not None and _shows(picture, level.game) else "home"
        wanted = f"level:{level.number}"
        right = _shows(picture, level.game) and _shows_difficulty(picture, level)
        return wanted if right and _control(picture, wanted) is not None else "home"


@dataclass
class RestartAfterDeadEnd:
    """Restarts the level when the board in play carries its game's dead-end certificate."""

    is_certified: Callable[[LevelId, JsonObject], bool]
    name: str = "restart_after_dead_end"

    def next_action(self, snapshot: Snapshot, picture: JsonObject) -> tuple[str, Action] | None:
        """Return a click on the restart button. Raises InfrastructureFailure if there is none."""
        if snapshot.screen != "playing" or snapshot.won or snapshot.level is None or snapshot.state is None:
            return None
        if not self.is_certified(snapshot.level, snapshot.state):
            return None
        return RESTART, click_on("restart", picture, self.name)


@dataclass
class InTurn:
    """Several controllers as one: the first that has something to do acts."""

    parts: Sequence[Workflow]
    name: str = "controllers"

    def next_action(self, snapshot: Snapshot, picture: JsonObject) -> tuple[str, Action] | None:
        """Return the first controller's action, or None if none has one."""
        found = (part.next_action(snapshot, picture) for part in self.parts)
        return next((one for one in found if one is not None), None)


def click_on(control_id: str, picture: JsonObject, name: str) -> Action:
    """Return a click on the middle of a visible control. Raises InfrastructureFailure naming it if it is not there."""
    control = _control(picture, control_id)
    if control is None:
        raise InfrastructureFailure(
            FAILURE, f"{name}: no control {control_id!r} on the screen {picture.get('screen')!r}"
        )
    x, y, width, height = control["rect"]
    return parse_action({"name": "click", "x": round(x + width / 2), "y": round(y + height / 2)})


def _control(picture: JsonObject, control_id: str) -> JsonObject | None:
    controls = picture.get("controls", ())
    return next((one for one in controls if one["id"] == control_id and one.get("enabled", True)), None)


def _shows(picture: JsonObject, game: str) -> bool:
    return picture.get("game") in (None, game)


def _shows_difficulty(picture: JsonObject, level: LevelId) -> bool:
    """Tell whether the level menu is that of the level's difficulty, by its visible heading."""
    label = str(game_named(level.game).texts(picture["language"])["difficulties"][level.difficulty])
    return str(picture.get("subtitle") or "").split(" · ", maxsplit=1)[0] == label
