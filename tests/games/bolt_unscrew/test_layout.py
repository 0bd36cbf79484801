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
        (("anchors", 1, "y"), 1000, r"anchors\[1\].y: found 1000, wanted 0 to 960"),
        (("anchors", 1, "x"), 120, "wanted no two at one place"),
        (("boards", 0, "shape"), "ring", r"boards\[0\].shape: found 'ring'"),
        (("boards", 0, "width"), None, r"boards\[0\].width: found nothing"),
        (("boards", 0, "length"), 30, r"boards\[0\].length: found 30, wanted 40 to 1920"),
        (("boards", 0, "layer"), 1.5, r"boards\[0\].layer: found 1.5, wanted an integer"),
        (("boards", 0, "holes"), [[0.00001, 0]], r"boards\[0\].holes\[0\]: .* wanted multiples of 0.0001"),
        (("boards", 0, "holes"), [[0]], r"boards\[0\].holes\[0\]: found \[0\], wanted \[u, v\]"),
        (("boards", 0, "holes"), [[0, 0]], r"boards\[0\].holes: found no screw in them"),
        (("boards", 0, "holes"), [[-80, 0]], r"anchors\[1\].screw: found in the solid wood of boards\[0\]"),
        (("boards", 1, "radius"), -5, r"boards\[1\].radius: found -5, wanted 1 to 960"),
        (("boards", 1, "colour"), "plaid", r"boards\[1\].colour: found 'plaid'"),
    ],
)
def test_a_malformed_layout_is_refused(path, value, message):
    with pytest.raises(LevelError, match=message):
        parse_layout(altered(path, value))
