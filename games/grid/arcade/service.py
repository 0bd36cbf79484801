"""What the server answers: requests in, status and JSON out. No socket here.

Routes and errors are those of the package arc-agi 0.9.9. Two things differ: an action that the game does not have is
refused and not counted, and RESET answers say whether the game began again (`full_reset`).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from games.contract import JsonObject
from games.grid.actions import NAMES, RESET, ActionError, GridAction
from games.grid.arcade.cards import Card, Tally
from games.grid.arcade.wire import NOT_STARTED, SERVER, VALIDATION, command_from, frame_data
from games.grid.contract import Environment

Answer = tuple[int, Any]
"""HTTP status and JSON."""
DEFAULT_KEY = "1234"
"""Whose cards they are if a client sends no X-API-Key."""
MOST_OPAQUE = 16 * 1024


@dataclass(frozen=True)
class Offer:
    """One game that a server has."""

    game_id: str
    """`name` or `name-version`; a client may leave the version out."""
    title: str
    baselines: tuple[int, ...]
    """Reference actions of every level; clients are never told."""
    open: Callable[[bool], Environment]
    """Returns the game at its first level; True: a RESET never goes back to the first level before the game is won."""


class Refused(Exception):
    """A request is answered with an error."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.answer: Answer = (status, {"error": kind, "message": message})


@dataclass
class _Open:
    """A game that somebody plays."""

    offer: Offer
    environment: Environment
    card: Card
    tally: Tally
    last: JsonObject = field(default_factory=dict)
    """The last answer that was not an error."""
    step: int = -1

    def answered(self, action: GridAction, seen: Any) -> JsonObject:
        """Count an action and return its answer."""
        self.tally.add(action, seen)
        self.step += 1
        self.last = frame_data(self.offer.game_id, self.tally.guid, self.step, action, seen)
        return self.last


class Arcade:
    """Games on offer, cards and games in play. One request at a time, from any thread.

    Args:
        offers: the games.
        competition: as the package's competition mode: one card, one play a game, RESETs restart levels alone, and
            games that nobody opened count 0.
        resets_levels_only: RESETs restart levels alone on every card.

    Raises:
        ValueError: no game, a game twice, or one without a baseline per level.
    """

    def __init__(self, offers: Sequence[Offer], *, competition: bool = False, resets_levels_only: bool = False) -> None:
        names = [offer.game_id for offer in offers]
        if not offers or len(set(names)) != len(names):
            raise ValueError(f"games {', '.join(names) or 'none'}: wanted at least one, and none twice")
        self._offers = {offer.game_id: offer for offer in offers}
        self._competition, self._resets_levels_only = competition, resets_levels_only
        self._cards: dict[str, Card] = {}
        self._open: dict[str, _Open] = {}
        self._n_cards = 0
        self._lock = Lock()

    def answer(self, method: str, path: str, body: Any, key: str = DEFAULT_KEY) -> Answer:
        """Answer one request; a game that raises is a SERVER_ERROR with its words, in one line.

        Args:
            method: GET or POST.
            path: from /api on.
            body: of a POST, read from JSON.
            key: whose request it is; everybody sees their own cards and plays.
        """
        words = tuple(word for word in path.partition("?")[0].split("/") if word)
        with self._lock:
            try:
                return 200, self._routed(method, words, body, key)
            except Refused as refused:
                return refused.answer

    def _routed(self, method: str, words: tuple[str, ...], body: Any, key: str) -> Any:
        match (method, *words):
            case ("GET", "api", "games"):
                return [_info(offer) for offer in self._offers.values()]
            case ("GET", "api", "games", "anonkey"):
                return {"api_key": uuid.uuid4().hex}
            case ("GET", "api", "games", name):
                return _info(self._offer(name, 404))
            case ("GET", "api", "scorecard", card_id):
                return self._shown(self._card(card_id, key))
            case ("GET", "api", "scorecard", card_id, name):
                return self._shown(self._card(card_id, key), self._offer(name, 404).game_id)
            case ("GET", "api", "play", guid):
                return self._in_play(guid, key).last
            case ("POST", "api", "scorecard", "open"):
                return {"card_id": self._new_card(_fields(body), key).card_id}
            case ("POST", "api", "scorecard", "close"):
                return self._close(_fields(body, "card_id"), key)
            case ("POST", "api", "cmd", name) if name in NAMES:
                return self._command(NAMES.index(name), _fields(body, "game_id"), key)
        raise Refused(404, SERVER, f"no route {method} /{'/'.join(words)[:80]}")

    def _offer(self, name: object, status: int = 400) -> Offer:
        for game_id, offer in self._offers.items():
            if name in (game_id, game_id.partition("-")[0]):
                return offer
        raise Refused(status, SERVER, f"game {str(name)[:80]} not found; there are {', '.join(self._offers)}")

    def _card(self, card_id: object, key: str) -> Card:
        card = self._cards.get(str(card_id))
        if card is None or card.key != key:
            raise Refused(404, SERVER, f"card_id `{str(card_id)[:80]}` not found")
        return card

    def _shown(self, card: Card, game_id: str | None = None) -> JsonObject:
        if card.competition:
            raise Refused(403, SERVER, "cannot get scorecard that is in competition mode")
        found = self._scored(card)
        kept = [one for one in found["environments"] if game_id in (None, one["id"])]
        return {**found, "environments": kept}

    def _scored(self, card: Card) -> JsonObject:
        return card.to_json({name: offer.baselines for name, offer in self._offers.items()})

    def _new_card(self, body: Mapping[str, Any], key: str) -> Card:
        if self._competition and self._n_cards:
            raise Refused(409, SERVER, "cannot open multiple scorecards in competition mode")
        tags = body.get("tags", [])
        if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
            raise Refused(400, VALIDATION, f"tags: got {tags!r:.80}, wanted a list of words")
        if len(repr(body.get("opaque"))) > MOST_OPAQUE:
            raise Refused(400, VALIDATION, f"opaque: wanted at most {MOST_OPAQUE} bytes")
        tags = tags if {"human", "agent"} & set(tags) else [*tags, "agent"]
        competition = self._competition or bool(body.get("competition_mode"))
        card = Card(uuid.uuid4().hex, key, tuple(tags), competition, body.get("source_url"), body.get("opaque"))
        self._cards[card.card_id] = card
        self._n_cards += 1
        return card

    def _close(self, body: Mapping[str, Any], key: str) -> JsonObject:
        card = self._card(body["card_id"], key)
        del self._cards[card.card_id]
        for guid in [guid for guid, one in self._open.items() if one.card is card]:
            del self._open[guid]
        return self._scored(card)

    def _in_play(self, guid: object, key: str) -> _Open:
        found = self._open.get(str(guid))
        if found is None or found.card.key != key:
            raise Refused(400, VALIDATION, f"guid {str(guid)[:80]!r}: wanted one of a play; RESET opens one")
        return found

    def _command(self, number: int, body: Mapping[str, Any], key: str) -> JsonObject:
        offer = self._offer(body["game_id"])
        if number == RESET and not body.get("guid"):
            return self._opened(offer, self._card(body.get("card_id"), key))
        found = self._in_play(body.get("guid"), key)
        if found.offer is not offer:
            raise Refused(400, VALIDATION, f"game {offer.game_id}: the play is of {found.offer.game_id}")
        try:
            action = command_from(number, body)
            seen = found.environment.step(action)
        except ActionError as error:
            raise Refused(400, VALIDATION, str(error)) from error
        except Exception as error:
            what = f"{offer.game_id}: {type(error).__name__} at {NAMES[number]}: {error}"
            raise Refused(500, SERVER, " ".join(what.split())) from error
        if seen.is_refused:
            raise Refused(400, NOT_STARTED, f"game {offer.game_id} is over, send RESET to begin playing")
        return {**found.answered(action, seen)}

    def _opened(self, offer: Offer, card: Card) -> JsonObject:
        if card.competition and offer.game_id in card.tallies:
            raise Refused(400, SERVER, f"game {offer.game_id} was opened before, in competition mode once is all")
        try:
            environment = offer.open(card.competition or self._resets_levels_only)
        except Exception as error:
            what = f"{offer.game_id}: {type(error).__name__} on opening: {error}"
            raise Refused(500, SERVER, " ".join(what.split())) from error
        tally = Tally(uuid.uuid4().hex)
        card.tallies.setdefault(offer.game_id, []).append(tally)
        found = self._open[tally.guid] = _Open(offer, environment, card, tally)
        return found.answered(GridAction(RESET), environment.observation)


def _info(offer: Offer) -> JsonObject:
    return {"game_id": offer.game_id, "title": offer.title, "default_fps": 5, "tags": [], "class_name": "Grid"}


def _fields(body: Any, *wanted: str) -> Mapping[str, Any]:
    if not isinstance(body, dict):
        raise Refused(400, VALIDATION, "request body must be a JSON object")
    for name in wanted:
        if name not in body:
            raise Refused(400, VALIDATION, f"missing `{name}` in action data")
    return body
