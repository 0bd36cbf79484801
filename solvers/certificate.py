"""Certificates: what was shown about a state, in a form that somebody else can check.

A certificate is a claim. "Cannot be solved", "gave up at the limit" and "malformed board" are three facts: the first is
`DeadEnd`, the second `Undecided`, the third an error. The checkers in `solvers.verify` replay a claim with the rules
alone and share no code with any search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

Mechanism = Literal["no_available_hole", "exhausted_search"]
"""Why no win follows: no move exists at all (named as published, for every game), or no reachable state wins."""


class CertificateError(ValueError):
    """A claim does not hold. The message says what was claimed and what was found."""


@dataclass(frozen=True)
class Solved:
    """The state is won."""


@dataclass(frozen=True)
class Solvable:
    """A win is reachable by `solution`; its length is the distance, exact if `exact`, else an upper bound."""

    solution: tuple[Any, ...]
    exact: bool
    lower_bound: int
    """Proven least number of moves; equals `distance` iff `exact`."""

    @property
    def distance(self) -> int:
        """Moves in the solution."""
        return len(self.solution)


@dataclass(frozen=True)
class DeadEnd:
    """No win is reachable. `states_closed` counts the states whose successors were all examined."""

    mechanism: Mechanism
    states_closed: int


@dataclass(frozen=True)
class Undecided:
    """The search stopped at its limit; nothing is claimed."""

    state_limit: int


Certificate = Solved | Solvable | DeadEnd | Undecided


class Solver(Protocol):
    """Exact solving for one game. Its module opens with what it guarantees, what it leaves out, and its cost unit."""

    game: str
    version: str
    """Changes whenever a verdict or a solution could change; stored with every certificate."""

    def certify(self, state: Any, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state.

        With `optimal` the solution is a shortest one if found within the limit (`exact`); without, any verified
        solution may be returned quickly. At the limit: `Undecided`, or `Solvable` not exact.
        """

    def distance(self, state: Any, *, state_limit: int) -> int | Undecided | None:
        """Return the exact least number of moves to a win, None if the state is a dead end."""
