"""What goes over the wire: actions and observations as the JSON of ARC-AGI-3's REST interface, and back.

Source: the package arc-agi 0.9.9. One field is ours, and its clients ignore it: `step`, which numbers the answers of a
play from the opening RESET, 0, so that a client whose connection broke can tell whether its action was taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from games.contract import JsonObject
from games.grid.actions import CLICK, ActionError, GridAction, click
from games.grid.contract import Observation, Status
from games.grid.frame import FrameError, checked_frame

STATES: Mapping[Status, str] = {"playing": "NOT_FINISHED", "won": "WIN", "lost": "GAME_OVER"}
_STATUS = {state: status for status, state in STATES.items()}
VALIDATION, SERVER, NOT_STARTED = "VALIDATION_ERROR", "SERVER_ERROR", "GAME_NOT_STARTED_ERROR"
"""Kinds of errors that answers name."""
MOST_REASONING = 16 * 1024
"""Bytes of what a client may send along with an action; it is sent back and not stored."""


class WireError(ValueError):
    """An answer or a request is not what the interface says; one line that names the value found and the one wanted."""


def command_from(number: int, body: Mapping[str, Any]) -> GridAction:
    """Return the action of a request to /api/cmd. Raises ActionError: a click without a cell of the grid."""
    reasoning = body.get("reasoning")
    if reasoning is not None and len(json.dumps(reasoning)) > MOST_REASONING:
        raise ActionError(f"reasoning: got {len(json.dumps(reasoning))} bytes, wanted at most {MOST_REASONING}")
    return click(body.get("x"), body.get("y")) if number == CLICK else GridAction(number)


def command_body(action: GridAction) -> JsonObject:
    """Return the fields that an action adds to a request."""
    return {"x": action.x, "y": action.y} if action.number == CLICK else {}


def frame_data(game_id: str, guid: str, step: int, action: GridAction, seen: Observation) -> JsonObject:
    """Return an observation as the interface's FrameData."""
    return {
        "game_id": game_id,
        "frame": [frame.tolist() for frame in seen.frames],
        "state": STATES[seen.status],
        "levels_completed": seen.levels_completed,
        "win_levels": seen.n_levels,
        "action_input": {"id": action.number, "data": {"game_id": game_id, **command_body(action)}, "reasoning": None},
        "guid": guid,
        "full_reset": seen.full_reset,
        "available_actions": list(seen.available_actions),
        "step": step,
    }


def observation_from(data: Mapping[str, Any], *, full_reset: bool) -> Observation:
    """Return FrameData as an observation.

    Args:
        data: the answer.
        full_reset: what the client knows; servers leave this field out.

    Raises:
        WireError: a field is missing or is not what it should be, or a frame is no grid of 64 x 64 colours.
    """
    state = _field(data, "state", str)
    if state not in _STATUS:
        raise WireError(f"state: got {state!r:.40}, wanted one of {', '.join(_STATUS)}")
    grids, actions = _field(data, "frame", list), _field(data, "available_actions", list)
    n_levels, completed = _count(data, "win_levels"), _count(data, "levels_completed")
    if completed > n_levels:
        raise WireError(f"levels_completed: got {completed}, wanted at most win_levels, {n_levels}")
    if strange := [one for one in actions if type(one) is not int or not 0 <= one <= CLICK + 1]:
        raise WireError(f"available_actions: got {strange[0]!r:.40}, wanted integers from 1 to 7")
    try:
        frames = tuple(checked_frame(grid) for grid in grids)
    except FrameError as error:
        raise WireError(str(error)) from error
    return Observation(
        frames, _STATUS[state], completed, n_levels, tuple(sorted(one for one in actions if one)), full_reset
    )


def _field(data: Mapping[str, Any], name: str, kind: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        found = "nothing" if name not in data else f"{value!r:.40}"
        raise WireError(f"{name}: got {found}, wanted {kind.__name__}")
    return value


def _count(data: Mapping[str, Any], name: str) -> int:
    value: int = _field(data, name, int)
    if value < 0:
        raise WireError(f"{name}: got {value}, wanted at least 0")
    return value
