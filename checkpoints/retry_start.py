"""Where a retry begins: a source failure is restored, and its level restarted by the visible button.

The restart is verified before anybody may act: the board is the level's initial one, it is not won, and on a known
browser build its picture is the stored one. The session is held from then on until its first screenshot was taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from checkpoints.controller import RestorationFailure, RestorePath, known_pixels, perform, restore
from checkpoints.store import Checkpoint
from games.digest import state_digest
from games.picture import decoded_digest
from games.registry import game_named
from games.suite.page import SuitePage
from games.suite.session import SuiteSession


@dataclass(frozen=True)
class Restarted:
    """Proof that a session stands at the start of a retry."""

    checkpoint_id: str
    state_digest: str
    pixels_digest: str | None
    """SHA-256 of the decoded RGB of the settled screen; None without a page."""
    screenshot_png: bytes = b""
    """The settled screen; empty without a page."""


def initial_digest(checkpoint: Checkpoint) -> str:
    """Return the digest of the board that a native restart gives back."""
    game = game_named(checkpoint.level.game)
    state = game.initial_state(game.parse_layout(checkpoint.layout))
    return state_digest(checkpoint.level, game.state_to_json(state))


def restore_and_restart(
    session: SuiteSession,
    checkpoint: Checkpoint,
    page: SuitePage | None = None,
    *,
    path: RestorePath = "fast",
    browser_build: str | None = None,
) -> Restarted:
    """Bring a fresh session to the failed board, restart the level natively, and check where that led.

    Raises:
        RestorationFailure: the failed board could not be restored, there is no restart button, or the board after it
            is not the level's initial one, or not drawn as stored.
    """
    restore(session, checkpoint, page, path=path, browser_build=browser_build)
    session.release()
    _press_restart(session, checkpoint, page)
    session.hold()
    found, wanted = session.snapshot(), initial_digest(checkpoint)
    if found.state_digest != wanted or found.level != checkpoint.level or found.won:
        shown = f"{found.level} stands at {found.state_digest}"
        raise RestorationFailure(f"{checkpoint.checkpoint_id}: after the restart {shown}, wanted {wanted}")
    if page is None:
        return Restarted(checkpoint.checkpoint_id, wanted, None)
    page.settle()
    screenshot = page.screenshot()
    pixels = decoded_digest(screenshot)
    known = known_pixels(checkpoint.provenance.get("restart", {}).get("pixels", {}), session, browser_build)
    if known is not None and pixels != known:
        raise RestorationFailure(f"{checkpoint.checkpoint_id}: pixels after the restart {pixels}, wanted {known}")
    return Restarted(checkpoint.checkpoint_id, wanted, pixels, screenshot)


def _press_restart(session: SuiteSession, checkpoint: Checkpoint, page: SuitePage | None) -> None:
    button = next((one for one in session.picture()["controls"] if one["id"] == "restart"), None)
    if button is None or not button.get("enabled", True):
        raise RestorationFailure(f"{checkpoint.checkpoint_id}: no restart button on the screen of {checkpoint.level}")
    x, y, width, height = button["rect"]
    perform(session, page, {"name": "click", "x": round(x + width / 2), "y": round(y + height / 2)})
