"""The frontier search: reads the grid cell by cell and keeps only what crosses the line between read and unread cells.

A frontier is a byte string with one slot per column (the edge that leads down into the row not yet read) and a last
slot (the edge that leads right into the next cell). A slot holds

    0           no path crosses here
    1  KEPT     an edge of a path that is already drawn and stays
    2 + j       a path of no colour yet, whose other end crosses at slot j
    2 + n + p   a path that hangs on a dot of pair p      (n = number of slots)

Two drawings of the read part with equal frontiers can be completed in the same ways, so only the cheapest (or the
number) of them is kept. Free cells are allowed; a path may run beside itself; loops are not made.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvers.color_connect.board import NEW_PATH_COST, REMOVE_COST, BoardCell, Prefix

KEPT = 1
_FIRST_SLOT = 2

Frontier = bytes
Step = tuple[Frontier, int]
"""A frontier after one more cell, and the clicks that the cell adds."""


class Reader:
    """Reads cells of a grid that is `columns` wide.

    With `erase` false nothing already drawn may be taken back: finished paths stay and the active one goes on from
    its head.
    """

    def __init__(self, columns: int, *, erase: bool) -> None:
        self.right = columns
        self.coloured = _FIRST_SLOT + columns + 1
        self.erase = erase

    def empty(self) -> Frontier:
        """Return the frontier before the first cell and after the last."""
        return bytes(self.right + 1)

    def read(self, frontier: Frontier, cell: BoardCell) -> list[Step]:
        """Return every way to go on over a cell."""
        if cell.kept is not None:
            return self._finished(frontier, cell)
        if cell.prefix is not None:
            return self._active(frontier, cell, cell.prefix)
        if cell.is_blocked:
            return [(frontier, 0)] if not frontier[cell.column] and not frontier[self.right] else []
        return self._fresh(frontier, cell)

    def _fresh(self, frontier: Frontier, cell: BoardCell) -> list[Step]:
        """A cell on which nothing drawn stays."""
        return self._plain(frontier, cell) if cell.dot is None else self._dot(frontier, cell, cell.dot)

    def _plain(self, frontier: Frontier, cell: BoardCell) -> list[Step]:
        """A cell without a dot: free, or one path goes through it; a corner costs a click."""
        up, left = frontier[cell.column], frontier[self.right]
        if KEPT in (up, left):
            return []
        if up and left:
            return self._join(frontier, cell, up, left)
        if up or left:
            steps = []
            if cell.can_go_down:
                steps.append((frontier if up else self._move(frontier, self.right, cell.column), 0 if up else 1))
            if cell.can_go_right:
                steps.append((frontier if left else self._move(frontier, cell.column, self.right), 0 if left else 1))
            return steps
        if not (cell.can_go_down and cell.can_go_right):
            return [(frontier, 0)]
        corner = bytearray(frontier)
        corner[cell.column], corner[self.right] = _FIRST_SLOT + self.right, _FIRST_SLOT + cell.column
        return [(frontier, 0), (bytes(corner), 1)]

    def _move(self, frontier: Frontier, old: int, new: int) -> Frontier:
        """Let the path that crosses at slot `old` cross at `new` instead."""
        after = bytearray(frontier)
        label = after[new] = after[old]
        after[old] = 0
        if label < self.coloured:
            after[label - _FIRST_SLOT] = _FIRST_SLOT + new
        return bytes(after)

    def _join(self, frontier: Frontier, cell: BoardCell, up: int, left: int) -> list[Step]:
        """Two paths meet in a corner: one colour, or at least one without; never the two ends of one path."""
        if up >= self.coloured and left >= self.coloured:
            if up != left:
                return []
        elif up == _FIRST_SLOT + self.right:
            return []
        after = bytearray(frontier)
        after[cell.column] = after[self.right] = 0
        if up < self.coloured:
            after[up - _FIRST_SLOT] = left
        if left < self.coloured:
            after[left - _FIRST_SLOT] = up
        return [(bytes(after), 1)]

    def _dot(self, frontier: Frontier, cell: BoardCell, pair: int, cost: int = 0) -> list[Step]:
        """A cell where a path of a pair ends: exactly one edge."""
        up, left = frontier[cell.column], frontier[self.right]
        colour = self.coloured + pair
        if not up and not left:
            ways = ((cell.can_go_down, cell.column), (cell.can_go_right, self.right))
            return [(_with(frontier, slot, colour), cost) for is_open, slot in ways if is_open]
        label = up or left
        if (up and left) or label == KEPT or (label >= self.coloured and label != colour):
            return []
        after = bytearray(frontier)
        after[cell.column] = after[self.right] = 0
        if label < self.coloured:
            after[label - _FIRST_SLOT] = colour
        return [(bytes(after), cost)]

    def _finished(self, frontier: Frontier, cell: BoardCell) -> list[Step]:
        """A cell of a finished path: the path stays whole, or it is removed whole and drawn anew."""
        kept = cell.kept
        assert kept is not None
        stays = None if kept.crossing_slot is None else frontier[kept.crossing_slot] == KEPT
        steps: list[Step] = []
        if stays is not False:
            steps.extend(self._keep(frontier, cell, kept.ways))
        if stays is not True and self.erase:
            extra = REMOVE_COST + NEW_PATH_COST if kept.is_first else 0
            steps.extend((after, cost + extra) for after, cost in self._fresh(frontier, cell))
        return steps

    def _keep(self, frontier: Frontier, cell: BoardCell, ways: frozenset[str]) -> list[Step]:
        """Go on with drawn edges only: those that come in must be there and be kept, and nothing else."""
        up, left = frontier[cell.column], frontier[self.right]
        if up != (KEPT if "up" in ways else 0) or left != (KEPT if "left" in ways else 0):
            return []
        after = bytearray(frontier)
        after[cell.column] = KEPT if "down" in ways else 0
        after[self.right] = KEPT if "right" in ways else 0
        return [(bytes(after), 0)]

    def _active(self, frontier: Frontier, cell: BoardCell, prefix: Prefix) -> list[Step]:
        """A cell of the active path: inside the part that stays, its end, or beyond it."""
        return [
            step
            for is_kept in self._back_choices(frontier, cell, prefix)
            for step in self._inside(frontier, cell, prefix, is_kept)
        ]

    def _back_choices(self, frontier: Frontier, cell: BoardCell, prefix: Prefix) -> Iterator[bool]:
        """Tell whether the path up to this cell may stay: read off the frontier if the cell before was read."""
        if prefix.back is None:
            yield True
        elif prefix.back in ("up", "left"):
            yield frontier[cell.column if prefix.back == "up" else self.right] == KEPT
        else:
            yield from (True, False)

    def _inside(self, frontier: Frontier, cell: BoardCell, prefix: Prefix, is_kept: bool) -> list[Step]:
        if not is_kept:
            return self._fresh_beyond(frontier, cell, prefix)
        steps: list[Step] = []
        if prefix.onward is not None:
            steps.extend(self._keep(frontier, cell, frozenset({prefix.onward, prefix.back or prefix.onward})))
        if prefix.onward is None or self.erase:
            steps.extend(self._end(frontier, cell, prefix))
        return steps

    def _fresh_beyond(self, frontier: Frontier, cell: BoardCell, prefix: Prefix) -> list[Step]:
        """A cell beyond the part that stays is like any other, but no kept edge may reach it."""
        return self._fresh(frontier, cell) if self.erase else []

    def _end(self, frontier: Frontier, cell: BoardCell, prefix: Prefix) -> list[Step]:
        """The part that stays ends here; the path goes on from this cell by an edge of its own."""
        cost = NEW_PATH_COST - 1 + (0 if prefix.onward is None else 1)
        if prefix.back is None:
            return self._dot(frontier, cell, prefix.pair, cost)
        slot = {"up": cell.column, "left": self.right, "down": cell.column, "right": self.right}[prefix.back]
        if prefix.back in ("up", "left"):
            return self._dot(_with(frontier, slot, 0), cell, prefix.pair, cost)
        return self._end_before(frontier, cell, prefix, slot, cost)

    def _end_before(self, frontier: Frontier, cell: BoardCell, prefix: Prefix, slot: int, cost: int) -> list[Step]:
        """The kept edge leads on to an unread cell, so the new edge takes one of the other three sides."""
        return [
            (_with(after, slot, KEPT), paid)
            for after, paid in self._dot(frontier, cell, prefix.pair, cost)
            if not after[slot]
        ]


def _with(frontier: Frontier, slot: int, label: int) -> Frontier:
    after = bytearray(frontier)
    after[slot] = label
    return bytes(after)
