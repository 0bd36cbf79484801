"""Declared endpoints: what a record refuses, and how it is analysed."""

import json

import pytest

from diag.analysis.endpoint import Endpoint, one_primary


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": ""}, "wanted the name of an outcome"),
        ({"kind": "yes/no"}, "endpoint 'won' kind: found 'yes/no', wanted one of 'yes_no', 'share'"),
        ({"better": "more"}, "better: found 'more', wanted one of 'higher', 'lower', ''"),
        ({"population": ""}, "wanted 'all units' or which units"),
        ({"limit_s": 300.0}, "limit_s: found 300.0 with kind yes_no"),
        ({"kind": "seconds"}, "limit_s: found none"),
        ({"kind": "seconds", "limit_s": float("inf")}, "limit_s: found inf, wanted a number above 0"),
        ({"smallest_effect": -0.1}, "smallest_effect: found -0.1, wanted a number above 0"),
        ({"equivalence": 10.0}, "equivalence: found 10.0, wanted at most 1"),
    ],
)
def test_a_record_says_what_it_found_and_what_it_wanted(given: dict[str, object], message: str) -> None:
    fields: dict[str, object] = {"name": "won", "kind": "yes_no", **given}
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is checked below
        Endpoint(**fields)  # type: ignore[arg-type]
    assert message in str(refused.value)


def test_seconds_are_restricted_times_and_never_conditional() -> None:
    recovery = Endpoint("recovery_s", "seconds", unit="s", population="recovered units", limit_s=300.0, better="lower")
    assert recovery.analysed_as == "time"
    assert not recovery.is_conditional
    assert Endpoint("recurrence", "yes_no", population="recovered units").is_conditional
    assert json.loads(json.dumps(recovery.to_json()))["limit_s"] == 300.0


def test_a_study_has_at_most_one_primary_endpoint() -> None:
    won, lost = Endpoint("won", "yes_no", primary=True), Endpoint("lost", "yes_no", primary=True)
    assert one_primary((won, Endpoint("moves", "count"))) is won
    assert one_primary(()) is None
    with pytest.raises(ValueError, match="found won, lost primary, wanted one"):
        one_primary((won, lost))
    with pytest.raises(ValueError, match="found won twice"):
        one_primary((won, Endpoint("won", "count")))
