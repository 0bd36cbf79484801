"""The order of the arms inside blocks: seeded Williams squares, so that neither place nor neighbour favours an arm.

A square of k arms has k orders: every arm is once at every place, and for an even k follows every other arm directly
once; for an odd k it takes the square's mirror image too, which comes next. The squares of all seeded beginnings are
taken before one comes again, so all k! orders are used equally often in the end, and over any first few blocks no arm
is at a place more than one block oftener than at another. Source: Williams (1949), balance for residual effects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, pairwise, permutations
from math import factorial

Order = tuple[str, ...]
Square = tuple[Order, ...]


def squares(arms: Sequence[str], n: int, *, key: Callable[[int, str], int]) -> list[Square]:
    """Return n squares of orders; those of all beginnings come before one comes again.

    Args:
        arms: of a block, at least one.
        n: how many squares.
        key: (draw, arm) -> where the arm stands in the beginning of that draw; a seeded hash.
    """
    found: list[Square] = []
    seen: set[Order] = set()
    draw = 0
    while len(found) < n:
        square = _square(sorted(arms, key=lambda arm: key(draw, arm)))
        draw += 1
        if seen.isdisjoint(square):
            mirrored = tuple(order[::-1] for order in square)
            found += [square] if set(mirrored) == set(square) else [square, mirrored]
            seen.update(square, mirrored)
        if len(seen) == factorial(len(arms)):
            seen.clear()
    return found[:n]


def _square(beginning: Sequence[str]) -> Square:
    """Return the shifts of the zigzag 0, 1, k-1, 2, ... of the arms.

    In an even square each order's mirror image is another one of it, half a turn on: it follows at once, so that of two
    arms each comes before the other equally often after every second block.
    """
    k = len(beginning)
    zigzag = [(place + 1) // 2 if place % 2 else -(place // 2) % k for place in range(k)]
    shifts = range(k) if k % 2 else [half + turn for half in range(k // 2) for turn in (0, k // 2)]
    return tuple(tuple(beginning[(step + shift) % k] for step in zigzag) for shift in shifts)


def balance(orders: Sequence[Sequence[str]]) -> str:
    """Return how often an arm is at a place, and how often it comes directly after another, over the given orders."""
    arms = sorted(set(chain.from_iterable(orders)))
    if len(arms) < 2:
        return ""
    places = Counter((place, arm) for order in orders for place, arm in enumerate(order))
    after = Counter(pair for order in orders for pair in pairwise(order))
    at = [places[place, arm] for place in range(len(arms)) for arm in arms]
    pairs = [after[pair] for pair in permutations(arms, 2)]
    return (
        f"order of {' '.join(arms)}: {len(set(map(tuple, orders)))} of {factorial(len(arms))} orders, each arm at each "
        f"place {_span(at)} times, directly after each other arm {_span(pairs)} times"
    )


def _span(counts: Sequence[int]) -> str:
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
