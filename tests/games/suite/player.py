"""A player who sees only what a session shows, and performs it on a session or on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hand import perform

from games.contract import Gesture, Rect, Tap
from games.suite.page import SuitePage
from games.suite.session import SuiteSession

Do = Callable[[Gesture], None]


def control(session: SuiteSession, control_id: str) -> dict[str, Any]:
    return next(item for item in session.picture()["controls"] if item["id"] == control_id and item["enabled"])


def ids(session: SuiteSession) -> list[str]:
    return [item["id"] for item in session.picture()["controls"]]


def middle(session: SuiteSession, control_id: str) -> Tap:
    rect = Rect(*control(session, control_id)["rect"])
    return Tap(round(rect.x + rect.width / 2), round(rect.y + rect.height / 2))


def press(session: SuiteSession, *control_ids: str, do: Do | None = None) -> None:
    for control_id in control_ids:
        (do or session.gesture)(middle(session, control_id))


def on_page(page: SuitePage) -> Do:
    return partial(perform, page)


def play_moves(session: SuiteSession, moves: Sequence[Any], do: Do | None = None) -> None:
    """Perform moves, given in JSON form, by the gestures that the picture offers for them."""
    game = session.catalogue.games[session.picture()["game"]]
    for move in moves:
        option = next(item for item in game.options(session.picture()["board"]) if item.move == move)
        for gesture in option.gestures:
            (do or session.gesture)(gesture)
