"""Finds the way through the menus by the words of the task and the labels on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from diag.agents.simulated.phrases import say
from diag.agents.simulated.reading import mentions
from diag.agents.simulated.view import Control, View
from games.contract import Gesture
from games.registry import registered_games

Step = tuple[str, tuple[Gesture, ...], None, str | None]
"""Reason, gestures, no wait, answer: the leading fields of an `Intent`."""

_LEVEL_NUMBER = re.compile(r"\blevel (\d+)\b|第\s*(\d+)\s*关", re.IGNORECASE)


def navigate(view: View, rng: np.random.Generator, *, wander: float) -> Step | None:
    """Return the next step outside a board in play, or None if the board of the task is there to be played."""
    if view.screen == "playing":
        return _leave_or_go_on(view, rng)
    return _menu(view, rng, wander)


def _leave_or_go_on(view: View, rng: np.random.Generator) -> Step | None:
    """After a win go on; from a board that the task does not speak of go back."""
    if view.complete:
        forward = view.control("next_level") or view.control("levels") or view.control("close_dialog")
        return None if forward is None else (say("next", rng), (forward.tap(),), None, None)
    home = view.control("home")
    if home is not None and not _is_of_the_task(view):
        return say("navigate", rng), (home.tap(),), None, None
    return None


def _menu(view: View, rng: np.random.Generator, wander: float) -> Step:
    cards = view.controls_like("game:") or view.controls_like("difficulty:") or view.controls_like("level:")
    if not cards:
        return say("wait", rng), (), None, None
    if cards[0].id.startswith("level:"):
        wanted = _wanted_level(view, cards)
        if wanted is None:
            return say("done", rng), (), None, "All levels are complete."
    else:
        wanted = next((card for card in cards if mentions(view.instruction, card.label)), cards[0])
    if len(cards) > 1 and rng.random() < wander:
        others = tuple(card for card in cards if card is not wanted)
        wanted = others[int(rng.integers(len(others)))]
    return say("navigate", rng), (wanted.tap(),), None, None


def _wanted_level(view: View, cards: tuple[Control, ...]) -> Control | None:
    """Return the level the task names, else the first that is not marked as solved."""
    named = {first or second for first, second in _LEVEL_NUMBER.findall(view.instruction)}
    if len(named) == 1:
        return next((card for card in cards if card.label in named and not card.marked), None)
    return next((card for card in cards if not card.marked), None)


def _is_of_the_task(view: View) -> bool:
    """Tell whether the board belongs to the task; a task that names no game or difficulty is at home everywhere."""
    language = view.picture.get("language", "en")
    titles = [game.texts(language)["title"] for game in registered_games().values()]
    labels = view.game.texts(language)["difficulties"].values()
    shown = str(view.picture.get("subtitle") or "").split(" · ", maxsplit=1)[0]
    return _agrees(view.instruction, str(view.picture.get("title") or ""), titles) and _agrees(
        view.instruction, shown, labels
    )


def _agrees(text: str, shown: str, known: Iterable[str]) -> bool:
    """Tell whether the text mentions what is shown, or none of its kind."""
    return mentions(text, shown) or not any(mentions(text, label) for label in known)
