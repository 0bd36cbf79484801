"""A client of the REST interface of ARC-AGI-3, on the loopback alone, with the interface's traps handled.

- The opening RESET is sent on making a `RemoteGame`; it is free.
- A RESET before an attempt's first action would begin the whole game again: it is refused here and never sent.
- After the end of a game other actions are answered with an error or with no frame; both are a refused observation that
  keeps the last known progress.
- The last frame of a level that an action completes is the one before the last (`Observation.frames`).
- If the connection breaks under an action, the client asks which step the server is at instead of sending it again.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from games.contract import JsonObject
from games.grid.actions import NAMES, RESET, UNDO, ActionError, GridAction
from games.grid.arcade.wire import NOT_STARTED, VALIDATION, WireError, command_body, observation_from
from games.grid.contract import Capabilities, Observation

LOOPBACK = ("127.0.0.1", "localhost", "::1")
FULL_RESET = "a RESET before the attempt's first action would begin the whole game again"


class ArcadeError(RuntimeError):
    """The server cannot be reached, or answered with an error or with something else; one line."""


class ArcadeClient:
    """Talks to one server, as one owner of cards. Not for several threads at once.

    Args:
        url: `http://127.0.0.1:PORT`.
        key: whose cards are opened.
        timeout_s: longest wait for an answer, in seconds.

    Raises:
        ArcadeError: another address than the loopback's.
    """

    def __init__(self, url: str, key: str = "local", *, timeout_s: float = 60.0) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or parts.hostname not in LOOPBACK or _port(url) is None:
            raise ArcadeError(f"server {url!r:.80}: wanted http://127.0.0.1:PORT")
        self.url, self._key = url, key
        self._connection = http.client.HTTPConnection(parts.hostname, _port(url), timeout=timeout_s)

    def games(self) -> tuple[str, ...]:
        """Return the ids of the games on offer."""
        return tuple(str(one["game_id"]) for one in self.ask("GET", "/api/games"))

    def open_card(self, *, competition: bool = False, tags: tuple[str, ...] = ()) -> str:
        """Open a scorecard and return its id."""
        asked = {"tags": list(tags), **({"competition_mode": True} if competition else {})}
        return str(self.ask("POST", "/api/scorecard/open", asked)["card_id"])

    def card(self, card_id: str) -> JsonObject:
        """Return an open scorecard with its scores so far."""
        found: JsonObject = self.ask("GET", f"/api/scorecard/{card_id}")
        return found

    def close_card(self, card_id: str) -> JsonObject:
        """Close a scorecard and return it with its scores; its plays are over."""
        found: JsonObject = self.ask("POST", "/api/scorecard/close", {"card_id": card_id})
        return found

    def play(self, game_id: str, card_id: str) -> RemoteGame:
        """Open a game by the RESET that is free."""
        return RemoteGame(self, game_id, card_id)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def ask(self, method: str, path: str, body: JsonObject | None = None) -> Any:
        """Send one request and return what it was answered with. Raises ArcadeError."""
        status, found = self.send(method, path, body)
        if status != 200:
            raise ArcadeError(f"{method} {path}: {status}, {_message(found)}")
        return found

    def send(self, method: str, path: str, body: JsonObject | None = None) -> tuple[int, Any]:
        """Send one request and return status and JSON. Raises ArcadeError: no answer, or one that is no JSON."""
        headers = {"X-API-Key": self._key, "Accept": "application/json", "Content-Type": "application/json"}
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            status, text = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise ArcadeError(f"{method} {self.url}{path}: no answer ({type(error).__name__}: {error})") from error
        try:
            return status, json.loads(text)
        except ValueError as error:
            raise ArcadeError(f"{method} {path}: {status}, got {text[:40]!r}, wanted JSON") from error


class RemoteGame:
    """A game on a server, in play. An `Environment`; it cannot be copied and has no rules state."""

    def __init__(self, client: ArcadeClient, game_id: str, card_id: str) -> None:
        self.client, self.name, self.card_id = client, game_id, card_id
        self.attempt_actions = 0
        data = client.ask("POST", "/api/cmd/RESET", {"game_id": game_id, "card_id": card_id})
        self.guid, self.step_index = str(data.get("guid")), _step(data, 0)
        self.observation = self._read(data, full_reset=True)
        self.capabilities = Capabilities(True, False, UNDO in self.observation.available_actions)

    @property
    def level_index(self) -> int:
        """Zero-based number of the level in play; of the last one once the game is won."""
        return min(self.observation.levels_completed, self.observation.n_levels - 1)

    def reset(self) -> Observation:
        """Take the action RESET."""
        return self.step(GridAction(RESET))

    def step(self, action: GridAction) -> Observation:
        """Take one action.

        Raises:
            ActionError: the server does not take it, or it is a RESET before the attempt's first action.
            ArcadeError: no answer, an error of the game, or an answer that is not the interface's.
        """
        last = self.observation
        if action.number == RESET and not self.attempt_actions:
            raise ActionError(FULL_RESET)
        if action.number != RESET and last.status != "playing":
            return replace(last, frames=(), full_reset=False)
        if action.number not in (RESET, *last.available_actions):
            names = ", ".join(NAMES[number] for number in (RESET, *last.available_actions))
            raise ActionError(f"{self.name}: got {action.name}, wanted one of {names}")
        data = self._sent(action)
        if data is None:
            return replace(last, frames=(), full_reset=False)
        seen = self._read(data, full_reset=action.number == RESET and last.status == "won")
        if seen.is_refused:
            return replace(last, frames=(), full_reset=False)
        self._take(action, seen)
        return seen

    def _take(self, action: GridAction, seen: Observation) -> None:
        begins = action.number == RESET or seen.levels_completed > self.observation.levels_completed
        self.attempt_actions = 0 if begins and seen.status == "playing" else self.attempt_actions + 1
        self.observation = seen

    def _sent(self, action: GridAction) -> Mapping[str, Any] | None:
        """Return the answer to an action; None if the server says that the game is over."""
        asked = {"game_id": self.name, "guid": self.guid, "card_id": self.card_id, **command_body(action)}
        try:
            status, data = self.client.send("POST", f"/api/cmd/{action.name}", asked)
        except ArcadeError as lost:
            status, data = self._repaired(action, asked, lost)
        if status == 200 and isinstance(data, dict):
            self.step_index = _step(data, self.step_index + 1)
            return data
        kind = data.get("error") if isinstance(data, dict) else None
        if kind == NOT_STARTED:
            return None
        if kind == VALIDATION:
            raise ActionError(_message(data))
        raise ArcadeError(f"{self.name} at {action}: {status}, {_message(data)}")

    def _repaired(self, action: GridAction, asked: JsonObject, lost: ArcadeError) -> tuple[int, Any]:
        """Find out whether a lost action was taken: the server is where the client is, or one step on.

        Raises:
            ArcadeError: it still cannot be reached, or it is anywhere else.
        """
        status, data = self.client.send("GET", f"/api/play/{self.guid}")
        if status != 200 or "step" not in data:
            raise lost
        if data["step"] == self.step_index:
            return self.client.send("POST", f"/api/cmd/{action.name}", asked)
        if data["step"] == self.step_index + 1:
            return status, data
        raise ArcadeError(
            f"{self.name}: the server is at step {data['step']}, wanted {self.step_index} or {self.step_index + 1}"
        )

    def _read(self, data: Any, *, full_reset: bool) -> Observation:
        try:
            seen = observation_from(data, full_reset=full_reset)
        except WireError as error:
            raise ArcadeError(f"{self.name}: answer: {error}") from error
        if full_reset and seen.is_refused:
            raise ArcadeError(f"{self.name}: the answer to the RESET that opens it has no frame")
        return seen


def _port(url: str) -> int | None:
    try:
        return urlsplit(url).port
    except ValueError:
        return None


def _step(data: Mapping[str, Any], counted: int) -> int:
    """Return the server's number of an answer; one's own count with a server that does not number them."""
    found = data.get("step", counted)
    return found if isinstance(found, int) else counted


def _message(found: Any) -> str:
    message = found.get("message", found) if isinstance(found, dict) else found
    return " ".join(str(message).split())[:300]
