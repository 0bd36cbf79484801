"""Checks certificates with the rules alone: no search of any solver is called or imported.

A check that cannot be finished within its limit fails: an unchecked claim is not a checked one.
"""

from __future__ import annotations

from typing import Any, Protocol

from games.contract import IllegalMove
from solvers.certificate import Certificate, CertificateError, DeadEnd, Solvable, Solved


class Rules(Protocol):
    """The part of `games.contract.Game` that a check needs."""

    def legal_moves(self, state: Any, /) -> tuple[Any, ...]:
        """Return all legal moves."""

    def step(self, state: Any, move: Any, /) -> Any:
        """Return the state after a move. Raises IllegalMove."""

    def is_won(self, state: Any, /) -> bool:
        """Tell whether the level is complete."""


def verify(game: Rules, state: Any, certificate: Certificate, *, state_limit: int) -> None:
    """Check what a certificate claims about a state; that a distance is exact is left to `verify_exact`.

    Args:
        game: the game whose rules decide.
        state: the state the claim is about.
        certificate: the claim.
        state_limit: states that the check of `exhausted_search` may examine.

    Raises:
        CertificateError: the claim does not hold, claims nothing, or cannot be checked within the limit.
    """
    if isinstance(certificate, Solved):
        if not game.is_won(state):
            raise CertificateError("claimed solved, found a state that is not won")
    elif isinstance(certificate, Solvable):
        _verify_solution(game, state, certificate)
    elif isinstance(certificate, DeadEnd):
        _verify_dead_end(game, state, certificate, state_limit)
    else:
        raise CertificateError(f"undecided at {certificate.state_limit} states: nothing is claimed")


def verify_exact(game: Rules, state: Any, certificate: Solvable, *, state_limit: int) -> None:
    """Check by breadth-first search with the rules that no win is nearer than an exact certificate claims.

    Raises:
        CertificateError: a nearer win exists, the certificate does not claim to be exact, its solution fails, or the
            search needs more than `state_limit` states.
    """
    if not certificate.exact:
        raise CertificateError(f"distance {certificate.distance} is an upper bound, wanted an exact claim")
    _verify_solution(game, state, certificate)
    found = _nearest_win(game, state, certificate.distance, state_limit)
    if found != certificate.distance:
        raise CertificateError(f"claimed a least distance of {certificate.distance}, found a win at {found}")


def _verify_solution(game: Rules, state: Any, claim: Solvable) -> None:
    if game.is_won(state):
        raise CertificateError("claimed solvable, found a state that is won already")
    if claim.exact != (claim.lower_bound == claim.distance) or not 0 < claim.lower_bound <= claim.distance:
        raise CertificateError(f"bound {claim.lower_bound} does not fit a distance of {claim.distance}")
    for number, move in enumerate(claim.solution, 1):
        try:
            state = game.step(state, move)
        except IllegalMove as refusal:
            raise CertificateError(f"move {number} of {claim.distance} is refused: {refusal}") from refusal
        if game.is_won(state) and number < claim.distance:
            raise CertificateError(f"solution of {claim.distance} moves wins after {number}")
    if not game.is_won(state):
        raise CertificateError(f"solution of {claim.distance} moves does not win")


def _verify_dead_end(game: Rules, state: Any, claim: DeadEnd, state_limit: int) -> None:
    if game.is_won(state):
        raise CertificateError("claimed a dead end, found a state that is won")
    moves = game.legal_moves(state)
    if claim.mechanism == "no_available_hole":
        if moves:
            raise CertificateError(f"claimed no_available_hole, found {len(moves)} legal moves")
        return
    found = _nearest_win(game, state, None, state_limit)
    if found is not None:
        raise CertificateError(f"claimed exhausted_search, found a win {found} moves away")


def _nearest_win(game: Rules, state: Any, depth_limit: int | None, state_limit: int) -> int | None:
    """Return the least number of moves to a win, None if there is none (within `depth_limit` moves, if given)."""
    seen, layer, depth = {state}, [state], 0
    while layer and (depth_limit is None or depth < depth_limit):
        depth += 1
        following: list[Any] = []
        for current in layer:
            for move in game.legal_moves(current):
                child = game.step(current, move)
                if game.is_won(child):
                    return depth
                if child not in seen:
                    if len(seen) == state_limit:
                        raise CertificateError(f"not checked: more than {state_limit} states are reachable")
                    seen.add(child)
                    following.append(child)
        layer = following
    return None
