"""Best-first search over Nut and Bolt boards, which never enters a board that cannot be won."""

from __future__ import annotations

import heapq
from array import array
from dataclasses import dataclass
from typing import ClassVar

from games.nut_and_bolt.layout import Transfer
from games.nut_and_bolt.rules import State, is_won, legal_moves
from solvers.certificate import Certificate, DeadEnd, Mechanism, Solvable, Solved, Undecided
from solvers.nut_and_bolt.boards import Fillings
from solvers.nut_and_bolt.buried import Verdicts

EAGER = 5
"""Weight of the bound when any solution will do."""


@dataclass(frozen=True)
class Outcome:
    """What a search came to: a solution or none within the limit, the boards closed, and a proven lower bound."""

    solution: tuple[Transfer, ...] | None
    states_closed: int
    lower_bound: int


class NutAndBoltSolver:
    """The solver as `solvers.certificate.Solver` describes it."""

    game = "nut_and_bolt"
    version: ClassVar[str] = "1"

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state; with `optimal` look for a shortest solution."""
        if is_won(state):
            return Solved()
        verdicts = Verdicts(state.bolts, state.layout.capacity)
        verdict = verdicts.is_solvable(verdicts.start, state_limit)
        if isinstance(verdict, Undecided):
            return verdict
        if not verdict:
            mechanism: Mechanism = "exhausted_search" if legal_moves(state) else "no_available_hole"
            return DeadEnd(mechanism, sum(not solvable for solvable in verdicts.known.values()))
        if optimal:
            return self._optimal(state, verdicts, state_limit)
        quick = search(state, verdicts, state_limit, weight=EAGER)
        return Undecided(state_limit) if quick.solution is None else _solvable(quick.solution, quick.lower_bound)

    def distance(self, state: State, *, state_limit: int) -> int | Undecided | None:
        """Return the exact least number of transfers to a win, None if the board is dead."""
        certificate = self.certify(state, state_limit=state_limit, optimal=True)
        if isinstance(certificate, Solved):
            return 0
        if isinstance(certificate, Solvable):
            return certificate.distance if certificate.exact else Undecided(state_limit)
        return certificate if isinstance(certificate, Undecided) else None

    def _optimal(self, state: State, verdicts: Verdicts, state_limit: int) -> Certificate:
        best = search(state, verdicts, state_limit, weight=1)
        if best.solution is not None:
            return _solvable(best.solution, len(best.solution))
        quick = search(state, verdicts, state_limit, weight=EAGER)
        return Undecided(state_limit) if quick.solution is None else _solvable(quick.solution, best.lower_bound)


def search(state: State, verdicts: Verdicts, state_limit: int, *, weight: int) -> Outcome:
    """Search from a solvable board in the order of moves made + `weight` x bound; weight 1 is A*, hence shortest.

    Boards are told apart up to the order of their bolts. A board is entered only if `verdicts` calls it solvable.
    """
    fillings = Fillings(state.layout.capacity)
    start = fillings.board(state.bolts)
    boards, parents, moves = [start], array("l", [-1]), [Transfer(0, 0)]
    made = {_canonical(start): 0}
    least = fillings.least_moves(start)
    heap = [(weight * least, 0, 0)]
    closed = 0
    while heap:
        _, minus_made, index = heapq.heappop(heap)
        board = boards[index]
        if made[_canonical(board)] != -minus_made:
            continue
        bound = fillings.least_moves(board)
        least = max(least, bound - minus_made) if weight == 1 else least
        if bound == 0:
            return Outcome(_path(index, parents, moves), closed, least)
        if closed == state_limit:
            return Outcome(None, closed, least)
        closed += 1
        for source, destination, after in fillings.successors(board):
            key, count = _canonical(after), 1 - minus_made
            if made.get(key, count + 1) <= count or not _is_live(after, fillings, verdicts, state_limit):
                continue
            made[key] = count
            heapq.heappush(heap, (count + weight * fillings.least_moves(after), -count, len(boards)))
            boards.append(after)
            parents.append(index)
            moves.append(Transfer(source, destination))
    raise AssertionError("a solvable board has a winning path, and only boards that cannot be won are left out")


def _is_live(board: str, fillings: Fillings, verdicts: Verdicts, state_limit: int) -> bool:
    """Tell whether a board may still be won; one the verdict left open counts as live."""
    code = verdicts.code([fillings.n_buried[bolt] for bolt in board])
    return verdicts.is_solvable(code, state_limit) is not False


def _canonical(board: str) -> str:
    return "".join(sorted(board))


def _path(index: int, parents: array[int], moves: list[Transfer]) -> tuple[Transfer, ...]:
    path: list[Transfer] = []
    while index:
        path.append(moves[index])
        index = parents[index]
    return tuple(reversed(path))


def _solvable(solution: tuple[Transfer, ...], lower_bound: int) -> Solvable:
    return Solvable(solution, exact=lower_bound == len(solution), lower_bound=lower_bound)


SOLVER = NutAndBoltSolver()
