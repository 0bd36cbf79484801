"""Progress of a Rush Hour board, as published, with what the publication leaves open decided here.

Published (first source document, "Progress potentials"): 0.8 x estimated distance progress + 0.2 x structural
progress when a canonical reference path is available; 0.7 x blocker clearance + 0.3 x target advance otherwise;
unfinished values are capped at 0.99 and a solved level scores 1.

Decided here, every term in [0, 1]:

* blocker clearance: 1 - blockers / blockers at the start, where a blocker is a vehicle that covers a cell of the exit
  row to the right of the target; with none at the start, 1 while there are none, else 0.
* target advance: cells the target has come from its start column towards the exit / cells from start to exit.
* structural progress: 0.7 x blocker clearance + 0.3 x target advance, the measure of a level without reference path.
* estimated distance: the reference path visits boards r_0 (the start) to r_n (won); from a board s it is the least
  (n - k) + (vehicles that stand elsewhere in s than in r_k) over k, since each of these needs a slide to join the path.
  Distance progress is 1 - estimate(s) / estimate(r_0).
"""

from __future__ import annotations

from functools import lru_cache

from games.rush_hour.layout import Layout
from games.rush_hour.rules import State, initial_state, is_won

UNFINISHED_CAP = 0.99


def potential(state: State) -> float:
    """Return progress in [0, 1]; exactly 1.0 iff won."""
    if is_won(state):
        return 1.0
    structural = 0.7 * blocker_clearance(state) + 0.3 * target_advance(state)
    if not state.layout.reference:
        return min(UNFINISHED_CAP, structural)
    return min(UNFINISHED_CAP, 0.8 * distance_progress(state) + 0.2 * structural)


def blocker_clearance(state: State) -> float:
    """Return the share of the exit row's first blockers that is gone."""
    first, now = _blockers(initial_state(state.layout)), _blockers(state)
    return max(0.0, 1 - now / first) if first else float(now == 0)


def target_advance(state: State) -> float:
    """Return the share of the way to the exit that the target has come."""
    start = state.layout.vehicles[state.layout.target].start
    return max(0.0, (state.at[state.layout.target] - start) / (state.layout.goal - start))


def distance_progress(state: State) -> float:
    """Return 1 - estimated distance / estimated distance of the start, not below 0."""
    path = reference_boards(state.layout)
    return max(0.0, 1 - _estimate(state.at, path) / _estimate(path[0], path))


@lru_cache(maxsize=1024)
def reference_boards(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Return the coordinates of all vehicles along the reference path, the start first."""
    boards = [initial_state(layout).at]
    for vehicle, offset in layout.reference:
        at = list(boards[-1])
        at[vehicle] += offset
        boards.append(tuple(at))
    return tuple(boards)


def _estimate(at: tuple[int, ...], path: tuple[tuple[int, ...], ...]) -> int:
    left = len(path) - 1
    return min(left - k + sum(a != b for a, b in zip(at, board, strict=True)) for k, board in enumerate(path))


def _blockers(state: State) -> int:
    layout = state.layout
    front = state.at[layout.target] + layout.vehicles[layout.target].length
    lane = {(layout.exit_row, column) for column in range(front, layout.columns)}
    vehicles = zip(layout.vehicles, state.at, strict=True)
    return sum(not lane.isdisjoint(vehicle.cells(at)) for vehicle, at in vehicles)
