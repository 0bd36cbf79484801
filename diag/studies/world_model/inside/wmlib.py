"""Reads the evidence of a play: frames, ordinary transitions, archived attempts, terminal, fatal and animation events.

The code of an agent imports it as `wmlib` inside the jail; numpy and the standard library only. A transition is a pair
of frames that an action was chosen from, one after the other in one attempt: frames of an animation, of a completed
level and of a loss are events and never part of a transition. Levels and turns count from 0; grids are int16, indexed
[row, column].
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = "/evidence"
"""Where the evidence lies inside the jail."""
_DIGITS = "0123456789abcdef"

Grid = np.ndarray[Any, np.dtype[np.int16]]


class Frame(NamedTuple):
    """A frame that an action is chosen from."""

    level: int
    attempt: int
    """Counts the attempts at the level from 0; the latest is the one in play, or the one that completed the level."""
    turn: int
    action: dict[str, Any] | None
    """What led here: `action`, `row`, `col` (both None but for ACTION6); None for the first frame."""
    available: tuple[str, ...]
    grid: Grid


class Transition(NamedTuple):
    """Two consecutive frames and the action between them."""

    level: int
    attempt: int
    turn: int
    """Of the frame before."""
    action: dict[str, Any]
    before: Grid
    after: Grid


def grid_from_text(text: str) -> Grid:
    """Return the grid of lines of hexadecimal digits."""
    return np.array([[_DIGITS.index(mark) for mark in line] for line in text.split("\n")], dtype=np.int16)


def levels(root: str | Path = ROOT) -> tuple[int, ...]:
    """Return the levels that were seen, ascending."""
    return tuple(sorted(int(path.name.removeprefix("level_")) for path in Path(root).glob("level_*")))


def frames(level: int | None = None, root: str | Path = ROOT) -> list[Frame]:
    """Return the frames of the latest attempt at a level; without a level, of all levels."""
    wanted = levels(root) if level is None else (level,)
    return [frame for one in wanted for frame in _frames(Path(root) / f"level_{one}", one, _n_archived(one, root))]


def attempts(level: int, root: str | Path = ROOT) -> list[list[Frame]]:
    """Return the frames of every attempt at a level that a RESET archived, in order."""
    folders = sorted((Path(root) / "attempts").glob(f"level_{level}_attempt_*"))
    return [_frames(folder, level, number) for number, folder in enumerate(folders)]


def transitions(level: int | None = None, *, archived: bool = False, root: str | Path = ROOT) -> list[Transition]:
    """Return the ordinary transitions of the latest attempt at a level or at all, archived attempts first if wanted."""
    found: list[Transition] = []
    for one in levels(root) if level is None else (level,):
        for taken in [*(attempts(one, root) if archived else []), frames(one, root)]:
            found += _pairs(taken)
    return found


def terminal_events(root: str | Path = ROOT) -> dict[int, dict[str, Any]]:
    """Return by level the action that completed it: `pre_turn`, `action`, `row`, `col`, and `grid`, its last frame."""
    found = {}
    for level in levels(root):
        path = Path(root) / f"level_{level}" / "terminal.json"
        if path.is_file():
            found[level] = _event(path)
    return found


def death_events(root: str | Path = ROOT) -> list[dict[str, Any]]:
    """Return every action that lost an attempt, in order.

    Each has `level`, `attempt`, `pre_turn`, `action`, `row`, `col`, the grids `prev` and `next`, and `prefix`: the
    actions of its attempt up to it.
    """
    paths = sorted(Path(root).rglob("death_*.json"), key=lambda path: path.name)
    return [_event(path) for path in paths]


def animation_index(root: str | Path = ROOT) -> list[dict[str, Any]]:
    """Return what animations there are: `level`, `pre_turn`, `action`, `row`, `col`, `n_frames`, `path`."""
    found = []
    for path in sorted(Path(root).rglob("animation_*.json")):
        event = json.loads(path.read_text())
        n_frames = len(event.pop("frames"))
        found.append({**event, "n_frames": n_frames, "path": str(path.relative_to(root))})
    return found


def animation(path: str, root: str | Path = ROOT) -> list[Grid]:
    """Return the frames of an animation by the path that the index gives."""
    return [grid_from_text(text) for text in json.loads((Path(root) / path).read_text())["frames"]]


def current_grid(root: str | Path = ROOT) -> Grid:
    """Return the frame that the next action is chosen from; after a loss, the last one that was."""
    return frames(levels(root)[-1], root)[-1].grid


def _n_archived(level: int, root: str | Path) -> int:
    return sum(1 for _ in (Path(root) / "attempts").glob(f"level_{level}_attempt_*"))


def _frames(folder: Path, level: int, attempt: int) -> list[Frame]:
    found = []
    for path in sorted(folder.glob("turn_*.json")):
        data = json.loads(path.read_text())
        action = None if data["action"] is None else {name: data[name] for name in ("action", "row", "col")}
        grid = grid_from_text(path.with_suffix(".txt").read_text())
        found.append(Frame(level, attempt, data["turn"], action, tuple(data["available"]), grid))
    return found


def _pairs(taken: list[Frame]) -> list[Transition]:
    return [
        Transition(before.level, before.attempt, before.turn, after.action or {}, before.grid, after.grid)
        for before, after in pairwise(taken)
    ]


def _event(path: Path) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(path.read_text())
    return {name: grid_from_text(v) if name in ("grid", "prev", "next") else v for name, v in event.items()}
