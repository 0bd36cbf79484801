"""Decides a Nut and Bolt board by the nuts buried under top runs; how the exposed ones are spread is irrelevant.

A bolt is a stack of runs. The runs below the top one are *buried*: they change only when the top run leaves as a
whole, and then one more run is exposed. So the buried part of bolt b is always a prefix of what it was, and a number
of runs says it.

The claim: whether a board can be won depends only on these numbers. Take a colour c with x exposed nuts. Its hosts
are the bolts with something buried and c on top, with room for r nuts of c in all; a *home* is a bolt that holds
nothing but c.

* Nuts of c can be poured between hosts and a home freely, each time until one is empty or the other full. So if x <=
  r, c needs no home and any homes it has can be emptied; if x > r it needs exactly one, and one is enough, since x <=
  capacity.
* A bolt b with c on top can be relieved of its run iff the other hosts have room for all x nuts, or c has a home, or
  an empty bolt can become one. Bolts are occupied by their buried nuts or as homes in need; the rest can be emptied
  as above.
* Hence the reachable numbers depend on the numbers only: relieving b is possible iff, with b's room taken from c,
  (bolts with something buried) + (colours in need of a home) is at most the number of bolts.
* With nothing buried every colour can be poured onto a home of its own, which wins.

Each transition exposes one run and none is ever buried again: an acyclic graph, searched depth first with the numbers
packed into one mixed-radix integer. `need[c]` is x - r; relieving b of c adds b's room to it. The tests compare the
claim with exhaustive search over the boards themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from solvers.certificate import Undecided

Run = tuple[str, int]
"""A colour and how many nuts of it lie together."""


class Verdicts:
    """Solvable or dead, for one board and every board reachable from it."""

    def __init__(self, bolts: Sequence[Sequence[str]], capacity: int) -> None:
        self.capacity = capacity
        self.runs: list[list[Run]] = [[(colour, len(list(nuts))) for colour, nuts in groupby(bolt)] for bolt in bolts]
        self.colours = sorted({nut for bolt in bolts for nut in bolt})
        self.weights: list[int] = []
        """What one buried run of each bolt counts in a code."""
        weight = 1
        for runs in self.runs:
            self.weights.append(weight)
            weight *= max(1, len(runs))
        self.start = self.code([max(0, len(runs) - 1) for runs in self.runs])
        self.known: dict[int, bool] = {0: True}
        """Codes decided so far."""

    def code(self, buried: Sequence[int]) -> int:
        """Return the code of a board from the number of buried runs of each bolt."""
        return sum(weight * count for weight, count in zip(self.weights, buried, strict=True))

    def is_solvable(self, code: int, state_limit: int) -> bool | Undecided:
        """Tell whether the boards with this code can be won. `state_limit` bounds the codes decided in all."""
        if code not in self.known:
            _Search(self, code, state_limit).run()
        return self.known.get(code, Undecided(state_limit))

    def buried(self, code: int) -> list[int]:
        """Invert `code`."""
        return [code // weight % max(1, len(runs)) for weight, runs in zip(self.weights, self.runs, strict=True)]


class _Search:
    """Depth-first search from one code, on numbers that are kept up to date while it goes down and up."""

    def __init__(self, verdicts: Verdicts, code: int, state_limit: int) -> None:
        self._weights, self._known, self._limit = verdicts.weights, verdicts.known, state_limit
        self._code = code
        self._count = verdicts.buried(code)
        self._runs = verdicts.runs
        self._n_bolts = len(self._runs)
        self._stuck_on = [b for b, count in enumerate(self._count) if count]
        self._room = [
            verdicts.capacity - sum(length for _, length in runs[:count])
            for runs, count in zip(self._runs, self._count, strict=True)
        ]
        self.need = dict.fromkeys(verdicts.colours, verdicts.capacity)
        for runs, count, room in zip(self._runs, self._count, self._room, strict=True):
            for colour, length in runs[:count]:
                self.need[colour] -= length
            if count:
                self.need[runs[count][0]] -= room
        self._occupied = len(self._stuck_on) + sum(need > 0 for need in self.need.values())

    def run(self) -> bool | None:
        """Decide the code the numbers stand at; None if the limit was met. Fills the table of known codes."""
        known, code = self._known, self._code
        if code in known:
            return known[code]
        if len(known) >= self._limit:
            return None
        for bolt in self._candidates():
            self._relieve(bolt)
            verdict = self.run()
            self._bury(bolt)
            if verdict is not False:
                if verdict:
                    known[code] = True
                return verdict
        known[code] = False
        return False

    def _candidates(self) -> list[int]:
        """Return the bolts that can be relieved, those that occupy no further bolt first."""
        free: list[int] = []
        costly: list[int] = []
        for bolt in self._stuck_on:
            if self._count[bolt]:
                need = self.need[self._runs[bolt][self._count[bolt]][0]]
                (costly if need <= 0 < need + self._room[bolt] else free).append(bolt)
        return free + costly if self._occupied < self._n_bolts else free

    def _relieve(self, bolt: int) -> None:
        """Take the top run off a bolt: its room no longer serves that colour but the next one."""
        top, (below, length) = self._runs[bolt][self._count[bolt]][0], self._runs[bolt][self._count[bolt] - 1]
        self._change_need(top, self._room[bolt])
        self._count[bolt] -= 1
        self._code -= self._weights[bolt]
        if self._count[bolt]:
            self._change_need(below, -self._room[bolt])
            self._room[bolt] += length
        else:
            self._room[bolt] += length
            self._occupied -= 1
            self._change_need(below, length)

    def _bury(self, bolt: int) -> None:
        """Undo `_relieve`."""
        below, length = self._runs[bolt][self._count[bolt]]
        self._room[bolt] -= length
        if self._count[bolt]:
            self._change_need(below, self._room[bolt])
        else:
            self._occupied += 1
            self._change_need(below, -length)
        self._count[bolt] += 1
        self._code += self._weights[bolt]
        self._change_need(self._runs[bolt][self._count[bolt]][0], -self._room[bolt])

    def _change_need(self, colour: str, change: int) -> None:
        before = self.need[colour]
        after = self.need[colour] = before + change
        self._occupied += (after > 0) - (before > 0)
