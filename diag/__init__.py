"""Controlled diagnostics of GUI agents; `load` gives a study as data frames."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diag.reading.frames import StudyFrames

__all__ = ["load"]


def load(folder: Path | str) -> StudyFrames:
    """Return the study in a folder (`outputs/STUDY/AGENT`) as data frames; see docs/how-to/notebook.md."""
    from diag.reading.frames import load as read  # pandas only for those who ask for it

    return read(folder)
