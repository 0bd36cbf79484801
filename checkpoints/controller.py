"""The checkpoint controller: puts a session into a certified state and proves that it is there.

Two ways lead to a checkpoint. `replay` performs its legal prefix from the home screen; `fast` sets the board, in time
independent of the prefix's length. They are equivalent: same state, same legal moves, same successors, same pixels
(`checkpoints.verify` shows it for every shipped checkpoint, in the browser). Whichever was taken, the restored state is
compared with the certified one before anybody may act on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from checkpoints.store import Checkpoint
from games.contract import Drag, Gesture, JsonObject, KeyPress, LevelId, Tap
from games.picture import decoded_digest
from games.registry import game_named
from games.suite.page import SuitePage
from games.suite.session import SuiteSession

RestorePath = Literal["fast", "replay"]
PICTURED_LOOK = "en-brief"
"""The look of a session (`SuiteSession.look`) that stored pictures and pixel digests show."""


class RestorationFailure(RuntimeError):
    """The session is not in the certified state after a restore; the message names what was found and wanted."""


@dataclass(frozen=True)
class Restored:
    """Proof that a session stands at a checkpoint."""

    checkpoint_id: str
    path: RestorePath
    state_digest: str
    screenshot_png: bytes
    """The settled screen; empty without a page."""
    pixels_digest: str | None
    """SHA-256 of its decoded RGB; None without a page."""
    pixels_known: bool
    """Whether the checkpoint holds a digest for this browser build, which then was compared."""


def restore(
    session: SuiteSession,
    checkpoint: Checkpoint,
    page: SuitePage | None = None,
    *,
    path: RestorePath = "fast",
    browser_build: str | None = None,
) -> Restored:
    """Bring a fresh session to a checkpoint and check that it is there.

    The board is held while it is restored and until the caller releases the session, so nothing can act on it before
    the first screenshot is taken.

    Args:
        session: a session at its home screen.
        checkpoint: where to go.
        page: the browser page of the session; None restores the rules alone.
        path: `fast` sets the board where the session can, `replay` performs the legal prefix.
        browser_build: name under which the checkpoint may know the pixels of this browser; they are compared where the
            session's screen has the words that the stored one has.

    Raises:
        RestorationFailure: state or pixels differ from the certified ones.
    """
    if path == "fast" and session.can_place and checkpoint.provenance.get("restored_by") != "replay":
        session.place(
            checkpoint.level, checkpoint.state, won_levels=_won_before(checkpoint), history=_undo_history(checkpoint)
        )
    else:
        session.begin(checkpoint.level)
        for turn in checkpoint.prefix:
            perform(session, page, turn.action)
    session.hold()
    found = session.snapshot().state_digest
    if found != checkpoint.state_digest:
        raise RestorationFailure(
            f"{checkpoint.checkpoint_id} ({path}): state {found}, wanted {checkpoint.state_digest}"
        )
    if page is None:
        return Restored(checkpoint.checkpoint_id, path, checkpoint.state_digest, b"", None, pixels_known=False)
    page.settle()
    screenshot = page.screenshot()
    pixels = decoded_digest(screenshot)
    wanted = known_pixels(checkpoint.pixels, session, browser_build)
    if wanted is not None and pixels != wanted:
        raise RestorationFailure(f"{checkpoint.checkpoint_id} ({path}): pixels {pixels}, wanted {wanted}")
    return Restored(
        checkpoint.checkpoint_id, path, checkpoint.state_digest, screenshot, pixels, pixels_known=wanted is not None
    )


def known_pixels(pixels: Mapping[str, str], session: SuiteSession, browser_build: str | None) -> str | None:
    """Return the stored digest for a browser build; None if there is none, or if the screen shows other words."""
    return pixels.get(browser_build or "") if session.look == PICTURED_LOOK else None


def pictures_along(session: SuiteSession, page: SuitePage, checkpoint: Checkpoint) -> dict[str, bytes]:
    """Replay a prefix on a fresh session and return what it shows: stored name of a picture -> PNG of that moment.

    For screens with other words than the stored pictures have (`PICTURED_LOOK`).
    """
    found: dict[str, bytes] = {}
    for turn in checkpoint.prefix:
        if turn.picture is not None:
            found.setdefault(turn.picture, page.screenshot())
        perform(session, page, turn.action)
    return found


def _won_before(checkpoint: Checkpoint) -> tuple[LevelId, ...]:
    """Return the levels that the prefix won on its way, which menus and the page's header show."""
    return tuple(LevelId.parse(name) for name in checkpoint.provenance.get("won_levels", ()))


def _undo_history(checkpoint: Checkpoint) -> tuple[JsonObject, ...]:
    """Return the states that undo would go back through; none in a game without undo."""
    game = game_named(checkpoint.level.game)
    if not game.has_undo:
        return ()
    states = [game.initial_state(game.parse_layout(checkpoint.layout))]
    for move in checkpoint.moves:
        states.append(game.step(states[-1], game.move_from_json(move)))
    return tuple(game.state_to_json(state) for state in states[:-1])


def perform(session: SuiteSession, page: SuitePage | None, action: JsonObject) -> None:
    """Perform one GUI action of a prefix: with real pointer and key events on a page, else on the session itself.

    Raises:
        ValueError: the action is of a kind no prefix holds.
    """
    if page is None:
        session.gesture(gesture_of(action))
        return
    given = {name: value for name, value in action.items() if name != "name"}
    match action["name"]:
        case "click" | "double_click" | "long_press" | "drag" | "swipe" | "scroll" | "key":
            getattr(page, "drag" if action["name"] == "swipe" else action["name"])(**given)
        case "type":
            page.type_text(action["text"])
        case other:
            raise ValueError(f"a prefix holds gestures, got {other!r}")


def gesture_of(action: JsonObject) -> Gesture:
    """Return what a hand does for a GUI action in JSON form. Raises ValueError for waits, text and answers."""
    match action["name"]:
        case "click":
            return Tap(action["x"], action["y"])
        case "drag" | "swipe":
            return Drag(action["x"], action["y"], action["x2"], action["y2"])
        case "key":
            return KeyPress(action["key"])
        case other:
            raise ValueError(f"a prefix holds clicks, drags, swipes and keys, got {other!r}")


def action_of(gesture: Gesture) -> dict[str, str | int]:
    """Return the GUI action that makes a gesture, on whole pixels. Inverse of `gesture_of` for whole-pixel gestures."""
    match gesture:
        case Tap(x, y):
            return {"name": "click", "x": round(x), "y": round(y)}
        case Drag(x0, y0, x1, y1):
            return {"name": "drag", "x": round(x0), "y": round(y0), "x2": round(x1), "y2": round(y1)}
        case KeyPress(key):
            return {"name": "key", "key": key}
