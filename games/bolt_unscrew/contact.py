"""When a turning board meets a round peg, in closed form: no time stepping.

Everything happens in the board's own frame, where the board stands still and the peg runs on a circle of radius `rho`
about the pivot. The peg touches the wood when its centre is `reach` = rim + peg radius away from the core segment. That
curve is two lines (v = +-reach over the core) and two arcs (about the core's ends), so a circle meets it in at most
eight points, each with a closed form.
"""

from __future__ import annotations

import math

from games.bolt_unscrew.layout import Point

GRAZING = 1e-9
"""Share of the peg's speed below which it runs along the wood instead of into it."""


def core_distance(core: float, u: float, v: float) -> float:
    """Return the distance of the point (u, v) from the core segment."""
    return math.hypot(u - max(-core, min(core, u)), v)


def runs_into_wood(core: float, pivot: Point, peg: Point, turn: int) -> bool:
    """Tell whether the peg approaches the core while the board turns by `turn` (+1 clockwise on screen, -1 not)."""
    nearest_u = max(-core, min(core, peg[0]))
    normal_u, normal_v = peg[0] - nearest_u, peg[1]
    arm_u, arm_v = peg[0] - pivot[0], peg[1] - pivot[1]
    approach = turn * (normal_u * arm_v - normal_v * arm_u)
    return approach < -GRAZING * math.hypot(normal_u, normal_v) * math.hypot(arm_u, arm_v)


def entering_angles(core: float, reach: float, pivot: Point, rho: float, turn: int) -> tuple[float, ...]:
    """Return the directions (radians, seen from the pivot) at which a peg on the circle comes to touch the wood.

    Args:
        core: half-length of the core segment.
        reach: distance from the core at which the peg touches.
        pivot: centre of the peg's circle, in the board's frame.
        rho: radius of that circle.
        turn: +1 if the board turns clockwise on screen (the peg then runs counterclockwise), else -1.
    """
    touching = _on_lines(core, reach, pivot, rho) + _on_arcs(core, reach, pivot, rho)
    return tuple(beta for beta in touching if runs_into_wood(core, pivot, _on_circle(pivot, rho, beta), turn))


def _on_circle(pivot: Point, rho: float, beta: float) -> Point:
    return pivot[0] + rho * math.cos(beta), pivot[1] + rho * math.sin(beta)


def _on_lines(core: float, reach: float, pivot: Point, rho: float) -> list[float]:
    found: list[float] = []
    for line_v in (reach, -reach):
        sine = (line_v - pivot[1]) / rho
        if abs(sine) <= 1:
            first = math.asin(sine)
            found += (beta for beta in (first, math.pi - first) if abs(_on_circle(pivot, rho, beta)[0]) <= core)
    return found


def _on_arcs(core: float, reach: float, pivot: Point, rho: float) -> list[float]:
    found: list[float] = []
    for end in (core, -core) if core else (0.0,):
        to_end_u, to_end_v = end - pivot[0], -pivot[1]
        gap = math.hypot(to_end_u, to_end_v)
        if gap == 0:
            continue
        cosine = (rho**2 + gap**2 - reach**2) / (2 * rho * gap)
        if abs(cosine) <= 1:
            middle, half = math.atan2(to_end_v, to_end_u), math.acos(cosine)
            outer = (beta for beta in (middle - half, middle + half))
            found += (beta for beta in outer if (_on_circle(pivot, rho, beta)[0] - end) * end >= 0)
    return found
