"""What is measured of a unit, declared before any outcome: an endpoint's kind, unit, population and margins.

Kinds are declared, never guessed from a name. An endpoint in seconds is a time to an event that may not come: its
declared quantity is the restricted mean, in which a unit without the event counts with the limit `limit_s`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Literal, get_args

from diag.analysis.estimand import Kind as AnalysisKind

EndpointKind = Literal["yes_no", "share", "count", "seconds", "score"]
Better = Literal["higher", "lower", ""]

ALL_UNITS = "all units"

_ANALYSED_AS: dict[EndpointKind, AnalysisKind] = {
    "yes_no": "binary",
    "share": "proportion",
    "count": "count",
    "seconds": "time",
    "score": "count",
}


@dataclass(frozen=True)
class Endpoint:
    """One outcome of a unit, as a study declares it; part of the plan's identity."""

    name: str
    """Column of the outcome table."""
    kind: EndpointKind
    unit: str = ""
    """Unit of the value, such as `s` or `moves`; empty for yes/no and shares."""
    words: str = ""
    """What it is, in the words of a reader."""
    better: Better = ""
    """Which direction is good for the agent; empty if neither."""
    population: str = ALL_UNITS
    """Which units have it, in words; anything but `all units` means that it is conditional on what happened."""
    primary: bool = False
    limit_s: float | None = None
    """Seconds only: where the mean is restricted, and what a unit without the event counts."""
    smallest_effect: float | None = None
    """Smallest effect of interest, in the endpoint's own unit (a share, not points)."""
    equivalence: float | None = None
    """Half-width of the margin within which two arms count as equivalent, in the same unit."""

    def __post_init__(self) -> None:
        """Check the record. Raises ValueError naming the field, what was found and what was wanted."""
        where = f"endpoint {self.name!r}" if self.name else "endpoint"
        if not self.name:
            raise ValueError("endpoint name: found '', wanted the name of an outcome")
        _one_of(where, "kind", self.kind, get_args(EndpointKind))
        _one_of(where, "better", self.better, get_args(Better))
        if not self.population:
            raise ValueError(f"{where} population: found '', wanted {ALL_UNITS!r} or which units have it")
        if self.limit_s is not None and self.kind != "seconds":
            raise ValueError(
                f"{where} limit_s: found {self.limit_s} with kind {self.kind}, wanted none or kind seconds"
            )
        if self.kind == "seconds" and self.limit_s is None:
            raise ValueError(f"{where} limit_s: found none, wanted the limit in seconds that restricts the mean")
        for field in ("limit_s", "smallest_effect", "equivalence"):
            value = getattr(self, field)
            if value is not None and not (isfinite(value) and value > 0):
                raise ValueError(f"{where} {field}: found {value}, wanted a number above 0")
            if value is not None and self.is_share and value > 1:
                raise ValueError(f"{where} {field}: found {value}, wanted at most 1 (a share, not points)")

    @property
    def is_share(self) -> bool:
        """Tell whether its values lie in 0..1, so that effects are shown in percentage points."""
        return self.kind in ("yes_no", "share")

    @property
    def is_conditional(self) -> bool:
        """Tell whether only some units have it; its paired effect then compares what survived in each arm."""
        return self.population != ALL_UNITS and self.kind != "seconds"

    @property
    def analysed_as(self) -> AnalysisKind:
        """Return the kind of the estimand that asks about it."""
        return _ANALYSED_AS[self.kind]

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON: what enters a plan's identity."""
        return asdict(self)


def _one_of(where: str, field: str, found: str, wanted: tuple[str, ...]) -> None:
    if found not in wanted:
        shown = ", ".join(repr(one) for one in wanted)
        raise ValueError(f"{where} {field}: found {found!r}, wanted one of {shown}")


def one_primary(endpoints: tuple[Endpoint, ...]) -> Endpoint | None:
    """Return the primary endpoint of a study, None if none is declared.

    Raises:
        ValueError: two endpoints are primary, or two have the same name.
    """
    names = [one.name for one in endpoints]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"endpoints: found {', '.join(twice)} twice, wanted each name once")
    primary = [one for one in endpoints if one.primary]
    if len(primary) > 1:
        raise ValueError(f"endpoints: found {', '.join(one.name for one in primary)} primary, wanted one primary")
    return primary[0] if primary else None
