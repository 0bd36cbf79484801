"""Makes the Color Connect levels:  python -m solvers.generators.color_connect   rewrites their levels.json.

A candidate begins with a random path through all cells of the grid (a snake, stirred by backbite moves) that is cut
into pieces which never run beside themselves; the ends of each piece are a pair of dots. So every candidate has a
solution that fills the board. It is kept if its number of pairs fits its size and the exact count of complete
drawings (free cells allowed) is one: every level has exactly one solution. Candidate `draw` of a size has its own
generator, seeded by (SEED, size, draw).

Order inside a tier: the exact least number of clicks; ties by the number of cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from games.color_connect.game import GAME
from games.color_connect.layout import Layout, Pair, layout_to_json
from games.color_connect.rules import Path, initial_state
from games.colours import PALETTE
from games.grid import DIRECTION, Cell, symmetric_images
from solvers.certificate import Solvable
from solvers.color_connect import SOLVER, count_drawings
from solvers.generators.released import Released, write_levels

VERSION = "1"
SEED = 20260
STATE_LIMIT = 400_000
SHORTEST_PATH = 3
"""Cells of the shortest path allowed, its dots included: dots of a pair are never neighbours."""


@dataclass(frozen=True)
class Size:
    """What one level is like."""

    difficulty: str
    rows: int
    columns: int
    pairs: tuple[int, int]


SIZES = (
    Size("easy", 5, 5, (3, 5)),
    Size("easy", 5, 5, (3, 5)),
    Size("easy", 6, 5, (4, 6)),
    Size("easy", 5, 6, (4, 6)),
    Size("easy", 6, 6, (5, 7)),
    Size("easy", 6, 6, (5, 7)),
    Size("easy", 7, 6, (5, 8)),
    Size("easy", 6, 7, (5, 8)),
    Size("easy", 7, 7, (6, 10)),
    Size("easy", 7, 7, (6, 10)),
    Size("hard", 8, 8, (8, 11)),
    Size("hard", 8, 8, (8, 11)),
    Size("hard", 9, 8, (8, 12)),
    Size("hard", 8, 9, (8, 12)),
    Size("hard", 9, 9, (9, 13)),
    Size("hard", 9, 9, (9, 13)),
    Size("hard", 10, 9, (9, 14)),
    Size("hard", 10, 10, (10, 15)),
    Size("hard", 10, 11, (10, 15)),
    Size("hard", 11, 11, (11, 15)),
)


def candidate(index: int, draw: int) -> Layout | None:
    """Return candidate `draw` of a size; None if it has too few or too many pairs."""
    size = SIZES[index]
    rng = np.random.default_rng([SEED, index, draw])
    pieces = _pieces(_stirred_path(size.rows, size.columns, rng), rng)
    if pieces is None or not size.pairs[0] <= len(pieces) <= size.pairs[1]:
        return None
    names = [tuple(PALETTE)[k] for k in rng.permutation(len(pieces)).tolist()]
    ends = sorted((min(piece[0], piece[-1]), max(piece[0], piece[-1])) for piece in pieces)
    pairs = tuple(Pair(name, first, last) for name, (first, last) in zip(names, ends, strict=True))
    return Layout(size.rows, size.columns, pairs)


def _stirred_path(rows: int, columns: int, rng: np.random.Generator) -> list[Cell]:
    """Return a random path through all cells: a snake after many backbite moves.

    A backbite joins an end of the path to a neighbouring cell of it and cuts the edge that closes the loop; it keeps
    the path whole. Source: Oberdorf et al., Physical Review E 74, 051801 (2006).
    """
    path = [(r, c if r % 2 == 0 else columns - 1 - c) for r in range(rows) for c in range(columns)]
    for _ in range(12 * rows * columns):
        if rng.random() < 0.5:
            path.reverse()
        place = {cell: k for k, cell in enumerate(path)}
        near = [place[cell] for cell in _beside(path[0]) if place.get(cell, 1) > 1]
        if near:
            k = near[int(rng.integers(len(near)))]
            path[:k] = path[:k][::-1]
    return path


def _beside(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + down, cell[1] + right) for down, right in DIRECTION.values())


def _pieces(path: list[Cell], rng: np.random.Generator) -> list[Path] | None:
    """Cut a path where a piece would run beside itself, sometimes a little earlier; None if a piece is no good then."""
    pieces: list[Path] = []
    piece: list[Cell] = []
    for cell in path:
        if any(near in piece[:-1] for near in _beside(cell)):
            is_early = len(piece) > SHORTEST_PATH + 3 and rng.random() < 0.3
            early = int(rng.integers(1, 3)) if is_early else 0
            rest = piece[len(piece) - early :]
            pieces.append(tuple(piece[: len(piece) - early]))
            piece = rest
        piece.append(cell)
    pieces.append(tuple(piece))
    too_short = any(len(piece) < SHORTEST_PATH for piece in pieces)
    return None if too_short or any(_touches_itself(piece) for piece in pieces) else pieces


def _touches_itself(piece: Path) -> bool:
    return any(near in piece[: max(0, k - 1)] for k, cell in enumerate(piece) for near in _beside(cell))


def level(index: int, seen: set[frozenset[frozenset[Cell]]]) -> Released:
    """Return the first candidate of a size with exactly one solution that is no image of a level in `seen`."""
    for draw in count():
        layout = candidate(index, draw)
        if layout is not None and not seen & set(images(layout)) and _has_one_drawing(layout):
            seen.update(images(layout))
            return _release(index, layout, draw)
    raise AssertionError("count() does not end")


def _has_one_drawing(layout: Layout) -> bool:
    return count_drawings(layout, state_limit=STATE_LIMIT) == 1


def images(layout: Layout) -> Iterator[frozenset[frozenset[Cell]]]:
    """Yield the pairs of dots without their colours under the symmetries of the grid."""
    marks = [(dot, str(k)) for dot, k in layout.dots.items()]
    for image in symmetric_images(marks, layout.rows, layout.columns):
        dots: dict[str, set[Cell]] = {}
        for cell, mark in image:
            dots.setdefault(mark, set()).add(cell)
        yield frozenset(frozenset(pair) for pair in dots.values())


def _release(index: int, layout: Layout, draw: int) -> Released:
    claim = SOLVER.certify(initial_state(layout), state_limit=STATE_LIMIT, optimal=True)
    assert isinstance(claim, Solvable)
    provenance = {
        "generator": "solvers.generators.color_connect",
        "version": VERSION,
        "seed": SEED,
        "size": index,
        "draw": draw,
        "solver_version": SOLVER.version,
        "measures": {"pairs": len(layout.pairs), "complete_drawings": 1},
    }
    return Released(SIZES[index].difficulty, layout_to_json(layout), claim, provenance)


def levels() -> list[Released]:
    """Return all levels, inside a tier by fewest clicks, then by cells."""
    seen: set[frozenset[frozenset[Cell]]] = set()
    made = [level(index, seen) for index in range(len(SIZES))]
    return sorted(made, key=lambda one: (one.claim.distance, one.layout["rows"] * one.layout["columns"]))


if __name__ == "__main__":
    write_levels(GAME, levels())
