"""The motifs of the easy Bolt Unscrew levels: fixed compositions, from one screw upward, with holes to spare."""

from __future__ import annotations

from solvers.generators.bolt_motif import Motif, both, discs, pair, plain, single


def hut() -> Motif:
    """Two rafters on a beam."""
    ridge, feet = (270, 300), both(150, 460)
    return plain("hut", (pair(ridge, feet[0]), single(*feet)), *both(150, 240))


def tee() -> Motif:
    """A crossbar on a post."""
    bar = (single((140, 330), (270, 330), (400, 330)), single((270, 330), (270, 540)), discs((270, 540), radius=52))
    return plain("tee", bar, *both(200, 220))


def gate() -> Motif:
    """A lintel on two posts, with a knob on each foot."""
    heads, feet = both(150, 330), both(150, 560)
    parts = (single(heads[0], (270, 330), heads[1]), pair(heads[0], feet[0]), discs(*feet, radius=50))
    return plain("gate", parts, *both(200, 210), (270, 470))


def kite() -> Motif:
    """A kite with its cross and tail."""
    top, wings, foot, tail = (270, 270), both(140, 400), (270, 620), (270, 760)
    parts = (pair(top, wings[0]), pair(wings[0], foot), single(*wings), single(foot, tail), discs(tail, radius=46))
    return plain("kite", parts, *both(110, 220), (270, 510))


def house() -> Motif:
    """Walls, floors and a roof with a round window."""
    ridge, eaves, floor, middle = (270, 250), both(130, 400), both(130, 640), (270, 520)
    parts = (
        pair(ridge, eaves[0]),
        single(*eaves),
        pair(eaves[0], floor[0]),
        single(floor[0], (270, 640), floor[1]),
        discs(middle, radius=62),
    )
    return plain("house", parts, *both(90, 220), (270, 160))


def fir() -> Motif:
    """A fir with three tiers of branches on a trunk."""
    tops, tiers = ((270, 260), (270, 420), (270, 580)), (both(190, 380), both(150, 540), both(110, 700))
    branches = tuple(pair(top, tier[0]) for top, tier in zip(tops, tiers, strict=True))
    trunk = (single(*tops), single(tops[2], (270, 760)))
    return plain("fir", (*branches, *trunk), *both(70, 260), *both(150, 180))


EASY = (
    plain("knob", (discs((270, 440), radius=60),), (270, 250)),
    plain("bar", (single((180, 430), (360, 430)),), (270, 250)),
    hut(),
    tee(),
    gate(),
    kite(),
    house(),
    fir(),
)
"""One level each, from one screw upward."""
