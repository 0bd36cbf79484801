"""Exact solving of Color Connect.

Guarantees: `certify` returns a solution with the least number of accepted clicks from any drawing, partial ones
included, and `distance` that number; a layout without any solution is a `DeadEnd`. `completion` tells whether a
drawing can be completed without taking anything back; `count_drawings` counts the solutions of a layout. Leaves out:
nothing of the rules. Cost unit: one accepted click, so a path costs a click on its dot, one per corner and one on the
partner; removing a finished path costs one click, going back along the active one too. The limit counts stored
frontiers (see `frontier`); when it is met the answer is `Undecided`.

Why the least number of clicks is a sum over pairs: whatever was clicked before, a pair's final path was made by the
clicks since its dot was last clicked, at least 1 + straight pieces, unless it was finished before and never touched
(0), or it is the active one and was gone on with: (went back ? 1 : 0) + straight pieces beyond the cell it went back
to. A finished path that is not kept costs one more. These minima are reached at once by removing first, then
completing the active path, then drawing the others, since the final paths do not cross. `DeadEnd` follows only from
the layout: paths can be taken back.
"""

from __future__ import annotations

from itertools import pairwise

from games.color_connect.rules import Move, Path, State, is_finished, is_won
from games.grid import Cell
from solvers.certificate import Certificate, DeadEnd, Solvable, Solved, Solver, Undecided
from solvers.color_connect.board import direction
from solvers.color_connect.drawing import Drawing, cheapest_drawing, count_drawings

__all__ = ["SOLVER", "ColorConnectSolver", "clicks_for", "completion", "count_drawings"]


class ColorConnectSolver:
    """Cheapest complete drawing by frontier search."""

    game = "color_connect"
    version = "2"

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the drawing. The solution is always a shortest one, so `optimal` changes nothing."""
        if is_won(state):
            return Solved()
        drawing = cheapest_drawing(state, erase=True, state_limit=state_limit)
        if isinstance(drawing, Undecided):
            return drawing
        if drawing is None:
            return DeadEnd("exhausted_search", 1)
        return Solvable(clicks_for(state, drawing.paths), exact=True, lower_bound=drawing.clicks)

    def distance(self, state: State, *, state_limit: int) -> int | Undecided | None:
        """Return the least number of accepted clicks to a win; None if the layout has no solution."""
        if is_won(state):
            return 0
        drawing = cheapest_drawing(state, erase=True, state_limit=state_limit)
        return drawing.clicks if isinstance(drawing, Drawing) else drawing


def completion(state: State, *, state_limit: int) -> Drawing | Undecided | None:
    """Return the cheapest complete drawing that contains everything drawn already, None if something must go."""
    return cheapest_drawing(state, erase=False, state_limit=state_limit)


def clicks_for(state: State, paths: tuple[Path, ...]) -> tuple[Move, ...]:
    """Return the fewest clicks that turn a drawing into the complete one of `paths`: remove, go on, draw the rest."""
    pairs = range(len(paths))
    gone = [k for k in pairs if is_finished(state, k) and state.paths[k] != paths[k]]
    clicks: list[Move] = [paths[k][0] for k in gone]
    if state.active is not None:
        clicks.extend(_go_on(state.paths[state.active], paths[state.active]))
    for k in pairs:
        if k in gone or not state.paths[k]:
            clicks.extend((paths[k][0], *corners_and_end(paths[k])))
    return tuple(clicks)


def _go_on(drawn: Path, whole: Path) -> tuple[Move, ...]:
    """Return the clicks that make the active path the whole one, back to the last common cell if need be."""
    goal = whole if whole[0] == drawn[0] else whole[::-1]
    common = next((k for k, cell in enumerate(drawn) if k >= len(goal) or cell != goal[k]), len(drawn))
    back = () if common == len(drawn) else (drawn[common - 1],)
    return back + corners_and_end(goal[common - 1 :])


def corners_and_end(path: Path) -> tuple[Cell, ...]:
    """Return the cells where a path turns and the one where it ends: what must be clicked after its first cell."""
    ways = [direction(one, other) for one, other in pairwise(path)]
    return tuple(path[k + 1] for k, way in enumerate(ways) if k + 1 == len(ways) or ways[k + 1] != way)


SOLVER: Solver = ColorConnectSolver()
