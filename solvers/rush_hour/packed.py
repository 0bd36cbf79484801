"""Rush Hour boards packed into one integer, with the moves of a line read from a table.

A packed board is `coordinates << cells | occupancy`: a few bits a vehicle for where it stands (three on sides of up to
8), and one bit a cell for what is covered. A move adds a constant. The moves of the vehicles on one line depend only
on the bits of that line, so they are worked out once for each pattern and looked up afterwards: a board's successors
cost one mask and one look-up a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from games.rush_hour.layout import Cell, Layout, Slide


class LineMoves(dict[int, tuple[int, ...]]):
    """What to add to a board for each move of one line; keyed by the board's bits under `mask`, filled when asked.

    The slide that wins is not in the table but in `wins`, under the same key.
    """

    def __init__(self, board: PackedBoard, vehicles: Sequence[int], longest: int) -> None:
        super().__init__()
        self._board, self._vehicles, self._longest = board, vehicles, longest
        self.wins: dict[int, int] = {}
        self.mask = board.line_mask(vehicles)

    def __missing__(self, key: int) -> tuple[int, ...]:
        """Work out the moves of one line pattern at its first use."""
        return self.fill(key)

    def fill(self, key: int) -> tuple[int, ...]:
        """Work out the moves of one line pattern, and which of them wins."""
        board, target, goal = self._board, self._board.layout.target, self._board.layout.goal
        deltas: list[int] = []
        self.wins[key] = 0
        for vehicle in self._vehicles:
            at = board.coordinate(key, vehicle)
            for to in board.line_reach(key, vehicle, self._longest):
                delta = board.delta(vehicle, at, to)
                if vehicle == target and to == goal:
                    self.wins[key] = delta
                else:
                    deltas.append(delta)
        self[key] = tuple(deltas)
        return self[key]


class PackedBoard:
    """Packing, unpacking and moves for one layout. `longest` is the most cells a move may cover."""

    def __init__(self, layout: Layout, longest: int) -> None:
        self.layout = layout
        self.occupancy_bits = layout.rows * layout.columns
        self.coordinate_bits = (max(layout.rows, layout.columns) - 1).bit_length()
        self._coordinate_mask = (1 << self.coordinate_bits) - 1
        self._occupancy_mask = (1 << self.occupancy_bits) - 1
        self._bushes = self._bits(layout.bushes)
        self._covered = [
            [self._bits(v.cells(at)) for at in range(layout.line_cells(i) - v.length + 1)]
            for i, v in enumerate(layout.vehicles)
        ]
        lines: dict[tuple[str, int], list[int]] = {}
        for i, v in enumerate(layout.vehicles):
            lines.setdefault((v.axis, v.row if v.axis == "h" else v.column), []).append(i)
        self.lines = [LineMoves(self, vehicles, longest) for vehicles in lines.values()]
        self.exit_line = self.lines[list(lines).index(("h", layout.exit_row))]

    def pack(self, at: Sequence[int]) -> int:
        """Return the board with these coordinates."""
        occupancy, coordinates = self._bushes, 0
        for vehicle, coordinate in enumerate(at):
            occupancy |= self._covered[vehicle][coordinate]
            coordinates |= coordinate << self.coordinate_bits * vehicle
        return coordinates << self.occupancy_bits | occupancy

    def unpack(self, board: int) -> tuple[int, ...]:
        """Invert `pack`."""
        return tuple(self.coordinate(board, vehicle) for vehicle in range(len(self._covered)))

    def coordinate(self, board: int, vehicle: int) -> int:
        """Return where one vehicle stands."""
        return board >> self._place_of(vehicle) & self._coordinate_mask

    def _place_of(self, vehicle: int) -> int:
        return self.occupancy_bits + self.coordinate_bits * vehicle

    def _bits(self, cells: Sequence[Cell] | frozenset[Cell]) -> int:
        return sum(1 << self.layout.columns * row + column for row, column in cells)

    def delta(self, vehicle: int, at: int, to: int) -> int:
        """Return what a move adds to a packed board."""
        covered = self._covered[vehicle]
        return ((to - at) << self._place_of(vehicle)) + covered[to] - covered[at]

    def slide_between(self, before: int, after: int) -> Slide:
        """Return the move that leads from one packed board to the next."""
        pairs = zip(self.unpack(before), self.unpack(after), strict=True)
        ((vehicle, offset),) = [(i, b - a) for i, (a, b) in enumerate(pairs) if a != b]
        return Slide(vehicle, offset)

    def successors(self, board: int) -> Iterator[int]:
        """Yield the boards one move away that are not won."""
        for line in self.lines:
            for delta in line[board & line.mask]:
                yield board + delta

    def winning_move(self, board: int) -> int:
        """Return what the move that wins adds, or 0 if no move wins at once."""
        line = self.exit_line
        key = board & line.mask
        if key not in line.wins:
            line.fill(key)
        return line.wins[key]

    def line_mask(self, vehicles: Sequence[int]) -> int:
        """Return the bits that the moves of these vehicles, all on one line, depend on."""
        layout, first = self.layout, self.layout.vehicles[vehicles[0]]
        if first.axis == "h":
            cells = [(first.row, column) for column in range(layout.columns)]
        else:
            cells = [(row, first.column) for row in range(layout.rows)]
        coordinates = sum(self._coordinate_mask << self._place_of(vehicle) for vehicle in vehicles)
        return coordinates | self._bits(cells)

    def line_reach(self, key: int, vehicle: int, longest: int) -> Iterator[int]:
        """Yield the coordinates a vehicle can move to, at most `longest` cells away."""
        covered, at = self._covered[vehicle], self.coordinate(key, vehicle)
        others = key & ~covered[at]
        for sign in (-1, 1):
            to = at + sign
            while (
                0 <= to < len(covered) and abs(to - at) <= longest and not covered[to] & others & self._occupancy_mask
            ):
                yield to
                to += sign


@lru_cache(maxsize=64)
def packed_board(layout: Layout, longest: int) -> PackedBoard:
    """Return the packing of a layout; kept, because its tables fill as they are used."""
    return PackedBoard(layout, longest)
