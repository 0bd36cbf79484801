"""Bolt Unscrew solver.

Guarantees: every solution replays to a win; `exact` distances are least numbers of moves; a `DeadEnd` by
`exhausted_search` closed every reachable state. Cost unit: one move, that is, one screw taken to another hole. Leaves
out: a bound better than "every screw that pins wood moves once", so the optimum of crowded levels may stay an interval.
`state_limit` bounds the states whose successors are computed, in each of its searches (verdict, then optimum).

Method: a state is (mask of occupied anchors, pose number of each board) over the lazily compiled automata of
`games.bolt_unscrew.mechanics`; taking a screw can only move the boards it holds. Verdicts come from best-first search
by the sum over boards of 3 + 2 sqrt(pins), concave so that a board once begun is finished; optima from A* with the
number of screws that pin wood, which a move lowers by at most one.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from games.bolt_unscrew.mechanics import OUT, BoardAutomaton, automata
from games.bolt_unscrew.rules import Move, State, is_won
from solvers.certificate import Certificate, DeadEnd, Mechanism, Solvable, Solved, Undecided


class _Node(NamedTuple):
    """A state in the solver's numbers; they mean something only beside the automata of its layout."""

    occupied: int
    poses: tuple[int, ...]


@dataclass(frozen=True)
class _Found:
    """What a search came to: a shortest or any solution, or None; `complete` unless the limit stopped it."""

    solution: tuple[Move, ...] | None
    complete: bool
    expanded: int
    lower_bound: int


@dataclass(frozen=True)
class BoltUnscrewSolver:
    """Implements `solvers.certificate.Solver`."""

    game: str = "bolt_unscrew"
    version: str = "1"
    certifying: tuple[Mechanism, ...] = ("no_available_hole",)
    """The published evaluator certifies a deadlock when no relocation remains, and searches no board of this game."""

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state; see the module's text for what the limit bounds."""
        if is_won(state):
            return Solved()
        graph = _Graph(automata(state.layout))
        start = graph.node(state)
        if not graph.targets(start):
            return DeadEnd("no_available_hole", 1)
        found = _best_first(graph, start, state_limit)
        if found.solution is None:
            return DeadEnd("exhausted_search", found.expanded) if found.complete else Undecided(state_limit)
        bound = graph.measures(start)[0]
        if optimal and len(found.solution) > bound:
            shortest = _shortest(graph, start, state_limit)
            if shortest.solution is not None:
                return Solvable(shortest.solution, True, len(shortest.solution))
            bound = shortest.lower_bound
        return Solvable(found.solution, len(found.solution) == bound, bound)

    def distance(self, state: State, *, state_limit: int) -> int | Undecided | None:
        """Return the exact least number of moves to a win, None from a dead end."""
        claim = self.certify(state, state_limit=state_limit, optimal=True)
        if isinstance(claim, Solved):
            return 0
        if isinstance(claim, Solvable):
            return claim.distance if claim.exact else Undecided(state_limit)
        return None if isinstance(claim, DeadEnd) else claim


SOLVER = BoltUnscrewSolver()


class _Graph:
    """Successors and measures of nodes."""

    def __init__(self, boards: tuple[BoardAutomaton, ...]) -> None:
        self._boards = boards
        self._all_anchors = (1 << boards[0].n_anchors) - 1
        self._cost = tuple(3 + 2 * math.sqrt(pins) for pins in range(boards[0].n_anchors + 1))

    def node(self, state: State) -> _Node:
        pairs = zip(self._boards, state.poses, strict=True)
        return _Node(state.occupied, tuple(OUT if pose is None else board.id_of(pose) for board, pose in pairs))

    def is_won(self, node: _Node) -> bool:
        return max(node.poses) == OUT

    def targets(self, node: _Node) -> int:
        """Return the mask of the empty anchors that no solid wood covers."""
        covered = node.occupied
        for board, pose in zip(self._boards, node.poses, strict=True):
            if pose != OUT:
                covered |= board.covered[pose]
        return self._all_anchors & ~covered

    def measures(self, node: _Node) -> tuple[int, float]:
        """Return (screws that pin wood, concave key)."""
        pinning, key, occupied = 0, 0.0, node.occupied
        for board, pose in zip(self._boards, node.poses, strict=True):
            if pose != OUT:
                pins = board.aligned[pose] & occupied
                pinning |= pins
                key += self._cost[pins.bit_count()]
        return pinning.bit_count(), key

    def successors(self, node: _Node) -> Iterator[tuple[Move, _Node]]:
        """Yield every legal move and the node it leads to, by source, then target."""
        targets = _bits(self.targets(node))
        for source in _bits(node.occupied):
            lifted = node.occupied ^ (1 << source)
            held = self._held(node.poses, 1 << source)
            for target in targets:
                occupied = lifted | (1 << target)
                yield Move(source, target), _Node(occupied, self._settled(node.poses, held, occupied))

    def _held(self, poses: tuple[int, ...], screw: int) -> list[int]:
        pairs = enumerate(zip(self._boards, poses, strict=True))
        return [index for index, (board, pose) in pairs if pose != OUT and board.holding[pose] & screw]

    def _settled(self, poses: tuple[int, ...], held: list[int], occupied: int) -> tuple[int, ...]:
        if not held:
            return poses
        settled = list(poses)
        for index in held:
            settled[index] = self._boards[index].rest(poses[index], occupied)
        return tuple(settled)


def _best_first(graph: _Graph, start: _Node, state_limit: int) -> _Found:
    """Find any solution, least concave key first and the newest of equals; close all nodes if there is none."""
    origin: dict[_Node, tuple[_Node, Move] | None] = {start: None}
    frontier = [(graph.measures(start)[1], 0, start)]
    expanded = 0
    while frontier:
        if expanded == state_limit:
            return _Found(None, False, expanded, 1)
        node = heapq.heappop(frontier)[2]
        expanded += 1
        for move, child in graph.successors(node):
            if child in origin:
                continue
            origin[child] = (node, move)
            if graph.is_won(child):
                return _Found(_path(origin, child), True, expanded, 1)
            heapq.heappush(frontier, (graph.measures(child)[1], -len(origin), child))
    return _Found(None, True, expanded, 1)


def _shortest(graph: _Graph, start: _Node, state_limit: int) -> _Found:
    """A*: the bound is consistent, so the first win taken from the frontier is at the least number of moves."""
    origin: dict[_Node, tuple[_Node, Move] | None] = {start: None}
    depth = {start: 0}
    closed: set[_Node] = set()
    bound, key = graph.measures(start)
    frontier = [(bound, key, 0, start)]
    while frontier:
        least, _, _, node = heapq.heappop(frontier)
        if node in closed:
            continue
        if graph.is_won(node):
            return _Found(_path(origin, node), True, len(closed), least)
        if len(closed) == state_limit:
            return _Found(None, False, len(closed), least)
        closed.add(node)
        for move, child in graph.successors(node):
            if depth.get(child, math.inf) <= depth[node] + 1:
                continue
            depth[child], origin[child] = depth[node] + 1, (node, move)
            bound, key = graph.measures(child)
            heapq.heappush(frontier, (depth[child] + bound, key, -len(depth), child))
    return _Found(None, True, len(closed), 1)


def _path(origin: dict[_Node, tuple[_Node, Move] | None], node: _Node) -> tuple[Move, ...]:
    moves: list[Move] = []
    while (step := origin[node]) is not None:
        node, move = step
        moves.append(move)
    return tuple(reversed(moves))


def _bits(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]
