"""Harvest: play that may hold checkpoints, and the choice of checkpoints among what was played.

A `Play` is one session from the home screen, with the GUI action and the settled state of every step. It comes from
simulated play at sight (here) or from a recorded study (`diag.studies.retry.harvest` reads its events).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from checkpoints.controller import action_of
from games.catalogue import Catalogue
from games.contract import Gesture, JsonObject, JsonValue, LevelId, Table, Tap
from games.registry import game_named
from games.suite.session import SuiteSession

PLAYER_VERSION = "sight-1"
"""Changes whenever `play_at_sight` could choose another move for the same seed."""


@dataclass(frozen=True)
class Play:
    """One session on one level: how it was entered, then move by move."""

    level: LevelId
    entry: tuple[JsonObject, ...]
    """GUI actions from the home screen to the level's initial board."""
    actions: tuple[tuple[JsonObject, ...], ...]
    """GUI actions of each move."""
    moves: tuple[JsonValue, ...]
    states: tuple[JsonObject, ...]
    """State before the first move and after each: one more than `moves`."""
    provenance: JsonObject

    def prefix(self, n_moves: int) -> tuple[JsonObject, ...]:
        """Return the GUI actions from the home screen through the first `n_moves` moves."""
        return self.entry + tuple(action for actions in self.actions[:n_moves] for action in actions)


def enter(session: SuiteSession, level: LevelId) -> tuple[JsonObject, ...]:
    """Open a level from the home screen by its visible controls and return the GUI actions that did it."""
    wanted = (f"game:{level.game}", f"difficulty:{level.difficulty}", f"level:{level.number}")
    return tuple(press(session, control) for control in wanted)


def press(session: SuiteSession, control_id: str) -> JsonObject:
    """Tap a visible control in its middle and return the GUI action. Raises KeyError if it is not on the screen."""
    for control in session.picture()["controls"]:
        if control["id"] == control_id:
            x, y, width, height = control["rect"]
            tap = Tap(round(x + width / 2), round(y + height / 2))
            session.gesture(tap)
            return action_of(tap)
    raise KeyError(f"no control {control_id!r} on the screen")


def play_at_sight(catalogue: Catalogue, level: LevelId, *, seed: int, move_limit: int, care: float) -> Play:
    """Play a level by what can be seen of it until it is won, stuck or `move_limit` moves old.

    Args:
        catalogue: where the level comes from.
        level: what to play.
        seed: of this play alone.
        move_limit: moves after which the play ends unfinished.
        care: 0 plays uniformly among the visible moves; larger values prefer those that look like progress
            (weights exp(care * appeal)).
    """
    rng = np.random.default_rng(seed)
    game = game_named(level.game)
    session = SuiteSession(catalogue)
    entry = enter(session, level)
    actions: list[tuple[JsonObject, ...]] = []
    while len(actions) < move_limit and (options := game.options(session.picture()["board"])):
        weights = np.exp(care * np.array([option.appeal for option in options]))
        chosen = options[int(rng.choice(len(options), p=weights / weights.sum()))]
        actions.append(_make(session, chosen.gestures))
    return _play(
        session, level, entry, actions, {"player": PLAYER_VERSION, "simulated": True, "seed": seed, "care": care}
    )


def play_solution(catalogue: Catalogue, level: LevelId, solution: Sequence[Any], provenance: JsonObject) -> Play:
    """Play known moves from the home screen by their gestures. Raises ValueError if one does not take effect."""
    game = game_named(level.game)
    session = SuiteSession(catalogue)
    entry = enter(session, level)
    actions = []
    for move in solution:
        before = session.snapshot()
        state = game.state_from_json(catalogue.layout(level), before.state or {})
        actions.append(_make(session, game.gestures(Table(state, before.held), move)))
        if session.snapshot().state_digest == before.state_digest:
            raise ValueError(f"{level}: the gestures of move {game.move_to_json(move)} changed nothing")
    return _play(session, level, entry, actions, provenance)


def spread(plays: Iterable[Play], n: int) -> tuple[Play, ...]:
    """Choose `n` plays with distinct last states, evenly spaced over their lengths.

    Raises:
        ValueError: fewer than `n` distinct last states were played.
    """
    distinct = {str(play.states[-1]): play for play in plays}
    ordered = sorted(distinct.values(), key=lambda play: (len(play.moves), str(play.states[-1])))
    if len(ordered) < n:
        raise ValueError(f"{len(ordered)} distinct last states played, wanted at least {n}")
    places = np.linspace(0, len(ordered) - 1, n).round().astype(int) if n > 1 else np.array([len(ordered) // 2])
    return tuple(ordered[place] for place in places)


def _make(session: SuiteSession, gestures: Sequence[Gesture]) -> tuple[JsonObject, ...]:
    for gesture in gestures:
        session.gesture(gesture)
    return tuple(action_of(gesture) for gesture in gestures)


def _play(
    session: SuiteSession,
    level: LevelId,
    entry: tuple[JsonObject, ...],
    actions: Sequence[tuple[JsonObject, ...]],
    provenance: JsonObject,
) -> Play:
    transitions = session.transitions(0)
    return Play(
        level,
        entry,
        tuple(actions),
        tuple(one.move for one in transitions if one.kind == "move"),
        tuple(one.state for one in transitions if one.kind in ("enter", "move")),
        provenance,
    )
