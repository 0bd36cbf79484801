"""The closed form against turning the board in small steps, with the distance written out anew."""

import math

import numpy as np
import pytest

from bolt_unscrew.boards import own_levels
from games.bolt_unscrew.contact import entering_angles
from games.bolt_unscrew.mechanics import PEG, automata

STEPS = 5_000
GRAZING = 0.02


def gaps(core, pivot, start, sweep):
    """Distances of the peg from the core segment while the board turns by `sweep`, in STEPS steps."""
    turned = np.exp(-1j * np.linspace(0, sweep, STEPS)) * complex(start[0] - pivot[0], start[1] - pivot[1])
    peg = turned + complex(*pivot)
    along = np.clip((peg.real + core) / (2 * core), 0, 1) if core else np.zeros(STEPS)
    return np.abs(peg - (-core + 2 * core * along))


def closed_form(core, reach, pivot, start, turn):
    rho = math.hypot(start[0] - pivot[0], start[1] - pivot[1])
    first = math.atan2(start[1] - pivot[1], start[0] - pivot[0])
    travels = ((first - beta) * turn % math.tau for beta in entering_angles(core, reach, pivot, rho, turn))
    return min(travels, default=None)


def test_first_contact_agrees_with_small_steps():
    rng = np.random.default_rng(5)
    met = 0
    for _ in range(400):
        core = float(rng.choice([0.0, rng.uniform(10, 150)]))
        reach, turn = float(rng.uniform(25, 80)), int(rng.choice([-1, 1]))
        pivot = tuple(rng.uniform(-1, 1, 2) * (core + 40, 30))
        start = tuple(rng.uniform(-300, 300, 2))
        apart = gaps(core, pivot, start, turn * math.tau)
        if apart[0] < reach + GRAZING or abs(apart.min() - reach) < GRAZING:
            continue
        found = closed_form(core, reach, pivot, start, turn)
        touching = np.flatnonzero(apart < reach)
        if not touching.size:
            assert found is None
        else:
            met += 1
            assert found == pytest.approx(touching[0] * math.tau / (STEPS - 1), abs=2 * math.tau / STEPS)
    assert met > 50


@pytest.mark.parametrize("level", [("hard", 2), ("hard", 4)])
def test_every_swing_of_a_level_stops_where_small_steps_do(level):
    layout = own_levels()[level]
    checked = 0
    for board, automaton in zip(layout.boards, automata(layout), strict=True):
        for (number, pivot), swing in automaton.close().items():
            if not swing.turn:
                continue
            pose, end = automaton.poses[number], automaton.poses[swing.end]
            sweep = (end.angle_rad - pose.angle_rad) * swing.turn % math.tau
            stops = {mask.bit_length() - 1: automaton.poses[at] for mask, at in swing.stops}
            places = [pose.to_board((anchor.x, anchor.y)) for anchor in layout.anchors]
            for peg, place in enumerate(places):
                if peg == pivot or automaton.aligned[number] >> peg & 1:
                    continue
                apart = gaps(board.core, places[pivot], place, swing.turn * sweep) - board.rim
                if apart[0] < PEG + 1e-3:
                    continue
                touching = np.flatnonzero(apart < PEG)
                assert (peg in stops) == bool(touching.size)
                if touching.size:
                    travelled = (stops[peg].angle_rad - pose.angle_rad) * swing.turn % math.tau
                    assert travelled == pytest.approx(touching[0] * sweep / (STEPS - 1), abs=2 * sweep / STEPS + 1e-6)
                    checked += 1
    assert checked > 50
