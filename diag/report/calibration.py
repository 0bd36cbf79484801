"""What `mode=calibrate` found of the study's statistics, as rows: coverage, false positives, power."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diag.errors import CorruptRecord
from diag.records.sealed import read_sealed


@dataclass(frozen=True)
class CalibrationRow:
    """One contrast in many simulated studies of known truth."""

    contrast: str
    truth: float
    """The effect that was planted, a share."""
    n_clusters: int
    n_blocks: int
    studies: int
    percentile_new: float | None
    """Share of percentile intervals that held the effect at new levels; None if none could be given, or the same levels
    were played again."""
    percentile_here: float | None
    """The same for the effect at the study's own levels; None in a calibration of before they were told apart."""
    cr2_new: float | None
    cr2_here: float | None
    cannot_say_share: float
    """Studies in which no percentile interval could be given."""
    reject_share: float | None
    """Studies in which the sign-flip test found an effect: false positives if the truth is 0, power if it is not."""

    @property
    def is_null(self) -> bool:
        """Tell whether there was nothing to find."""
        return self.truth == 0


def read_calibration(study: Path) -> tuple[CalibrationRow, ...]:
    """Return the rows of `tables/calibration.json`; none if the study was never calibrated.

    Raises:
        CorruptRecord: the file is there and is not what `mode=calibrate` writes.
    """
    path = study / "tables" / "calibration.json"
    if not path.is_file():
        return ()
    try:
        found = json.loads(path.read_bytes())
        items = read_sealed(path)["calibrations"] if isinstance(found, dict) else found
        return tuple(_row(item) for item in items)
    except CorruptRecord as error:
        raise CorruptRecord(f"{error}; mode=calibrate writes it again") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptRecord(f"{path}: not a calibration: {error!r}; mode=calibrate writes it again") from error


def _row(item: Mapping[str, Any]) -> CalibrationRow:
    methods = {str(method["method"]): method for method in item["methods"]}
    reject = methods["sign_flip"]["reject_share"]
    return CalibrationRow(
        contrast=str(item["contrast"]),
        truth=float(item["truth"]),
        n_clusters=int(item["n_clusters"]),
        n_blocks=int(item["n_blocks"]),
        studies=int(item["studies"]),
        percentile_new=_coverage(methods["percentile"], "coverage"),
        percentile_here=_coverage(methods["percentile"], "coverage_here"),
        cr2_new=_coverage(methods["cr2"], "coverage"),
        cr2_here=_coverage(methods["cr2"], "coverage_here"),
        cannot_say_share=float(methods["percentile"]["cannot_say_share"]),
        reject_share=None if reject is None else float(reject),
    )


def _coverage(method: Mapping[str, Any], name: str) -> float | None:
    found = method.get(name)
    return None if found is None or found["estimate"] is None else float(found["estimate"])
