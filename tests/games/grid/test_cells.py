"""Grids on the screen, and what counts as the same grid."""

from __future__ import annotations

import pytest

from games.contract import BOARD
from games.grid import GridFrame, fit, symmetric_images


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (4, 7), (11, 11), (30, 2), (2, 30)])
def test_a_fitted_grid_lies_inside_the_board_with_its_margin(rows, columns):
    frame = fit(rows, columns, margin_px=24)
    assert BOARD.x + 24 <= frame.x
    assert frame.x + columns * frame.tile_px <= BOARD.x + BOARD.width - 24
    assert BOARD.y + 24 <= frame.y
    assert frame.y + rows * frame.tile_px <= BOARD.y + BOARD.height - 24
    assert GridFrame.from_json(frame.to_json()) == frame


def test_cell_at_includes_left_and_top_edges_only():
    frame = GridFrame(100, 200, 50, rows=2, columns=3)
    assert frame.cell_at(100, 200) == (0, 0)
    assert frame.cell_at(149.9, 249.9) == (0, 0)
    assert frame.cell_at(150, 250) == (1, 1)
    assert frame.cell_at(249.9, 299.9) == (1, 2)
    for x, y in ((99.9, 200), (100, 199.9), (250, 200), (100, 300), (0, 0)):
        assert frame.cell_at(x, y) is None
    assert frame.cell_at(*frame.centre((1, 2))) == (1, 2)


def test_images_of_a_corner_mark_reach_all_four_corners_of_both_rectangles():
    corners = {next(iter(image)) for image in symmetric_images([((0, 0), "S")], rows=2, columns=3)}
    assert corners == {((r, c), "S") for r, c in [(0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (0, 1)]}


def test_directions_turn_with_the_grid():
    row = [((0, 0), "right"), ((0, 2), "head")]
    images = symmetric_images(row, rows=1, columns=3)
    assert frozenset({((0, 2), "left"), ((0, 0), "head")}) in images
    assert frozenset({((0, 0), "down"), ((2, 0), "head")}) in images
    assert frozenset({((0, 0), "left"), ((0, 2), "head")}) not in images
