"""A seeded defect: one small patch of a bundle's sources, and the one rubric criterion that it breaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


class PatchError(ValueError):
    """A patch does not fit the file it is for; the message names the defect and the file."""


@dataclass(frozen=True)
class Defect:
    """A fault that is put into a bundle on purpose."""

    name: str
    criterion: str
    """The name of the one criterion of the game's rubric that the defect breaks."""
    file: str
    """The patched file, below the bundle's `games` folder."""
    find: str
    """Text that stands in the file exactly once."""
    replace: str
    text: str
    """What a player notices, if anything."""


def apply_defects(bundle: Path, defects: Iterable[Defect]) -> None:
    """Patch a clean bundle. Raises PatchError; the bundle then is half patched and of no use."""
    for defect in defects:
        path = bundle / "games" / defect.file
        text = path.read_text(encoding="utf-8")
        if (found := text.count(defect.find)) != 1:
            raise PatchError(
                f"defect {defect.name}: {defect.file}: {defect.find!r:.60} stands there {found} times, not once"
            )
        path.write_text(text.replace(defect.find, defect.replace), encoding="utf-8")
