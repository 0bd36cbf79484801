"""Frames: what an agent sees of a grid environment, 64 x 64 cells of sixteen colours.

A frame is an int8 array of shape (64, 64), indexed [row, column], read-only. `x` is a column, `y` a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SIDE = 64
"""Rows and columns of a frame."""
BOARD_ROWS = 63
"""Rows a game may draw in; the last one belongs to the environment, which shows the action budget there."""

Frame = np.ndarray[Any, np.dtype[np.int8]]

WHITE, SILVER, GREY, SLATE, CHARCOAL, BLACK, MAGENTA, PINK = range(8)
RED, BLUE, CYAN, YELLOW, ORANGE, MAROON, GREEN, PURPLE = range(8, 16)
PALETTE = (
    *("#FFFFFF", "#CCCCCC", "#999999", "#666666", "#333333", "#000000", "#E53AA3", "#FF7BCC"),
    *("#F93C31", "#1E93FF", "#88D8F1", "#FFDC00", "#FF851B", "#921231", "#4FCC30", "#A356D6"),
)
"""The sixteen colours as ARC-AGI-3 shows them, by value."""
BODIES = (RED, BLUE, YELLOW, GREEN, ORANGE, PURPLE, CYAN, MAGENTA, MAROON, PINK, SILVER, CHARCOAL)
"""Colours that tell things apart; thing number 12 has the colour of number 0 and a white mark."""
_HEX = "0123456789abcdef"
_DIGITS = np.frombuffer(_HEX.encode("ascii"), dtype=np.uint8)


class FrameError(ValueError):
    """A frame is not 64 x 64 integers from 0 to 15; the message names what was found."""


def blank(colour: int = BLACK) -> Frame:
    """Return a frame of one colour that may still be drawn on."""
    return np.full((SIDE, SIDE), colour, dtype=np.int8)


def sealed(frame: Frame) -> Frame:
    """Return the frame itself, from now on read-only: copies of an environment share it."""
    frame.flags.writeable = False
    return frame


def checked_frame(value: Any, where: str = "frame") -> Frame:
    """Return a grid from elsewhere (nested lists or an array) as a frame.

    Raises:
        FrameError: another shape, a value that is no integer, or one outside 0 to 15.
    """
    try:
        grid = np.asarray(value)
    except ValueError as error:
        raise FrameError(f"{where}: got rows of unequal length, wanted 64 x 64 integers") from error
    if grid.shape != (SIDE, SIDE):
        found = " x ".join(map(str, grid.shape)) or "a single value"
        raise FrameError(f"{where}: got a grid of {found}, wanted 64 x 64")
    if not np.issubdtype(grid.dtype, np.integer):
        raise FrameError(f"{where}: got values of type {grid.dtype}, wanted integers from 0 to 15")
    low, high = int(grid.min()), int(grid.max())
    if low < 0 or high > 15:
        raise FrameError(f"{where}: got the value {low if low < 0 else high}, wanted integers from 0 to 15")
    return sealed(grid.astype(np.int8))


def frame_text(frame: Frame) -> str:
    """Return 64 lines of 64 hexadecimal digits, the first line is the top row."""
    lines = np.pad(_DIGITS[frame], ((0, 0), (0, 1)), constant_values=ord("\n"))
    return lines.tobytes().decode("ascii")[:-1]


def frame_from_text(text: str) -> Frame:
    """Invert `frame_text`. Raises FrameError."""
    lines = text.split("\n")
    if strange := sorted(set(text) - set(_HEX) - {"\n"}):
        raise FrameError(f"frame: got {strange[0]!r}, wanted hexadecimal digits")
    return checked_frame([[_HEX.index(mark) for mark in line] for line in lines])


def changed_cells(before: Frame, after: Frame) -> tuple[tuple[int, int], ...]:
    """Return the (row, column) of every cell that differs, in reading order."""
    return tuple((int(row), int(column)) for row, column in np.argwhere(before != after))
