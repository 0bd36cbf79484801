"""A hand on a page: gestures made with the mouse or the keyboard."""

from __future__ import annotations

from games.contract import Drag, Gesture, Tap
from games.suite.page import SuitePage


def perform(page: SuitePage, gesture: Gesture) -> None:
    """Make a gesture on whole pixels."""
    if isinstance(gesture, Tap):
        page.click(round(gesture.x), round(gesture.y))
    elif isinstance(gesture, Drag):
        page.drag(round(gesture.x0), round(gesture.y0), round(gesture.x1), round(gesture.y1))
    else:
        page.key(gesture.key)
