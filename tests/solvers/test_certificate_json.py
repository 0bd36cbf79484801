"""Certificates read back equal; malformed ones are refused."""

import json

import pytest

from games.bolt_unscrew import rules
from games.bolt_unscrew.rules import Move
from solvers.certificate import DeadEnd, Solvable, Solved, Undecided
from solvers.certificate_json import certificate_from_json, certificate_to_json


@pytest.mark.parametrize(
    "certificate",
    [
        Solved(),
        Solvable((Move(0, 2), Move(1, 0)), True, 2),
        DeadEnd("no_available_hole", 1),
        DeadEnd("exhausted_search", 160),
        Undecided(300),
    ],
)
def test_round_trip(certificate):
    data = json.loads(json.dumps(certificate_to_json(rules, certificate)))
    assert certificate_from_json(rules, data) == certificate


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "certificate.kind"),
        ({"kind": "won"}, "found 'won'"),
        ({"kind": "dead_end", "mechanism": "tired", "states_closed": 1}, "found 'tired'"),
        ({"kind": "dead_end", "mechanism": "exhausted_search"}, "certificate.states_closed"),
        ({"kind": "solvable", "solution": [[0]], "exact": True, "lower_bound": 1}, "wanted \\[source, target\\]"),
        ({"kind": "solvable", "solution": [[0, 1]], "exact": 1, "lower_bound": 1}, "certificate.exact"),
        ({"kind": "undecided", "state_limit": True}, "certificate.state_limit"),
    ],
)
def test_malformed_certificates_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        certificate_from_json(rules, data)
