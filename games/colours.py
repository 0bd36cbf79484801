"""How a named colour looks on a board: a swatch and a mark of its own, for any name.

A name of the suite's palette is drawn as `suite/view/paint.js` knows it. Any other name gets a *look*, a text
`#rrggbb:mark` that the page draws without knowing the name. The look follows from the name alone (a colour that has
the name, if there is one), unless another name of the same board is drawn alike: then the next free one is taken.
"""

from __future__ import annotations

import colorsys
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from games.contract import LevelError

PALETTE = {
    "red": ("#d8433c", "disc"),
    "blue": ("#3272d9", "square"),
    "yellow": ("#f4c430", "triangle"),
    "green": ("#3a9d4b", "diamond"),
    "orange": ("#ef8a2c", "cross"),
    "purple": ("#8a4bc0", "star"),
    "cyan": ("#3cc3e0", "ring"),
    "pink": ("#f08bb8", "heart"),
    "lime": ("#a8d23a", "bar"),
    "brown": ("#8a5a33", "plus"),
    "teal": ("#1d8a85", "chevron"),
    "navy": ("#26356f", "bars"),
    "maroon": ("#7d1f3c", "twodots"),
    "coral": ("#ff7f66", "hourglass"),
    "mint": ("#a5e8c8", "wave"),
    "white": ("#fbfaf6", "hexagon"),
    "grey": ("#8d9299", "slash"),
    "black": ("#35343a", "frame"),
}
"""The names the page knows, each with its fill and its mark."""
SHAPES = tuple(mark for _, mark in PALETTE.values())
FRAMES = ("", "-ringed", "-under", "-over", "-sides")
"""What may stand around a shape; a mark is a shape in a frame."""
MARKS = tuple(f"{shape}{frame}" for frame, shape in product(FRAMES, SHAPES))
MOST_COLOURS = len(MARKS)
"""The most colours one board can tell apart: as many as there are marks."""
LONGEST_NAME = 24
"""Characters: two names fit on the message line."""
NAMED = {
    "amber": "#ffbf00",
    "apricot": "#fbceb1",
    "bronze": "#cd7f32",
    "burgundy": "#800020",
    "charcoal": "#36454f",
    "copper": "#b87333",
    "cream": "#fffdd0",
    "emerald": "#50c878",
    "forest": "#228b22",
    "gray": "#8d9299",
    "jade": "#00a86b",
    "lemon": "#fff44f",
    "lilac": "#c8a2c8",
    "mauve": "#e0b0ff",
    "mustard": "#e1ad01",
    "ochre": "#cc7722",
    "peach": "#ffcba4",
    "rose": "#ff007f",
    "ruby": "#e0115f",
    "rust": "#b7410e",
    "sand": "#c2b280",
    "sapphire": "#0f52ba",
    "sky": "#87ceeb",
    "slate": "#708090",
    "wine": "#722f37",
}
"""Names of colours that CSS lacks."""
_JUST_APART, _APART = 12.0, 20.0
"""CIE Lab distances from which two swatches beside each other, or at a glance, are told apart."""


def read_colour(where: str, value: object) -> str:
    """Return a colour's name as a layout states it. Raises LevelError."""
    if isinstance(value, str) and value.strip() and len(value) <= LONGEST_NAME and value.isprintable():
        return value
    raise LevelError(f"{where}: got {value!r:.80}, wanted a colour's name, 1 to {LONGEST_NAME} printable characters")


def looks(names: Iterable[str]) -> dict[str, str]:
    """Return what each name of one board is drawn as: itself if the page knows it, else `#rrggbb:mark`; no two alike.

    Raises:
        ValueError: there are more than `MOST_COLOURS` names.
    """
    wanted = sorted(set(names))
    if len(wanted) > MOST_COLOURS:
        raise ValueError(f"got {len(wanted)} colours, wanted at most {MOST_COLOURS}")
    found = {name: name for name in wanted if name in PALETTE}
    fills, marks = ([PALETTE[name][part] for name in found] for part in (0, 1))
    for name in wanted:
        if name not in PALETTE:
            fills.append(_fill(name, fills))
            marks.append(_mark(name, marks))
            found[name] = f"{fills[-1]}:{marks[-1]}"
    return found


def swatch(name: str) -> str:
    """Return the fill that a name has for itself, `#rrggbb`: the colour of that name, or one chosen by the name."""
    return _named(name) or _GRID[_number(name) % len(_GRID)]


def _named(name: str) -> str | None:
    key = "".join(part for part in name.lower() if part not in " -_'")
    if key in PALETTE:
        return PALETTE[key][0]
    from PIL import ImageColor  # rules run in the jail too, where numpy is the only package

    try:
        red, green, blue = ImageColor.getrgb(NAMED.get(key, key))[:3]
    except ValueError:
        return None
    return f"#{red:02x}{green:02x}{blue:02x}"


def _fill(name: str, taken: Sequence[str]) -> str:
    """Return the first candidate that is apart from all fills taken, or else the one farthest from them."""
    own = _named(name)
    like_it = () if own is None else (own, *_tones(own))
    start = _number(name) % len(_GRID)
    candidates = (*like_it, *_GRID[start:], *_GRID[:start])
    if not taken:
        return candidates[0]
    places, others = (np.array([_lab(one) for one in fills]) for fills in (candidates, taken))
    apart = np.linalg.norm(places[:, None] - others[None], axis=2).min(axis=1)
    will_do = apart >= np.where(np.arange(len(candidates)) < len(like_it), _JUST_APART, _APART)
    return candidates[int(will_do.argmax() if will_do.any() else apart.argmax())]


def _mark(name: str, taken: Sequence[str]) -> str:
    start = _number(name) % len(SHAPES)
    order = [f"{shape}{frame}" for frame in FRAMES for shape in (*SHAPES[start:], *SHAPES[:start])]
    return next(mark for mark in order if mark not in taken)


@lru_cache(maxsize=1024)
def _lab(fill: str) -> tuple[float, float, float]:
    """Return a fill in CIE Lab (1976), where distance is how far apart two look."""
    red, green, blue = (_linear(int(fill[place : place + 2], 16) / 255) for place in (1, 3, 5))
    x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
    fx, fy, fz = (_root(value) for value in (x / 0.9505, y, z / 1.089))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116


def _tones(fill: str) -> tuple[str, ...]:
    """Return a fill lighter and darker, the smallest change first."""
    parts = [int(fill[place : place + 2], 16) for place in (1, 3, 5)]
    mixed = ((end, share) for share in (0.25, 0.4, 0.55) for end in (255, 0))
    return tuple("#" + "".join(f"{round(p + (end - p) * share):02x}" for p in parts) for end, share in mixed)


def _number(name: str) -> int:
    return zlib.crc32(name.encode())


def _grid() -> tuple[str, ...]:
    found = []
    for lightness, saturation, hue in product((0.5, 0.35, 0.68, 0.82), (0.75, 0.4), range(24)):
        rgb = colorsys.hls_to_rgb(hue / 24, lightness, saturation)
        found.append("#" + "".join(f"{round(255 * part):02x}" for part in rgb))
    return tuple(found)


_GRID = _grid()
