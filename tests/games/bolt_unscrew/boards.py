"""Boards the tests share: hand-made ones, our own levels, and the published ones when they are at hand."""

import json
from pathlib import Path

from games.bolt_unscrew.layout import Layout
from games.bolt_unscrew.published import from_published
from games.bolt_unscrew.rules import parse_layout

REPOSITORY = Path(__file__).parents[3]
PUBLISHED = REPOSITORY.parent / "shared" / "real-levels" / "bolt_unscrew.json"


def board(screws, free, *boards):
    """Return a layout; a board is (x, y, angle_deg, length, width, hole offsets along u), a disc has angle None."""
    anchors = [{"x": x, "y": y, "screw": True} for x, y in screws] + [{"x": x, "y": y, "screw": False} for x, y in free]
    return parse_layout({"anchors": anchors, "boards": [_board_json(*item) for item in boards]})


def _board_json(x, y, angle_deg, length, width, holes):
    holes = [[u, 0] for u in holes]
    if angle_deg is None:
        return {"shape": "disc", "x": x, "y": y, "radius": width / 2, "holes": holes}
    return {"shape": "strip", "x": x, "y": y, "angle_deg": angle_deg, "length": length, "width": width, "holes": holes}


def own_levels() -> dict[tuple[str, int], Layout]:
    data = json.loads((REPOSITORY / "games" / "bolt_unscrew" / "levels.json").read_text())
    return {(level["difficulty"], level["number"]): parse_layout(level["layout"]) for level in data["levels"]}


def published_levels() -> dict[tuple[str, int], Layout]:
    data = json.loads(PUBLISHED.read_text())
    return {(item["difficulty"], item["number"]): parse_layout(from_published(item)) for item in data["levels"]}


def all_levels() -> dict[tuple[str, str, int], Layout]:
    found = {("own", *key): layout for key, layout in own_levels().items()}
    if PUBLISHED.exists():
        found |= {("published", *key): layout for key, layout in published_levels().items()}
    return found
