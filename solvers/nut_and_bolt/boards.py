"""Nut and Bolt boards as strings: one character a bolt, standing for what the bolt holds.

Every different filling of a bolt gets a character when it first appears, so a transfer is a look-up of two
characters, and a board with its bolts sorted (they are interchangeable) is a short string that can be compared and
stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

FIRST_CHARACTER = 0x100


class Fillings:
    """The fillings of bolts met so far, and what each transfer between two of them gives."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._character: dict[tuple[str, ...], str] = {}
        self._after: dict[str, tuple[str, str] | None] = {}
        self.filling: dict[str, tuple[str, ...]] = {}
        self.n_runs: dict[str, int] = {}
        self.n_buried: dict[str, int] = {}
        self.bottom: dict[str, str | None] = {}
        self.empty = self.character(())

    def character(self, bolt: tuple[str, ...]) -> str:
        """Return the character of a filling."""
        if bolt not in self._character:
            name = self._character[bolt] = chr(FIRST_CHARACTER + len(self._character))
            self.filling[name] = bolt
            self.n_runs[name] = sum(1 for _ in groupby(bolt))
            self.n_buried[name] = max(0, self.n_runs[name] - 1)
            self.bottom[name] = bolt[0] if bolt else None
        return self._character[bolt]

    def board(self, bolts: Sequence[tuple[str, ...]]) -> str:
        """Return a board as a string, in the order of its bolts."""
        return "".join(self.character(bolt) for bolt in bolts)

    def successors(self, board: str) -> Iterator[tuple[int, int, str]]:
        """Yield (source, destination, board) for every transfer that changes more than the names of bolts."""
        first_empty = board.find(self.empty)
        for source, taken in enumerate(board):
            n_runs = self.n_runs[taken]
            for destination, onto in enumerate(board):
                if source == destination or not n_runs:
                    continue
                if onto == self.empty and (destination != first_empty or n_runs == 1):
                    continue
                pair = self._transfer(taken, onto)
                if pair:
                    bolts = list(board)
                    bolts[source], bolts[destination] = pair
                    yield source, destination, "".join(bolts)

    def least_moves(self, board: str) -> int:
        """Return a consistent lower bound of the transfers to a win.

        A transfer joins at most two runs, and one onto an empty bolt joins none; in the end each colour is one run,
        and a colour at the bottom of no bolt must once go onto an empty one. So: runs - colours + colours at no
        bottom, which is runs - colours at some bottom.
        """
        bottoms = {self.bottom[bolt] for bolt in board}
        bottoms.discard(None)
        return sum(self.n_runs[bolt] for bolt in board) - len(bottoms)

    def _transfer(self, taken: str, onto: str) -> tuple[str, str] | None:
        key = taken + onto
        if key not in self._after:
            self._after[key] = self._work_out(self.filling[taken], self.filling[onto])
        return self._after[key]

    def _work_out(self, taken: tuple[str, ...], onto: tuple[str, ...]) -> tuple[str, str] | None:
        if onto and onto[-1] != taken[-1]:
            return None
        run = next(len(list(nuts)) for _, nuts in groupby(reversed(taken)))
        count = min(run, self._capacity - len(onto))
        if not count:
            return None
        return self.character(taken[:-count]), self.character(onto + taken[-count:])
