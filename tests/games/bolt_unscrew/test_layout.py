"""Malformed layouts: the error names the field, what was found and what was wanted."""

import copy

import pytest

from games.bolt_unscrew.rules import parse_layout
from games.contract import LevelError

LAYOUT = {
    "anchors": [
        {"x": 120, "y": 300, "screw": True},
        {"x": 280, "y": 300, "screw": True},
        {"x": 450, "y": 600, "screw": False},
    ],
    "boards": [
        {
            "shape": "strip",
            "x": 200,
            "y": 300,
            "angle_deg": 0,
            "length": 200,
            "width": 40,
            "holes": [[-80, 0], [80, 0]],
            "layer": 1,
        },
        {"shape": "disc", "x": 280, "y": 300, "radius": 60, "holes": [[0, 0]], "colour": "teak"},
    ],
}


def altered(path, value):
    data = copy.deepcopy(LAYOUT)
    *parents, last = path
    item = data
    for name in parents:
        item = item[name]
    if value is None:
        del item[last]
    else:
        item[last] = value
    return data


def test_the_unaltered_layout_is_read():
    layout = parse_layout(LAYOUT)
    assert layout.screws == (0, 1)
    assert layout.boards[0].core == 80
    assert layout.boards[1].core == 0
    assert layout.drawing_order == (1, 0)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("anchors",), None, "layout.anchors: found nothing"),
        (("boards",), [], "boards: found none"),
        (("anchors", 0, "screw"), 1, r"anchors\[0\].screw: found 1, wanted true or false"),
        (("anchors", 1, "x"), "280", r"anchors\[1\].x: found '280', wanted a number"),
        (("anchors", 1, "x"), float("nan"), r"anchors\[1\].x: found nan, wanted a number"),
        (("anchors", 1, "y"), 900, r"anchors\[1\].y: found 900, wanted 94 to 836"),
        (("anchors", 1, "x"), 150, r"anchors\[1\]: found 30 from anchors\[0\], wanted at least 36"),
        (("boards", 0, "shape"), "ring", r"boards\[0\].shape: found 'ring'"),
        (("boards", 0, "width"), None, r"boards\[0\].width: found nothing"),
        (("boards", 0, "length"), 30, r"boards\[0\].length: found 30, wanted 48 to 1920"),
        (("boards", 0, "layer"), 1.5, r"boards\[0\].layer: found 1.5, wanted an integer"),
        (("boards", 0, "holes"), [[0]], r"boards\[0\].holes\[0\]: found \[0\], wanted \[u, v\]"),
        (("boards", 0, "holes"), [[0, 0]], r"boards\[0\].holes: found no screw in them"),
        (("boards", 0, "holes"), [[-80, 0]], r"anchors\[1\].screw: found in the solid wood of boards\[0\]"),
        (("boards", 1, "radius"), -5, r"boards\[1\].radius: found -5, wanted 24 to 960"),
        (("boards", 1, "colour"), 7, r"boards\[1\].colour: got 7, wanted a colour's name"),
    ],
)
def test_a_malformed_layout_is_refused(path, value, message):
    with pytest.raises(LevelError, match=message):
        parse_layout(altered(path, value))


def test_offsets_off_the_grid_are_rounded_and_angles_are_turned_back():
    layout = parse_layout(altered(("boards", 0, "holes"), [[-80.00004, 0], [80, 0.12346789]]))
    assert layout.boards[0].holes == ((-80.0, 0.0), (80.0, 0.1235))
    assert parse_layout(altered(("boards", 0, "angle_deg"), -720)).boards[0].angle_deg == 0
