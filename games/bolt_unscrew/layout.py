"""Bolt Unscrew layouts: a plate with holes (anchors), some with a screw, and layered wooden boards with drilled holes.

Coordinates are authoring units, origin top left, y down, on a plate of 540 x 960; `PLAY_ZONE` holds the puzzle. A board
is a stadium: every point within `rim` of a core segment of half-length `core` along its own u axis. A round-ended strip
has rim = width / 2 and core = length / 2 - rim; a disc has core = 0. A board's own frame has its origin in the centre
(which is also its centre of mass: drilled holes are weightless), u along the strip, v a quarter turn clockwise from u.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal

from games.colours import read_colour
from games.contract import JsonObject, JsonValue, LevelError

PLATE_WIDTH, PLATE_HEIGHT = 540.0, 960.0
PLAY_ZONE = (20.0, 120.0, 520.0, 820.0)
"""Left, top, right, bottom: where our own levels keep all wood of the initial board."""
NEAREST = 36.0
"""How close two anchors may be: there the head of a screw touches the hole beside it."""
SHORTEST = 48.0
"""Length of a board, diameter of a disc: a shorter one can lie wholly under a screw's head, where nobody sees it."""
OFFSET_GRID = 1e-4
"""Hole offsets are multiples of this; so are pivots in a board's frame (`mechanics`)."""
ANCHOR_ZONE = (14.0, 94.0, 526.0, 836.0)
"""Left, top, right, bottom: where a hole of the plate and the screw in it are wholly on the screen's plate."""
COLOURS = ("oak", "walnut", "cherry", "maple", "teak", "birch", "pine", "ebony")
"""Names of stains; the view decides how each looks. A layout may name any colour as well."""

Shape = Literal["strip", "disc"]
Point = tuple[float, float]


@dataclass(frozen=True)
class Anchor:
    """A hole of the plate; `screw` tells whether a screw stands there at the start."""

    x: float
    y: float
    screw: bool


@dataclass(frozen=True)
class Board:
    """One wooden board in its authored place."""

    shape: Shape
    x: float
    y: float
    angle_deg: float
    """Direction of the u axis, clockwise on screen from the x axis."""
    length: float
    """Over the round ends; the diameter of a disc."""
    width: float
    holes: tuple[Point, ...]
    """Hole centres (u, v) in the board's own frame."""
    layer: int
    """Larger is nearer the viewer; ties keep list order."""
    colour: str

    @property
    def rim(self) -> float:
        """Radius of the round ends."""
        return self.width / 2

    @property
    def core(self) -> float:
        """Half-length of the core segment."""
        return (self.length - self.width) / 2


@dataclass(frozen=True)
class Layout:
    """One level as authored. Anchors and boards are named by their index."""

    anchors: tuple[Anchor, ...]
    boards: tuple[Board, ...]

    def __hash__(self) -> int:
        """Return a hash of the numbers alone, computed once; the same in every process."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        boards = tuple((b.x, b.y, b.angle_deg, b.length, b.width, b.holes, b.layer) for b in self.boards)
        return hash((tuple((a.x, a.y, a.screw) for a in self.anchors), boards))

    @property
    def screws(self) -> tuple[int, ...]:
        """Anchors with a screw at the start."""
        return tuple(index for index, anchor in enumerate(self.anchors) if anchor.screw)

    @cached_property
    def drawing_order(self) -> tuple[int, ...]:
        """Boards from the back to the front."""
        return tuple(sorted(range(len(self.boards)), key=lambda index: self.boards[index].layer))


def parse_layout(data: JsonObject) -> Layout:
    """Read a layout; its form is checked here, its mechanics in `rules.parse_layout`.

    Form: `{"anchors": [{"x", "y", "screw"}], "boards": [{"shape": "strip", "x", "y", "angle_deg", "length", "width",
    "holes": [[u, v]], "layer", "colour"} | {"shape": "disc", "x", "y", "angle_deg", "radius", "holes", "layer",
    "colour"}]}`; `angle_deg` and `layer` default to 0, `colour` to the first of `COLOURS`. Anchors lie in
    `ANCHOR_ZONE`, centres of boards on the plate; hole offsets are rounded to `OFFSET_GRID`.

    Raises:
        LevelError: names the field, the value found and the value wanted.
    """
    anchors = tuple(_anchor(item, f"anchors[{i}]") for i, item in enumerate(_items(data, "anchors", "layout")))
    boards = tuple(_board(item, f"boards[{i}]") for i, item in enumerate(_items(data, "boards", "layout")))
    if not boards:
        raise LevelError("boards: found none, wanted at least one")
    for (i, one), (k, other) in combinations(enumerate(anchors), 2):
        if (apart := math.dist((one.x, one.y), (other.x, other.y))) < NEAREST:
            raise LevelError(f"anchors[{k}]: found {apart:g} from anchors[{i}], wanted at least {NEAREST:g}")
    return Layout(anchors, boards)


def layout_to_json(layout: Layout) -> JsonObject:
    """Invert `parse_layout`."""
    anchors = [{"x": a.x, "y": a.y, "screw": a.screw} for a in layout.anchors]
    return {"anchors": anchors, "boards": [_board_to_json(board) for board in layout.boards]}


def _board_to_json(board: Board) -> JsonObject:
    size: JsonObject = (
        {"radius": board.rim} if board.shape == "disc" else {"length": board.length, "width": board.width}
    )
    place = {"shape": board.shape, "x": board.x, "y": board.y, "angle_deg": board.angle_deg}
    return {**place, **size, "holes": [list(h) for h in board.holes], "layer": board.layer, "colour": board.colour}


def _anchor(item: JsonValue, where: str) -> Anchor:
    screw = _field(item, "screw", where)
    if not isinstance(screw, bool):
        raise LevelError(f"{where}.screw: found {screw!r}, wanted true or false")
    left, top, right, bottom = ANCHOR_ZONE
    return Anchor(_number(item, "x", where, left, right), _number(item, "y", where, top, bottom), screw)


def _board(item: JsonValue, where: str) -> Board:
    shape = _field(item, "shape", where)
    if shape not in ("strip", "disc"):
        raise LevelError(f"{where}.shape: found {shape!r}, wanted 'strip' or 'disc'")
    if shape == "disc":
        length = width = 2 * _number(item, "radius", where, SHORTEST / 2, PLATE_HEIGHT)
    else:
        width = _number(item, "width", where, 1, PLATE_HEIGHT)
        length = _number(item, "length", where, max(width, SHORTEST), 2 * PLATE_HEIGHT)
    holes = tuple(_hole(hole, f"{where}.holes[{i}]") for i, hole in enumerate(_items(item, "holes", where)))
    if not holes:
        raise LevelError(f"{where}.holes: found none, wanted at least one")
    layer, colour = item.get("layer", 0), item.get("colour", COLOURS[0])
    if type(layer) is not int:
        raise LevelError(f"{where}.layer: found {layer!r}, wanted an integer")
    x, y = _number(item, "x", where, 0, PLATE_WIDTH), _number(item, "y", where, 0, PLATE_HEIGHT)
    turned = _number({"angle_deg": 0, **item}, "angle_deg", where, -math.inf, math.inf)
    angle_deg = turned if abs(turned) <= 360 else math.fmod(turned, 360)
    return Board(shape, x, y, angle_deg, length, width, holes, layer, read_colour(f"{where}.colour", colour))


def _hole(item: JsonValue, where: str) -> Point:
    if not isinstance(item, Sequence) or isinstance(item, str) or len(item) != 2:
        raise LevelError(f"{where}: found {item!r}, wanted [u, v]")
    pair = {"u": item[0], "v": item[1]}
    u, v = (_number(pair, name, where, -PLATE_HEIGHT, PLATE_HEIGHT) for name in "uv")
    return _on_grid(u), _on_grid(v)


def _on_grid(value: float) -> float:
    """Return the offset, on the grid; one that lies on it but for a rounding error is kept as it is."""
    nearest = round(value / OFFSET_GRID)
    return value if abs(value / OFFSET_GRID - nearest) <= 1e-3 else round(nearest * OFFSET_GRID, 4)


def _items(item: JsonValue, name: str, where: str) -> list[JsonValue]:
    value = _field(item, name, where)
    if not isinstance(value, list):
        raise LevelError(f"{where}.{name}: found {value!r:.80}, wanted a list")
    return value


def _field(item: JsonValue, name: str, where: str) -> JsonValue:
    if not isinstance(item, dict) or name not in item:
        raise LevelError(f"{where}.{name}: found nothing in {item!r:.80}, wanted a value")
    return item[name]


def _number(item: JsonValue, name: str, where: str, low: float, high: float) -> float:
    value = _field(item, name, where)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise LevelError(f"{where}.{name}: found {value!r}, wanted a number")
    if not low <= value <= high:
        raise LevelError(f"{where}.{name}: found {value!r}, wanted {low:g} to {high:g}")
    return float(value)
