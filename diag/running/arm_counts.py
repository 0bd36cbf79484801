"""Units of a running study counted by cohort and arm: planned, valid, infrastructure failures, and the time left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from diag.records import Unit
from diag.records.study_folder import AttemptStatus


@dataclass
class ArmCount:
    """One arm in one cohort."""

    cohort: str
    arm: str
    n_units: int = 0
    n_valid: int = 0
    n_failures: int = 0
    """Infrastructure failures since this run began, each of which is tried again."""


class ArmCounts:
    """Counts that every sealed attempt moves on. Times are seconds of any one clock that never goes back."""

    def __init__(self, units: Sequence[Unit], incomplete: Collection[str], *, began_s: float) -> None:
        self.began_s = began_s
        self._arms: dict[tuple[str, str], ArmCount] = {}
        self._key = {unit.unit_id: (unit.cohort, unit.arm) for unit in units}
        for unit in units:
            one = self._arms.setdefault((unit.cohort, unit.arm), ArmCount(unit.cohort, unit.arm))
            one.n_units += 1
            one.n_valid += unit.unit_id not in incomplete
        self.n_before = self.n_valid
        self.last_unit = ""
        self.last_s = began_s

    @property
    def arms(self) -> tuple[ArmCount, ...]:
        """The arms, by cohort and letter."""
        return tuple(self._arms[key] for key in sorted(self._arms))

    @property
    def n_units(self) -> int:
        """Units planned."""
        return sum(one.n_units for one in self._arms.values())

    @property
    def n_valid(self) -> int:
        """Units with a valid attempt, earlier runs included."""
        return sum(one.n_valid for one in self._arms.values())

    @property
    def n_left(self) -> int:
        """Units without a valid attempt."""
        return self.n_units - self.n_valid

    @property
    def n_failures(self) -> int:
        """Infrastructure failures of this run."""
        return sum(one.n_failures for one in self._arms.values())

    def attempt(self, status: AttemptStatus, now_s: float) -> None:
        """Count one sealed attempt."""
        one = self._arms[self._key[status.unit_id]]
        one.n_valid += status.validity == "valid"
        one.n_failures += status.validity != "valid"
        self.last_unit, self.last_s = status.unit_id, now_s

    def left_s(self, now_s: float) -> float | None:
        """Return the seconds to go at the pace of this run; None before its first valid unit."""
        finished = self.n_valid - self.n_before
        return (now_s - self.began_s) / finished * self.n_left if finished else None
