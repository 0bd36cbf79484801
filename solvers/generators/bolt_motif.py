"""Compositions that Bolt Unscrew levels are drawn from: where joints may be, which beams and discs may join them.

A motif is authored by hand, mostly symmetric about the middle of the plate; the generator chooses which optional parts
a level has. Joints are (x, y) on the plate; a beam is a strip through collinear joints.
"""

from __future__ import annotations

from dataclasses import dataclass

Joint = tuple[int, int]
Beam = tuple[Joint, ...]

MIDDLE_X = 270


@dataclass(frozen=True)
class Part:
    """A board and its mirror image, or a board that is its own; chosen together."""

    beams: tuple[Beam, ...] = ()
    discs: tuple[tuple[Joint, int], ...] = ()
    """(joint in its centre, radius)."""
    overhang: int = 34
    """Wood beyond the end joints of the beams."""
    width: int = 56


@dataclass(frozen=True)
class Motif:
    """What a level may be made of; every joint of a chosen part carries a screw at the start."""

    name: str
    fixed: tuple[Part, ...]
    optional: tuple[Part, ...]
    n_optional: tuple[int, int]
    """Least and most optional parts of a level."""
    holes: tuple[tuple[Joint, ...], ...]
    """Groups of free holes that may exist, chosen together."""
    n_holes: tuple[int, int]
    """Least and most groups of free holes."""


def mirrored(*joints: Joint) -> Beam:
    """Return the mirror image of joints, in the same order."""
    return tuple((2 * MIDDLE_X - x, y) for x, y in joints)


def pair(*joints: Joint, overhang: int = 34, width: int = 56) -> Part:
    """Return a beam and its mirror image."""
    return Part(beams=(joints, mirrored(*joints)), overhang=overhang, width=width)


def single(*joints: Joint, overhang: int = 34, width: int = 56) -> Part:
    """Return a beam on its own."""
    return Part(beams=(joints,), overhang=overhang, width=width)


def discs(*joints: Joint, radius: int) -> Part:
    """Return discs of one radius."""
    return Part(discs=tuple((joint, radius) for joint in joints))


def both(x: int, y: int) -> tuple[Joint, Joint]:
    """Return a joint and its mirror image."""
    return (x, y), (2 * MIDDLE_X - x, y)


def plain(name: str, parts: tuple[Part, ...], *holes: Joint) -> Motif:
    """Return a motif without choices."""
    return Motif(name, parts, (), (0, 0), (holes,), (1, 1))
