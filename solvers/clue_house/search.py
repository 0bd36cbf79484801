"""Exact solving of Clue House by its rules alone.

Guarantees: verdict, solution and distance are exact for every state whose search fits the limit. The search sees the
answers in the layout, so it is an oracle's: what somebody can do who has to see a card first is `knowledge`. Leaves
out: presses that cannot be the beginning of the answer, which never help, because an entry of any other kind is
forgotten. Cost unit: one walk, one take or one press. The limit counts the states found.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from games.clue_house.rules import Move, State, is_won, legal_moves, panel_in_use, step
from solvers.certificate import Certificate, DeadEnd, Solvable, Solved, Solver, Undecided

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True)
class Walk(Generic[Node]):
    """A breadth-first search: the nearest goal with the moves to it, or everything that can be reached."""

    goal: Node | None
    moves: tuple[Move, ...]
    """From the source it was reached from to the goal."""
    found: frozenset[Node]
    complete: bool
    """False: the limit was met before a goal."""


def walk(
    sources: Iterable[Node],
    following: Callable[[Node], Iterable[tuple[Move, Node]]],
    is_goal: Callable[[Node], bool],
    *,
    state_limit: int,
) -> Walk[Node]:
    """Search breadth first from all sources at once."""
    came: dict[Node, tuple[Node, Move] | None] = dict.fromkeys(sources)
    layer = list(came)
    while layer:
        after: list[Node] = []
        for node in layer:
            for move, child in following(node):
                if child in came:
                    continue
                came[child] = (node, move)
                if is_goal(child):
                    return Walk(child, _way(came, child), frozenset(came), True)
                if len(came) > state_limit:
                    return Walk(None, (), frozenset(came), False)
                after.append(child)
        layer = after
    return Walk(None, (), frozenset(came), True)


def _way(came: dict[Node, tuple[Node, Move] | None], node: Node) -> tuple[Move, ...]:
    moves: list[Move] = []
    while (before := came[node]) is not None:
        node, move = before
        moves.append(move)
    return tuple(reversed(moves))


def sensible_moves(state: State) -> tuple[Move, ...]:
    """Return the legal moves without presses that cannot open the door, in the rules' order."""
    panel = panel_in_use(state)
    if panel is None:
        return legal_moves(state)
    n_right = len(state.entered)
    on_the_way = state.entered == panel.answer[:n_right]
    wanted = f"press:{panel.answer[n_right]}" if on_the_way else f"press:{panel.buttons[0]}"
    return tuple(move for move in legal_moves(state) if not move.startswith("press:") or move == wanted)


class ClueHouseSolver:
    """Breadth-first search over rules states."""

    game = "clue_house"
    version = "1"

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state; the solution is always a shortest one, so `optimal` changes nothing."""
        if is_won(state):
            return Solved()
        found = walk([state], _following, is_won, state_limit=state_limit)
        if found.goal is not None:
            return Solvable(found.moves, exact=True, lower_bound=len(found.moves))
        if not found.complete:
            return Undecided(state_limit)
        return DeadEnd("exhausted_search" if legal_moves(state) else "no_available_hole", len(found.found))

    def distance(self, state: State, *, state_limit: int) -> int | Undecided | None:
        """Return the least number of moves to the treasure, None from a dead end."""
        claim = self.certify(state, state_limit=state_limit)
        if isinstance(claim, Undecided):
            return claim
        if isinstance(claim, DeadEnd):
            return None
        return claim.distance if isinstance(claim, Solvable) else 0


def _following(state: State) -> Iterable[tuple[Move, State]]:
    return ((move, step(state, move)) for move in sensible_moves(state))


SOLVER: Solver = ClueHouseSolver()
