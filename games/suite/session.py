"""The whole suite for one player, without a browser: a thin lock around the pure reducer."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from typing import get_args

from games.catalogue import Catalogue
from games.contract import Gesture, JsonObject, JsonValue, LevelId
from games.suite.picture import picture_of
from games.suite.reducer import handle, placed
from games.suite.snapshot import Snapshot, Transition
from games.suite.state import SuiteState, Unlock, snapshot_of
from games.suite.texts import Instructions, Language


class SuiteSession:
    """One player's suite. All methods may be called from any thread.

    Raises:
        ValueError: the language, the amount of instructions or what is unlocked is none of the suite's.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        language: Language = "en",
        *,
        animate: bool = True,
        instructions: Instructions = "brief",
        unlock: Unlock = "all",
    ) -> None:
        asked = (
            ("language", language, Language),
            ("instructions", instructions, Instructions),
            ("unlock", unlock, Unlock),
        )
        for name, found, known in asked:
            if found not in get_args(known):
                raise ValueError(f"{name}: wanted one of {', '.join(get_args(known))}, got {found!r}")
        self.id = secrets.token_urlsafe(24)
        self.catalogue = catalogue
        self.animate = animate
        """Whether the page plays motions; False is the stepped clock: settled scenes only."""
        self.fault: Exception | None = None
        """The exception a gesture ended with, if the suite itself is at fault; the session is over then."""
        self._lock = threading.RLock()
        self._state = SuiteState(language=language, instructions=instructions, unlock=unlock)
        self._transitions: list[Transition] = []
        self._held = False
        self._listeners: list[Callable[[], None]] = []

    def gesture(self, gesture: Gesture) -> None:
        """Let the player do something; dropped while the session is held."""
        with self._lock:
            if self._held:
                return
            try:
                self._advance(handle(self.catalogue, self._state, gesture))
            except Exception as error:
                self.fault = error
                raise

    def picture(self) -> dict[str, JsonValue]:
        """Return everything a player sees; `motion` is how the latest gesture got there."""
        with self._lock:
            return picture_of(self.catalogue, self._state)

    def snapshot(self) -> Snapshot:
        """Return what the evaluator sees."""
        with self._lock:
            return snapshot_of(self.catalogue, self._state)

    def transitions(self, since: int = 0) -> tuple[Transition, ...]:
        """Return the transitions from index `since` on, in order. Raises ValueError if `since` is negative."""
        if since < 0:
            raise ValueError(f"since: wanted an index from 0, got {since}")
        with self._lock:
            return tuple(self._transitions[since:])

    @property
    def look(self) -> str:
        """What decides the words on the screen: its language and how much of the instructions it shows."""
        with self._lock:
            return f"{self._state.language}-{self._state.instructions}"

    @property
    def seq(self) -> int:
        """The number of the current picture."""
        with self._lock:
            return self._state.seq

    can_place = True
    """A board can be set; a session in which none can gets there by the prefix."""

    def begin(self, level: LevelId) -> None:
        """Hear which level a replayed prefix will open: it does so through the menus."""

    def place(
        self,
        level: LevelId,
        state_json: JsonObject,
        *,
        won_levels: Sequence[LevelId] = (),
        history: Sequence[JsonObject] = (),
    ) -> None:
        """Put a board into play, nothing held, no message; works while held.

        Args:
            level: the level the board belongs to.
            state_json: its state in the form of `Game.state_to_json`.
            won_levels: the levels to mark as won.
            history: the states before each move that undo shall take back, oldest first.

        Raises:
            KeyError: there is no such level.
            ValueError: a state is not of its game's form.
        """
        with self._lock:
            self._advance(placed(self.catalogue, self._state, level, state_json, tuple(won_levels), tuple(history)))

    def hold(self) -> None:
        """Drop all gestures until `release`."""
        with self._lock:
            self._held = True

    def release(self) -> None:
        """Take gestures again."""
        with self._lock:
            self._held = False

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change, on the thread that made it; return a function that ends this."""
        with self._lock:
            self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _advance(self, state: SuiteState) -> None:
        self._state = state
        self._transitions.extend(state.fresh)
        for listener in tuple(self._listeners):
            listener()
