"""The budget bar: the last row of a frame shows how many actions an attempt has left, exactly."""

from __future__ import annotations

from games.grid.frame import BLACK, SIDE, YELLOW, Frame

LARGEST_BUDGET = SIDE * 11
"""With more, a cell of the bar would stand for more actions than there are colours left to count them."""
_PARTS = (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)
"""Colours of the cell that is partly used up, by the number of actions left in it, less one."""


def draw_budget(frame: Frame, budget: int, taken: int) -> None:
    """Paint the bar: full cells yellow, one cell in a colour of its own for a rest, the others black.

    Raises:
        ValueError: the budget is larger than `LARGEST_BUDGET`.
    """
    if budget > LARGEST_BUDGET:
        raise ValueError(f"a budget of {budget} actions, wanted at most {LARGEST_BUDGET}: the bar must show each")
    per_cell = -(-budget // SIDE)
    full, rest = divmod(max(0, budget - taken), per_cell)
    frame[-1, :] = BLACK
    frame[-1, :full] = YELLOW
    if rest:
        frame[-1, full] = _PARTS[rest - 1]
