"""Certificates as JSON, given the game's own form of a move."""

from __future__ import annotations

from typing import Any, Protocol, get_args

from games.contract import JsonObject, JsonValue
from solvers.certificate import Certificate, DeadEnd, Mechanism, Solvable, Solved, Undecided


class MoveForm(Protocol):
    """The part of `games.contract.Game` that reads and writes moves."""

    def move_to_json(self, move: Any, /) -> JsonValue:
        """Return the move as JSON."""

    def move_from_json(self, data: JsonValue, /) -> Any:
        """Invert `move_to_json`. Raises ValueError."""


def certificate_to_json(game: MoveForm, certificate: Certificate) -> JsonObject:
    """Return the certificate as JSON; `kind` names its type."""
    if isinstance(certificate, Solved):
        return {"kind": "solved"}
    if isinstance(certificate, Solvable):
        solution = [game.move_to_json(move) for move in certificate.solution]
        bound = certificate.lower_bound
        return {"kind": "solvable", "solution": solution, "exact": certificate.exact, "lower_bound": bound}
    if isinstance(certificate, DeadEnd):
        return {
            "kind": "dead_end",
            "mechanism": certificate.mechanism,
            "states_closed": certificate.states_closed,
        }
    return {"kind": "undecided", "state_limit": certificate.state_limit}


def certificate_from_json(game: MoveForm, data: JsonObject) -> Certificate:
    """Invert `certificate_to_json`. Raises ValueError naming the field, the value found and the value wanted."""
    kind = _value(data, "kind", str)
    if kind == "solved":
        return Solved()
    if kind == "solvable":
        solution = tuple(game.move_from_json(move) for move in _value(data, "solution", list))
        return Solvable(solution, _value(data, "exact", bool), _value(data, "lower_bound", int))
    if kind == "dead_end":
        mechanism: Mechanism = _value(data, "mechanism", str)
        if mechanism not in get_args(Mechanism):
            raise ValueError(f"certificate.mechanism: found {mechanism!r}, wanted one of {get_args(Mechanism)}")
        return DeadEnd(mechanism, _value(data, "states_closed", int))
    if kind == "undecided":
        return Undecided(_value(data, "state_limit", int))
    raise ValueError(f"certificate.kind: found {kind!r}, wanted solved, solvable, dead_end or undecided")


def _value(data: JsonObject, name: str, kind: type) -> Any:
    if not isinstance(data, dict) or type(data.get(name)) is not kind:
        raise ValueError(f"certificate.{name}: found {data!r}, wanted a {kind.__name__}")
    return data[name]
