"""Looks at the outcomes of a study before its end: each is recorded in the folder, and what it wrote is marked.

A test that is read several times errs more often than it says (about 6 % after two looks, 17 % where one stops at the
first good one), so the record stays with the study when it is finished.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from diag.errors import CorruptRecord
from diag.records.sealed import read_sealed, write_sealed

FILE = "looks.json"


@dataclass(frozen=True)
class Look:
    """One analysis of an unfinished study."""

    utc: str
    n_done: int
    """Units with an outcome then."""
    n_units: int

    @property
    def share(self) -> str:
        """How far the study was: `40 of 96 units`."""
        return f"{self.n_done} of {self.n_units} units"


def looks(folder: Path) -> tuple[Look, ...]:
    """Return every look at an unfinished study, in order. Raises CorruptRecord."""
    path = folder / FILE
    if not path.is_file():
        return ()
    try:
        return tuple(Look(**one) for one in read_sealed(path)["looks"])
    except (KeyError, TypeError) as error:
        raise CorruptRecord(f"{path}: not the looks at a study: {error!r}") from error


def record_look(folder: Path, look: Look) -> None:
    """Add a look to the folder's record. Raises CorruptRecord."""
    write_sealed(folder / FILE, {"looks": [asdict(one) for one in (*looks(folder), look)]})


def interim_of(folder: Path) -> str:
    """Return how far the study was when its tables were written, `40 of 96 units`; empty if it was finished.

    Raises:
        CorruptRecord: the record of the analysis is damaged.
    """
    path = folder / "tables" / "analysis.json"
    try:
        return str(read_sealed(path).get("interim") or "") if path.is_file() else ""
    except CorruptRecord as error:
        raise CorruptRecord(f"{error}; mode=analyse writes it again") from error


def looks_sentence(found: tuple[Look, ...]) -> str:
    """Return what a reader of the finished study must know of the looks; empty without any."""
    if not found:
        return ""
    times = "once" if len(found) == 1 else f"{len(found)} times"
    at = ", ".join(dict.fromkeys(one.share for one in found))
    return (
        f"Outcomes were looked at {times} before the end of the study (at {at}): p holds only if no look could end it."
    )
