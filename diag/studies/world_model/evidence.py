"""The evidence of a play on disk: written after every action, read by `inside/wmlib.py`, the same in every condition.

    level_L/turn_NNN.txt .json .png      a frame that an action is chosen from: hexadecimal digits, facts, picture
    level_L/diff_AAA_BBB.txt             every cell that changed from turn A to turn B, in runs of one row
    level_L/terminal.json                the action that completed the level, and the last frame
    level_L/death_NNN.json               an action that lost the attempt; NNN counts over the whole play
    level_L/animation_AAA.json           frames between turn A and what its action came to
    attempts/level_L_attempt_NNN/        the same of an attempt that a RESET ended; nothing is ever deleted

Only two consecutive turns of one folder are a transition.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from PIL import Image

from diag.studies.world_model.history import Attempt, Boundary, Grid, History, Step, Turn, action_json
from games.contract import JsonObject
from games.grid.actions import RESET, GridAction
from games.grid.contract import Observation
from games.grid.frame import PALETTE, frame_text

STATE = {"ongoing": "NOT_FINISHED", "level_complete": "WIN", "game_over": "GAME_OVER"}
"""Words of ARC-AGI-3 for how an attempt stands."""
PICTURE_SCALE = 4
_COLOURS = [int(colour[place : place + 2], 16) for colour in PALETTE for place in (1, 3, 5)]


@dataclass
class EvidenceStore:
    """One play's evidence in a folder of its own."""

    root: Path
    history: History = field(default_factory=History)

    def open(self, seen: Observation) -> None:
        """Begin with the answer to the opening RESET."""
        self._begin(self.history.open(seen))

    def add(self, action: GridAction, seen: Observation) -> Step | None:
        """Add an action and its answer; None if the action was refused. Raises OSError."""
        step = self.history.add(action, seen)
        if step is None:
            return None
        folder = self._folder(step.attempt)
        if step.animation:
            frames = [_text(grid) for grid in step.animation]
            _write(folder / f"animation_{step.turn:03d}.json", {**_where(step), "frames": frames})
        if step.action.number == RESET:
            self._archive(step.attempt)
        elif step.attempt.end is not None:
            self._end(folder, step, step.attempt.end)
        else:
            self._turn(folder, step.attempt, step.turn + 1)
        if step.begun is not None:
            self._begin(step.begun)
        return step

    def _folder(self, attempt: Attempt) -> Path:
        return self.root / f"level_{attempt.level}"

    def _begin(self, attempt: Attempt) -> None:
        folder = self._folder(attempt)
        if folder.exists():  # a full reset: the level was played to its end before
            self._archive(replace(attempt, number=attempt.number - 1))
        folder.mkdir(parents=True)
        self._turn(folder, attempt, 0)

    def _archive(self, attempt: Attempt) -> None:
        kept = self.root / "attempts" / f"level_{attempt.level}_attempt_{attempt.number:03d}"
        kept.parent.mkdir(exist_ok=True)
        self._folder(attempt).rename(kept)

    def _turn(self, folder: Path, attempt: Attempt, number: int) -> None:
        turn = attempt.turns[number]
        stem = folder / f"turn_{number:03d}"
        stem.with_suffix(".txt").write_text(_text(turn.grid))
        stem.with_suffix(".png").write_bytes(picture(turn.grid))
        _write(stem.with_suffix(".json"), _facts(attempt, number, turn))
        if number:
            changed = "\n".join(ranges(attempt.turns[number - 1].grid, turn.grid))
            (folder / f"diff_{number - 1:03d}_{number:03d}.txt").write_text(changed)

    def _end(self, folder: Path, step: Step, end: Boundary) -> None:
        if end.outcome == "level_complete":
            _write(folder / "terminal.json", {**_where(step), "grid": _text(end.grid)})
            return
        number = len(self.history.deaths) - 1
        event = {
            **_where(step),
            "prev": _text(step.attempt.turns[-1].grid),
            "next": _text(end.grid),
            "prefix": [action_json(one) for one in step.attempt.actions[:-1]],
        }
        _write(folder / f"death_{number:03d}.json", event)


def ranges(before: Grid, after: Grid) -> list[str]:
    """Return every change of a cell, as `row R, columns A-B: C->D` for runs of one row with the same two colours."""
    found: list[tuple[int, int, int, int, int]] = []
    for row, column in np.argwhere(before != after):
        one, other = int(before[row, column]), int(after[row, column])
        if found and found[-1][0] == row and found[-1][2] + 1 == column and found[-1][3:] == (one, other):
            found[-1] = (int(row), found[-1][1], int(column), one, other)
        else:
            found.append((int(row), int(column), int(column), one, other))
    return [f"row {row}, columns {first}-{last}: {one}->{other}" for row, first, last, one, other in found]


def picture(grid: Grid) -> bytes:
    """Return the grid as a PNG in the colours of ARC-AGI-3, four pixels a cell."""
    rows, columns = grid.shape
    image = Image.frombytes("P", (columns, rows), np.asarray(grid, dtype=np.uint8).tobytes())
    image.putpalette(_COLOURS)
    buffer = io.BytesIO()
    image.resize((columns * PICTURE_SCALE, rows * PICTURE_SCALE), Image.Resampling.NEAREST).save(buffer, "PNG")
    return buffer.getvalue()


def _facts(attempt: Attempt, number: int, turn: Turn) -> JsonObject:
    led = {"action": None, "row": None, "col": None} if turn.action is None else action_json(turn.action)
    where = {"level": attempt.level, "attempt": attempt.number, "turn": number}
    return {**where, **led, "state": STATE["ongoing"], "available": list(turn.available)}


def _where(step: Step) -> JsonObject:
    where = {"level": step.attempt.level, "attempt": step.attempt.number, "pre_turn": step.turn}
    return {**where, **action_json(step.action)}


def _text(grid: Grid) -> str:
    return frame_text(grid)  # type: ignore[arg-type]  # digits of any integers from 0 to 15


def _write(path: Path, data: JsonObject) -> None:
    path.write_text(json.dumps(data))
