"""Short words for declaring endpoints: what is measured of a unit is said before anything runs, never guessed.

An endpoint is declared by its name and what it means: `yes_no(won="every level is completed")`.
"""

from __future__ import annotations

from dataclasses import replace

from diag.analysis.endpoint import Endpoint, EndpointKind


def yes_no(**meanings: str) -> tuple[Endpoint, ...]:
    """Return endpoints that a unit has or has not."""
    return _each("yes_no", meanings)


def shares(**meanings: str) -> tuple[Endpoint, ...]:
    """Return endpoints between 0 and 1."""
    return _each("share", meanings)


def counts(**meanings: str) -> tuple[Endpoint, ...]:
    """Return endpoints that count something."""
    return _each("count", meanings)


def seconds(**meanings: str) -> tuple[Endpoint, ...]:
    """Return endpoints on the takeover clock; a unit where the event did not happen has none."""
    return _each("seconds", meanings)


def among(population: str, *endpoints: Endpoint) -> tuple[Endpoint, ...]:
    """Return endpoints that are defined for some units only, and say for which."""
    return tuple(replace(one, population=population) for one in endpoints)


def primary(*endpoints: Endpoint) -> tuple[Endpoint, ...]:
    """Return the endpoint that the study is about; a study has one."""
    return tuple(replace(one, primary=True) for one in endpoints)


def twenty_points(*endpoints: Endpoint) -> tuple[Endpoint, ...]:
    """Return endpoints whose smallest effect of interest and margin of equivalence are twenty points.

    The least margin that 24 pairs in seven levels can meet with one pair each way.
    """
    return tuple(replace(one, smallest_effect=0.2, equivalence=0.2) for one in endpoints)


def _each(kind: EndpointKind, meanings: dict[str, str]) -> tuple[Endpoint, ...]:
    return tuple(Endpoint(name, kind, words=words) for name, words in meanings.items())
