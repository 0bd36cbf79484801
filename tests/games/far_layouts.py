"""Layouts far beyond our own, of every game: what a level pack may hold, drawn by a seeded generator."""

from __future__ import annotations

import random
from typing import Any

STRANGE = (
    "charcoal",
    "silver",
    "indigo",
    "peach",
    "Dark Blue",
    "gris",
    "赤",
    "red",
    "#12ab9f",
    "constructor",
)


def colour_names(n_names: int, rng: random.Random) -> list[str]:
    names = [*STRANGE, *(f"shade {k}" for k in range(90))]
    return rng.sample(names, n_names)


def nut_and_bolt(rng: random.Random, *, n_bolts: int | None = None, capacity: int | None = None) -> dict[str, Any]:
    """Some bolts full of mixed nuts, at least one empty."""
    n_bolts, capacity = n_bolts or rng.randint(3, 48), capacity or rng.randint(2, 24)
    n_colours = rng.randint(2, n_bolts - 1)
    nuts = [name for name in colour_names(n_colours, rng) for _ in range(capacity)]
    while True:
        rng.shuffle(nuts)
        bolts = [nuts[k : k + capacity] for k in range(0, len(nuts), capacity)]
        if any(len(set(bolt)) > 1 for bolt in bolts):
            return {"capacity": capacity, "bolts": bolts + [[] for _ in range(n_bolts - n_colours)]}


def color_connect(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.randint(2, 40), rng.randint(2, 40)
    cells = [[row, column] for row in range(rows) for column in range(columns)]
    n_pairs = rng.randint(1, min(90, len(cells) // 3 + 1))
    picked = rng.sample(cells, min(len(cells), 2 * n_pairs + rng.randint(0, 5)))
    names = colour_names(n_pairs, rng)
    pairs = [{"color": name, "a": picked[2 * k], "b": picked[2 * k + 1]} for k, name in enumerate(names)]
    return {"rows": rows, "columns": columns, "blocked": picked[2 * n_pairs :], "pairs": pairs}


def maze_paint(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.randint(1, 40), rng.randint(2, 40)
    cells = [[rng.choice("...#") for _ in range(columns)] for _ in range(rows)]
    row, column = rng.randrange(rows), rng.randrange(columns - 1)
    cells[row][column : column + 2] = "S."
    return {"rows": ["".join(line) for line in cells]}


def rush_hour(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.randint(1, 40), rng.randint(3, 40)
    row = rng.randrange(rows)
    vehicles = [{"row": row, "column": 0, "length": 2, "axis": "h", "target": True}]
    taken = {(row, 0), (row, 1), (row, columns - 1)}
    for _ in range(rows * columns // 6):
        axis, length = rng.choice("hv"), rng.randint(2, 6)
        top, left = rng.randrange(rows), rng.randrange(columns)
        cells = {(top, left + k) if axis == "h" else (top + k, left) for k in range(length)}
        if all(r < rows and c < columns for r, c in cells) and not cells & taken:
            taken |= cells
            vehicles.append({"row": top, "column": left, "length": length, "axis": axis, "target": False})
    free = [[r, c] for r in range(rows) for c in range(columns) if (r, c) not in taken]
    bushes = rng.sample(free, min(len(free), rng.randint(0, 4)))
    return {"rows": rows, "columns": columns, "vehicles": vehicles, "blockers": bushes}


def truck_escape(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.randint(2, 40), rng.randint(2, 40)
    steps = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
    trucks: list[dict[str, Any]] = [{"row": 0, "column": 0, "direction": "right"}]
    taken = {(0, 0), (0, 1)}
    for _ in range(rows * columns // 5):
        direction, length = rng.choice(list(steps)), rng.choice((2, 3, 5))
        row, column = rng.randrange(rows), rng.randrange(columns)
        cells = {(row + k * steps[direction][0], column + k * steps[direction][1]) for k in range(length)}
        if all(0 <= r < rows and 0 <= c < columns for r, c in cells) and not cells & taken:
            taken |= cells
            trucks.append({"row": row, "column": column, "direction": direction, "length": length})
    return {"rows": rows, "columns": columns, "trucks": trucks}


def bolt_unscrew(rng: random.Random) -> dict[str, Any]:
    """Holes on a lattice over the whole plate; strips between two screws, discs on one, in stains of any name."""
    step = rng.choice((60, 74))
    spots = [(x, y) for x in range(14, 527, step) for y in range(94, 837, step)]
    screws = rng.sample(spots, rng.randint(4, len(spots) // 2))
    names = colour_names(len(screws), rng)
    boards: list[dict[str, Any]] = []
    for (x, y), name in zip(screws, names, strict=True):
        common = {"layer": rng.randint(-3, 60), "colour": name}
        if (x + step, y) in screws:
            strip = {"shape": "strip", "length": step + 40, "width": 36, "angle_deg": rng.choice((0, 180, 900))}
            boards.append({**strip, **common, "x": x + step / 2, "y": y, "holes": [[-step / 2, 0], [step / 2, 0]]})
        else:
            boards.append(
                {"shape": "disc", "radius": rng.choice((24, 28)), "x": x, "y": y, "holes": [[0, 0]], **common}
            )
    return {"anchors": [{"x": x, "y": y, "screw": (x, y) in screws} for x, y in spots], "boards": boards}


def clue_house(rng: random.Random) -> dict[str, Any]:
    """A long row of rooms, keys of any colour lying before their doors."""
    rows, columns = rng.randint(1, 26), rng.randint(4, 26)
    row, n_keys = rng.randrange(rows), min(16, columns - 2)
    names = colour_names(n_keys, rng)
    doors: list[dict[str, Any]] = [{"room": [row, 0], "side": "right", "kind": "open"}]
    for k in range(1, columns - 1):
        key = {"kind": "key", "colour": names[k - 1]} if k <= n_keys else {"kind": "open"}
        doors.append({"room": [row, k], "side": "right", **key})
    keys = [{"room": [row, k], "colour": name} for k, name in enumerate(names)]
    sides = {"rows": rows, "columns": columns, "start": [row, 0], "treasure": [row, columns - 1]}
    return {**sides, "doors": doors, "keys": keys, "cards": [], "locks": []}


def agi_maze(rng: random.Random) -> dict[str, Any]:
    """Walls, things and pits anywhere; a river along the lowest row, where no wall stands."""
    rows, columns = rng.randint(3, 9), rng.randint(4, 9)
    cells = [[row, column] for row in range(rows - 1) for column in range(columns)]
    rng.shuffle(cells)
    things = dict(zip(("start", "key", "treasure", "exit"), cells, strict=False))
    pits = cells[4 : 4 + rng.choice((0, 2, 3))]
    right = ["".join(rng.choice("0001") for _ in range(columns - 1)) for _ in range(rows - 1)]
    down = ["".join(rng.choice("0001") for _ in range(columns)) for _ in range(rows - 1)]
    river = [[rows - 1, column] for column in range(rng.choice((0, 2, columns)))]
    walls = {"right_walls": [*right, "0" * (columns - 1)], "down_walls": down}
    sides = {"rows": rows, "columns": columns, "soft_good_steps": rng.randint(1, 400)}
    return {**sides, **walls, **things, "pits": pits, "river": river}


FAR = {
    "agi_maze": agi_maze,
    "bolt_unscrew": bolt_unscrew,
    "clue_house": clue_house,
    "color_connect": color_connect,
    "maze_paint": maze_paint,
    "nut_and_bolt": nut_and_bolt,
    "rush_hour": rush_hour,
    "truck_escape": truck_escape,
}
