"""A session with somebody else's page: what the evaluator has read of it so far. `games.web.page` drives the page."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.catalogue import Catalogue
from games.contract import Gesture, JsonObject, LevelId
from games.digest import state_digest
from games.suite.snapshot import Snapshot, Transition, TransitionKind
from games.web.adapter import Adapter


@dataclass(frozen=True)
class Seen:
    """One reading of a page."""

    state: JsonObject
    won: bool
    progress: float
    moves: tuple[JsonObject, ...]


class WebSession:
    """Has what an attempt and the checkpoint controller use of `games.suite.session.SuiteSession`."""

    look = "en-brief"
    """A page has one look, the one that its stored pictures show."""
    fault: Exception | None = None

    def __init__(self, adapter: Adapter, catalogue: Catalogue) -> None:
        self.id = secrets.token_urlsafe(24)
        self.adapter = adapter
        self.catalogue = catalogue
        self.level = LevelId(adapter.name, "page", 1)
        self.put: Callable[[JsonObject], None] | None = None
        """Puts the page into a state; given by the page."""
        self.steady: Callable[[], None] | None = None
        """Makes what comes next the same by whichever way the state was reached; given by the page."""
        self._seen: Seen | None = None
        self._away = False
        self._transitions: list[Transition] = []
        self._lock = threading.RLock()

    @property
    def can_place(self) -> bool:
        """Whether a state can be set."""
        return self.adapter.set is not None

    @property
    def seq(self) -> int:
        """The number of the newest reading."""
        with self._lock:
            return len(self._transitions)

    def saw(self, seen: Seen | None, *, placed: bool = False) -> None:
        """Take a reading; None: the page has been left, and there is no state to read."""
        with self._lock:
            if seen is None:
                if self._seen is not None and not self._away:
                    self._append("leave", self._seen)
                self._away = True
                return
            kind: TransitionKind = "placed" if placed else "enter" if self._away or self._seen is None else "move"
            changed = self._seen is None or seen.state != self._seen.state or seen.won != self._seen.won
            self._seen, back, self._away = seen, self._away, False
            if changed or placed or back:
                self._append(kind, seen)

    def _append(self, kind: TransitionKind, seen: Seen) -> None:
        index = len(self._transitions)
        self._transitions.append(Transition(index, kind, self.level, None, seen.state, seen.won, seen.progress))

    def begin(self, level: LevelId) -> None:
        """Say which start this session stands for; what was read so far belongs to it."""
        with self._lock:
            self.level = level
            self._transitions = [replace(one, level=level) for one in self._transitions]

    def snapshot(self) -> Snapshot:
        """Return what the evaluator sees."""
        with self._lock:
            n_transitions, seen = len(self._transitions), self._seen
            if seen is None or self._away:
                return Snapshot("home", None, None, None, None, False, None, (), n_transitions)
            digest = state_digest(self.level, seen.state)
            won = (self.level,) if seen.won else ()
            return Snapshot(
                "playing", self.level, seen.state, digest, None, seen.won, seen.progress, won, n_transitions
            )

    def transitions(self, since: int = 0) -> tuple[Transition, ...]:
        """Return the transitions from index `since` on, in order."""
        with self._lock:
            return tuple(self._transitions[since:])

    def picture(self) -> dict[str, Any]:
        """Return what a simulated agent sees: what can be done, where the adapter says so."""
        with self._lock:
            seen = self._seen
            moves = [] if seen is None or self._away else list(seen.moves)
            return {
                "screen": "playing",
                "language": "en",
                "controls": [],
                "title": self.adapter.title,
                "subtitle": "",
                "instructions": [],
                "note": None,
                "dialog": None,
                "motion": None,
                "seq": len(self._transitions),
                "game": self.adapter.name,
                "board": {"moves": moves},
            }

    def place(
        self,
        level: LevelId,
        state_json: JsonObject,
        *,
        won_levels: Sequence[LevelId] = (),
        history: Sequence[JsonObject] = (),
    ) -> None:
        """Put the page into a state."""
        del won_levels, history
        assert self.put is not None, "a session with a page"
        self.begin(level)
        self.put(state_json)

    def hold(self) -> None:
        """Make what comes next the same for everybody; nobody acts before the first screenshot."""
        if self.steady is not None:
            self.steady()

    def release(self) -> None:
        """Let the player's input through, which it always is."""

    def gesture(self, gesture: Gesture) -> None:
        """A page takes real events alone. Raises RuntimeError."""
        raise RuntimeError(f"a page takes real events alone, found {gesture}")
