"""Short words for declaring endpoints: what is measured of a unit is said before anything runs, never guessed."""

from __future__ import annotations

from dataclasses import replace

from diag.analysis.endpoint import Endpoint


def yes_no(*names: str) -> tuple[Endpoint, ...]:
    """Return endpoints that a unit has or has not."""
    return tuple(Endpoint(name, "yes_no") for name in names)


def shares(*names: str) -> tuple[Endpoint, ...]:
    """Return endpoints between 0 and 1."""
    return tuple(Endpoint(name, "share") for name in names)


def counts(*names: str) -> tuple[Endpoint, ...]:
    """Return endpoints that count something."""
    return tuple(Endpoint(name, "count") for name in names)


def seconds(*names: str) -> tuple[Endpoint, ...]:
    """Return endpoints on the takeover clock; a unit where the event did not happen has none."""
    return tuple(Endpoint(name, "seconds") for name in names)


def among(population: str, *endpoints: Endpoint) -> tuple[Endpoint, ...]:
    """Return endpoints that are defined for some units only, and say for which."""
    return tuple(replace(one, population=population) for one in endpoints)


def twenty_points(*endpoints: Endpoint) -> tuple[Endpoint, ...]:
    """Return endpoints whose smallest effect of interest and margin of equivalence are twenty points.

    The least margin that 24 pairs in seven levels can meet with one pair each way.
    """
    return tuple(replace(one, smallest_effect=0.2, equivalence=0.2) for one in endpoints)
