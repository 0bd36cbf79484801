"""The motifs of the hard Bolt Unscrew levels; the first is the one made to be nearly free of dead ends."""

from __future__ import annotations

import math
from itertools import pairwise

from solvers.generators.bolt_motif import MIDDLE_X, Joint, Motif, both, discs, mirrored, pair, single


def _around(radius: int, degrees: float, hub: Joint) -> Joint:
    angle = math.radians(degrees)
    return round(hub[0] + radius * math.cos(angle)), round(hub[1] + radius * math.sin(angle))


def pagoda() -> Motif:
    """Roofs of growing width over a trunk, with free holes above everything: nearly no dead ends."""
    rows = ((96, 310), (132, 446), (168, 582), (204, 718))
    left = [(MIDDLE_X - half, y) for half, y in rows]
    trunk = [(MIDDLE_X, y) for _, y in rows]
    right = list(mirrored(*left))
    roofs = tuple(single(a, b, c) for a, b, c in zip(left, trunk, right, strict=True))
    eaves = tuple(pair(upper, lower) for upper, lower in pairwise(left))
    posts = tuple(single(upper, lower) for upper, lower in pairwise(trunk))
    knobs = (
        *(discs(a, b, radius=48) for a, b in zip(left[:3], right[:3], strict=True)),
        *(discs(t, radius=60) for t in trunk),
    )
    return Motif(
        "pagoda", roofs + eaves + posts, knobs, (4, 6), ((*both(70, 160), *both(170, 160), (270, 160)),), (1, 1)
    )


def star() -> Motif:
    """A six-pointed wheel: spokes through a hub, a rim, and an outer ring of discs."""
    hub = (270, 470)
    rim = [_around(190, 60 * k - 90, hub) for k in range(6)]
    inner = [_around(112, 60 * k - 60, hub) for k in range(6)]
    spokes = tuple(single(rim[k], hub, rim[k + 3]) for k in range(3))
    edges = (pair(rim[0], rim[1]), pair(rim[1], rim[2]), pair(rim[2], rim[3]))
    ties = (pair(inner[0], inner[1]), single(inner[1], inner[2]), single(inner[5], inner[0]), pair(inner[4], inner[5]))
    tips = (discs(rim[0], rim[3], radius=50), discs(rim[1], rim[5], radius=50), discs(rim[2], rim[4], radius=50))
    holes = (
        both(90, 200),
        both(90, 760),
        both(170, 160),
        ((270, 160),),
        ((270, 790),),
        both(62, 470),
        ((270, 350),),
        ((270, 590),),
    )
    return Motif("star", spokes + edges, (*ties, *tips, discs(hub, radius=70)), (4, 8), holes, (1, 3))


def bridge() -> Motif:
    """Two storeys of a truss: chords, diagonals between them, posts at the ends."""
    decks = [[(90, y), (210, y), (330, y), (450, y)] for y in (250, 510, 770)]
    feet = [[(150, y), (270, y), (390, y)] for y in (380, 640)]
    chords = tuple(part for d in decks for part in (single(d[0], d[1], d[2], d[3]), single(d[1], d[2])))
    middle = tuple(single(*f) for f in feet)
    diagonals = []
    for above, foot, below in zip(decks, feet, decks[1:], strict=False):
        diagonals += [
            pair(above[0], foot[0]),
            pair(above[1], foot[1]),
            pair(foot[0], below[1]),
            pair(below[0], foot[0]),
        ]
        diagonals += [pair(above[1], foot[0]), pair(foot[1], below[1])]
    posts = tuple(pair(upper[0], lower[0]) for upper, lower in pairwise(decks))
    holes = (both(90, 160), ((270, 160),), both(150, 445), ((270, 510),), ((270, 250),), both(90, 380), both(90, 640))
    return Motif("bridge", (*chords[::2], *middle), (*diagonals, *posts), (6, 12), holes, (1, 3))


def windmill() -> Motif:
    """Four sails about a hub, turned like a windmill's, over a tower."""
    hub = (270, 400)
    tips = [(270 + dx, 400 + dy) for dx, dy in ((-170, -170), (170, -170), (170, 170), (-170, 170))]
    knees = [(270 + dx, 400 + dy) for dx, dy in ((-85, -85), (85, -85), (85, 85), (-85, 85))]
    sails = tuple(single(tip, knee, hub) for tip, knee in zip(tips, knees, strict=True))
    cloth = tuple(
        single(tips[k], (270 + dx, 400 + dy)) for k, (dx, dy) in enumerate(((0, -170), (170, 0), (0, 170), (-170, 0)))
    )
    tower = (pair((210, 640), (170, 780)), single((170, 780), (370, 780)), single((210, 640), (330, 640)))
    stays = (pair((185, 485), (210, 640)), single((270, 570), (270, 710)), single((270, 710), (270, 780)))
    extras = (
        discs(hub, radius=64),
        discs(*knees[:2], radius=46),
        discs(*knees[2:], radius=46),
        single(knees[0], knees[1]),
        single(knees[3], knees[2]),
        pair(knees[0], knees[3]),
        discs((170, 780), (370, 780), radius=40),
        discs((270, 710), radius=50),
        pair((210, 640), (270, 710)),
    )
    holes = (both(60, 640), ((270, 160),), both(90, 720), ((270, 780),), both(100, 315), both(390, 485))
    return Motif("windmill", sails + cloth + tower + stays[:1], (*stays[1:], *extras), (4, 9), holes, (1, 2))


def ladder() -> Motif:
    """Two rails and their rungs, with crossed braces."""
    ys = (210, 350, 490, 630, 770)
    left = [(130, y) for y in ys]
    right = list(mirrored(*left))
    rungs = tuple(single(a, b) for a, b in zip(left, right, strict=True))
    rails = tuple(pair(*left[k : k + 3]) for k in (0, 2))
    braces = tuple(single(a, b) for k in range(4) for a, b in ((left[k], right[k + 1]), (right[k], left[k + 1])))
    hearts = tuple(discs((270, y), radius=58) for y in ys)
    long_rungs = tuple(single(a, (270, y), b) for a, b, y in zip(left, right, ys, strict=True))
    short = tuple(pair(left[k], left[k + 1]) for k in range(4))
    rings = tuple(discs(a, b, radius=50) for a, b in zip(left, right, strict=True))
    holes = (((270, 280),), ((270, 420),), ((270, 700),), both(130, 280), both(130, 560), both(200, 160), ((270, 160),))
    return Motif(
        "ladder",
        (*rails, *long_rungs[::2], *rungs[1::2]),
        (*braces, *hearts[::2], *short, *rings),
        (5, 9),
        holes,
        (1, 2),
    )


def temple() -> Motif:
    """A pediment on columns on steps."""
    roof = (270, 190)
    corners = both(80, 330)
    heads = [(x, 410) for x in (100, 213, 327, 440)]
    feet = [(x, 650) for x in (100, 213, 327, 440)]
    gable = (pair(roof, (175, 260), corners[0]), single(corners[0], (270, 330), corners[1]))
    columns = (pair(heads[0], feet[0]), pair(heads[1], feet[1]))
    beams = (single(*heads), single(*feet), single((70, 770), (270, 770), (470, 770)), single((130, 710), (410, 710)))
    extras = (
        single(roof, (270, 330)),
        discs(roof, radius=60),
        discs((270, 330), radius=50),
        discs(*heads[::3], radius=44),
        discs(*heads[1:3], radius=44),
        discs(*feet[::3], radius=44),
        discs(*feet[1:3], radius=44),
        single(heads[1], heads[2]),
        single(feet[1], feet[2]),
        pair(heads[0], heads[1]),
        pair(feet[0], feet[1]),
        pair(feet[0], (70, 770)),
        pair((270, 770), feet[1]),
        pair((175, 260), (270, 330)),
        pair(heads[0], feet[1]),
        single(heads[1], feet[2]),
    )
    holes = (
        both(60, 200),
        both(157, 530),
        ((270, 530),),
        both(50, 530),
        both(157, 190),
        both(100, 530),
        both(213, 530),
    )
    return Motif("temple", gable + columns + beams, extras, (4, 9), holes, (1, 2))


def tapestry() -> Motif:
    """Diamonds woven from sills and diagonals over the whole plate."""
    warp = [[(x, y) for x in (70, 204, 336, 470)] for y in (190, 380, 570, 760)]
    weft = [[(x, y) for x in (137, 270, 403)] for y in (285, 475, 665)]
    sills = tuple(single(*row) for row in warp)
    falling = tuple(pair(warp[r][c], weft[r][c], warp[r + 1][c + 1]) for r in range(3) for c in (0, 2))
    middle = tuple(single(warp[r][1], weft[r][1], warp[r + 1][2]) for r in range(3))
    bars = tuple(single(*row) for row in weft) + tuple(pair(row[0], row[1]) for row in weft)
    posts = tuple(pair(warp[r][c], warp[r + 1][c]) for r in range(3) for c in (0, 1))
    knobs = tuple(discs(row[0], row[2], radius=48) for row in weft) + tuple(discs(row[1], radius=48) for row in weft)
    holes = (both(70, 285), both(70, 475), both(70, 665), both(204, 285), ((270, 190),), ((270, 570),), ((270, 760),))
    return Motif(
        "tapestry", (*sills, *falling[:4]), (*falling[4:], *middle, *bars, *posts, *knobs), (6, 11), holes, (2, 4)
    )


def honeycomb() -> Motif:
    """Three cells of a comb, two above one, with discs in the corners."""
    side = 104
    step = round(side * math.sqrt(3) / 2)
    rows = (
        (220, (270 - step, 270 + step)),
        (272, (270 - 2 * step, 270, 270 + 2 * step)),
        (376, (270 - 2 * step, 270, 270 + 2 * step)),
        (428, (270 - step, 270 + step)),
        (532, (270 - step, 270 + step)),
        (584, (270,)),
    )
    a, b, c, d, e, f = ([(x, y) for x in xs] for y, xs in rows)
    walls = (
        pair(b[0], a[0]),
        pair(a[0], b[1]),
        pair(b[0], c[0]),
        single(b[1], c[1]),
        pair(c[0], d[0]),
        pair(d[0], c[1]),
        pair(d[0], e[0]),
        pair(e[0], f[0]),
    )
    g = [(270, 700), (270 - step, 760), (270 + step, 760)]
    stem = (single(f[0], g[0]), pair(g[0], g[1]), single(g[1], g[2]))
    ties = (
        single(a[0], a[1]),
        single(*b),
        single(*c),
        single(*d),
        single(*e),
        pair(a[0], d[0]),
        pair(c[0], e[0]),
        pair(e[0], g[1]),
        discs(*b[::2], radius=48),
        discs(*d, radius=48),
        discs(*e, radius=48),
        discs(f[0], radius=60),
        discs(b[1], radius=60),
        discs(g[0], radius=50),
    )
    holes = (
        both(60, 190),
        both(270 - step, 324),
        ((270, 324),),
        ((270, 480),),
        ((270, 160),),
        both(70, 560),
        both(70, 700),
        ((270, 640),),
    )
    return Motif("honeycomb", walls + stem, ties, (5, 10), holes, (1, 3))


HARD = (pagoda(), star(), bridge(), windmill(), ladder(), temple(), tapestry(), honeycomb())
"""One level each; the first is the one nearly free of dead ends."""
