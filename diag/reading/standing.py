"""How far a study stands: whole, a trial, a selection, unfinished, or with clusters finer than its design.

Said wherever its numbers are shown; whoever shows one asks `standing_of(plan, n_valid)`, or `StudyFiles.standing`.
"""

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
    chosen: tuple[str, ...] = ()
    """`study.only`: the names by which units were chosen."""
    independent: str = ""
    """`study.independent`: what is taken as independent although the design's own unit is coarser."""

    @property
    def whole(self) -> bool:
        """Tell whether every unit of the design is planned and has a valid outcome."""
        return not (self.apart or self.partial)

    @property
    def apart(self) -> bool:
        """Tell whether the plan holds a part of the design; such a study never stands beside whole ones."""
        return self.trial or self.selection

    @property
    def selection(self) -> bool:
        """Tell whether somebody chose the units by name."""
        return bool(self.chosen)

    @property
    def trial(self) -> bool:
        """Tell whether the plan holds the first units of the design alone."""
        return self.limit is not None

    @property
    def partial(self) -> bool:
        """Tell whether a planned unit has no valid outcome."""
        return self.n_valid < self.n_units

    @property
    def labels(self) -> tuple[str, ...]:
        """`TRIAL`, `SELECTION`, `PARTIAL 12 of 96`, `FINER checkpoint`, or nothing."""
        partial = f"PARTIAL {self.n_valid} of {self.n_units}"
        found = (
            *((self.trial, "TRIAL"), (self.selection, "SELECTION"), (self.partial, partial)),
            (bool(self.independent), f"FINER {self.independent}"),
        )
        return tuple(label for holds, label in found if holds)

    @property
    def sentences(self) -> tuple[tuple[str, str], ...]:
        """A word and a sentence for each label."""
        found = []
        n_units = f"{self.n_units} unit{'' if self.n_units == 1 else 's'}"
        if self.trial:
            what = f"{n_units} of the study (study.max_units={self.limit})"
            found.append(("TRIAL", f"The first {what}: it shows that the set-up works; its numbers are no result."))
        if self.selection:
            what = f"{n_units} chosen by name (study.only={','.join(self.chosen)})"
            found.append(("SELECTION", f"{what}: exploratory; its numbers are no result of the study."))
        if self.independent:
            what = f"{self.independent} is taken as independent, finer than the design's own unit (study.independent)"
            found.append(("FINER", f"{what}: where outcomes of one unit go together, p is too small."))
        if self.partial:
            valid = f"{self.n_valid} of {self.n_units} planned units have a valid outcome"
            found.append(("PARTIAL", f"{valid}. Nothing here is final, and whoever looks and then goes on is misled."))
        return tuple(found)


def standing_of(plan: Plan, n_valid: int) -> Standing:
    """Return how far the study of a plan stands with so many valid units."""
    study = dict(plan.identity.get("study") or {})
    limit = study.get("max_units")
    cut = isinstance(limit, int) and len(plan.units) >= limit
    return Standing(
        len(plan.units),
        n_valid,
        limit if cut else None,
        tuple(study.get("only") or ()),
        str(study.get("independent") or ""),
    )
