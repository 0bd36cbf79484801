from dataclasses import replace

import pytest

from games.contract import LevelError
from games.rush_hour.game import GAME
from games.rush_hour.layout import Slide, layout_to_json, parse_layout

from .boards import layout, layout_data

ROWS = ("aa.b", "TT.b", "..#.", "....")


def test_a_layout_reads_back() -> None:
    one = replace(layout(*ROWS), reference=(Slide(1, 2), Slide(2, 2)))
    assert parse_layout(layout_to_json(one)) == one
    assert one.goal == 2
    assert one.exit_row == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": 0}, "rows: got 0, wanted an integer from 1 to 40"),
        ({"columns": 41}, "columns: got 41"),
        ({"columns": None}, "columns: got None"),
        ({"vehicles": "none"}, "vehicles: got 'none', wanted a list"),
        ({"vehicles": []}, "vehicles: 0 have target true"),
        ({"vehicles": [1]}, r"vehicles\[0\]: got 1, wanted an object"),
        ({"blockers": [[0]]}, r"blockers\[0\]: got \[0\], wanted two whole numbers"),
        ({"blockers": [[0, 0]]}, r"vehicles\[0\]: cell \(0, 0\) is taken by blockers\[0\]"),
        ({"blockers": [[4, 0]]}, r"blockers\[0\]: cell \(4, 0\) is outside 4 x 4"),
        ({"exit_row": 0}, "exit_row: got 0, wanted the target's row 1"),
        ({"exit_side": "left"}, "exit_side: got 'left', wanted 'right'"),
        ({"reference": [[0, 9]]}, r"reference\[0\]: vehicle 0 by 9"),
        ({"reference": [[1, 2]]}, "reference: its 1 slides do not win"),
    ],
)
def test_a_malformed_layout_is_refused_by_field(change: dict[str, object], message: str) -> None:
    with pytest.raises(LevelError, match=message):
        GAME.parse_layout({**layout_data(*ROWS), **change})


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("length", 1, r"vehicles\[0\].length: got 1, wanted a whole number from 2 to 40"),
        ("axis", "x", r"vehicles\[0\].axis: got 'x'"),
        ("row", 7, r"vehicles\[0\].row: got 7"),
        ("column", 3, r"vehicles\[0\]: cell \(0, 4\) is outside"),
        ("target", True, "vehicles: 2 have target true"),
    ],
)
def test_a_malformed_vehicle_is_refused_by_field(field: str, value: object, message: str) -> None:
    data = layout_data(*ROWS)
    first, *others = data["vehicles"]
    with pytest.raises(LevelError, match=message):
        GAME.parse_layout({**data, "vehicles": [{**first, field: value}, *others]})


def test_a_target_at_the_exit_is_refused() -> None:
    with pytest.raises(LevelError, match="starts at the exit"):
        layout("....", "..TT", "....")


def test_a_target_across_the_exit_row_is_refused() -> None:
    with pytest.raises(LevelError, match="wanted 'h'"):
        layout("T...", "T...", "....")
