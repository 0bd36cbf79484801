"""Exact solving of the maze by its rules alone.

Guarantees: verdict, solution and distance are exact for every state whose search fits the limit, the steps that are
left included. Leaves out looks, which change nothing but what is known, and throws at anything but a standing wall. The
search sees the map: it is an oracle's. Cost unit: one step. The limit counts positions (cell, things, broken walls).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.agi_maze.layout import edge_of
from games.agi_maze.rules import Move, State, grenades_left, is_over, is_won, step
from games.grid import DIRECTION
from solvers.certificate import Certificate, DeadEnd, Solvable, Solved, Solver, Undecided


class MazeSolver:
    """Breadth-first search over positions; the steps taken are set aside and counted by depth."""

    game = "agi_maze"
    version = "1"

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state; the solution is always a shortest one, so `optimal` changes nothing."""
        del optimal
        if is_won(state):
            return Solved()
        if is_over(state):
            return DeadEnd("no_available_hole", 0)
        found, n_found = _search(bare(state), state.layout.hard_max_steps - state.steps, state_limit)
        if found is not None:
            return Solvable(found, exact=True, lower_bound=len(found))
        return Undecided(state_limit) if n_found > state_limit else DeadEnd("exhausted_search", n_found)

    def distance(self, state: State, *, state_limit: int) -> int | Undecided | None:
        """Return the least number of steps out, None if there is no way within the steps that are left."""
        claim = self.certify(state, state_limit=state_limit)
        if isinstance(claim, Undecided):
            return claim
        if isinstance(claim, DeadEnd):
            return None
        return claim.distance if isinstance(claim, Solvable) else 0


def bare(state: State) -> State:
    """Return the state without what only is remembered or counted: two that are equal have the same ways out."""
    return replace(state, steps=0, seen=frozenset(), felt=frozenset(), events=())


def _search(start: State, most_steps: int, state_limit: int) -> tuple[tuple[Move, ...] | None, int]:
    """Return a shortest way out, None if there is none, and how many positions were found."""
    came: dict[State, tuple[State, Move] | None] = {start: None}
    layer = [start]
    for _ in range(most_steps):
        after: list[State] = []
        for state in layer:
            for move in _useful(state):
                child = bare(step(state, move))
                if child in came:
                    continue
                came[child] = (state, move)
                if is_won(child):
                    return _way(came, child), len(came)
                if len(came) > state_limit:
                    return None, len(came)
                after.append(child)
        layer = after
    return None, len(came)


def _useful(state: State) -> Iterator[Move]:
    yield from DIRECTION
    if grenades_left(state):
        for side in DIRECTION:
            if edge_of(state.cell, side) in state.layout.walls - state.blown:
                yield f"bomb_{side}"


def _way(came: dict[State, tuple[State, Move] | None], state: State) -> tuple[Move, ...]:
    moves: list[Move] = []
    while (before := came[state]) is not None:
        state, move = before
        moves.append(move)
    return tuple(reversed(moves))


SOLVER: Solver = MazeSolver()
