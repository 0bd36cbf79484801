"""An endpoint: what is measured of a unit, of which kind, over which units, and what difference would matter."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args

EndpointKind = Literal["yes_no", "share", "count", "seconds", "score"]

EVERY_UNIT = "all units"


@dataclass(frozen=True)
class Endpoint:
    """One endpoint as its study declares it, before anything runs."""

    name: str
    """Column of the outcome table."""
    kind: EndpointKind
    unit: str = ""
    words: str = ""
    better: Literal["higher", "lower", ""] = ""
    population: str = EVERY_UNIT
    """For which units it is defined, in words."""
    primary: bool = False
    limit_s: float | None = None
    """For seconds: the mean is restricted at this limit."""
    smallest_effect: float | None = None
    """The smallest effect of interest, in the endpoint's unit."""
    equivalence: float | None = None
    """Margin within which arms count as equivalent, where a contrast asks for that."""
    family: str = ""
    """Endpoints of one family are corrected together; empty: each is a family of its own."""

    @property
    def is_conditional(self) -> bool:
        """Tell whether it is defined for some units only, so that the arms may differ in who is compared."""
        return self.population != EVERY_UNIT

    def identity(self) -> dict[str, object]:
        """Return what a plan fixes of it: everything but the words."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "words"}

    def __post_init__(self) -> None:
        """Raise ValueError for a kind that does not exist."""
        if self.kind not in get_args(EndpointKind):
            raise ValueError(f"endpoint {self.name}: found kind {self.kind!r}, wanted one of {get_args(EndpointKind)}")
