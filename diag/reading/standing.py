"""How far a study stands: whole, a trial of its first units, or unfinished. Said wherever its numbers are shown."""

from __future__ import annotations

from dataclasses import dataclass

from diag.records import Plan


@dataclass(frozen=True)
class Standing:
    """What a reader must know of a study's extent before any number of it."""

    n_units: int
    """Planned."""
    n_valid: int
    limit: int | None = None
    """`study.max_units`, where it cut the plan."""

    @property
    def trial(self) -> bool:
        """Tell whether the plan holds a part of the design alone; such a study never stands beside whole ones."""
        return self.limit is not None

    @property
    def partial(self) -> bool:
        """Tell whether a planned unit has no valid outcome."""
        return self.n_valid < self.n_units

    @property
    def labels(self) -> tuple[str, ...]:
        """`TRIAL`, `PARTIAL 12 of 96`, or nothing."""
        trial = ("TRIAL",) if self.trial else ()
        return (*trial, f"PARTIAL {self.n_valid} of {self.n_units}") if self.partial else trial

    @property
    def sentences(self) -> tuple[tuple[str, str], ...]:
        """A word and a sentence for each label."""
        found = []
        if self.trial:
            what = f"{self.n_units} unit{'' if self.n_units == 1 else 's'} of the study (study.max_units={self.limit})"
            found.append(("TRIAL", f"The first {what}: it shows that the set-up works; its numbers are no result."))
        if self.partial:
            valid = f"{self.n_valid} of {self.n_units} planned units have a valid outcome"
            found.append(("PARTIAL", f"{valid}. Nothing here is final, and whoever looks and then goes on is misled."))
        return tuple(found)


def standing_of(plan: Plan, n_valid: int) -> Standing:
    """Return how far the study of a plan stands with so many valid units."""
    limit = dict(plan.identity.get("study") or {}).get("max_units")
    cut = isinstance(limit, int) and len(plan.units) >= limit
    return Standing(len(plan.units), n_valid, limit if cut else None)
