"""Codes of accounts: each with texts that have it and texts that nearly do."""

import pytest

from diag.studies.retry.accounts import account_codes


def codes(failure, attempt):
    found = account_codes(f"Failure Experience\n{failure}\n\nNext Attempt\n{attempt}")
    return {name for name, holds in found.items() if holds}


@pytest.mark.parametrize(
    ("failure", "attempt", "wanted"),
    [
        ("I could not confirm my clicks.", "Continue with the same plan.", {"blames_execution", "resumes_plan"}),
        ("The last placement was rejected.", "Re-test the same placement.", {"blames_execution", "resumes_plan"}),
        ("There was no screenshot after the move.", "I look first.", {"blames_execution"}),
        ("I ran out of holes.", "Use a different order.", {"names_holes", "different_plan"}),
        ("All holes were occupied.", "Keep two holes free.", {"names_holes", "different_plan"}),
        ("I lifted four screws.", "Play carefully.", set()),
        ("I lifted four screws.", "Do not continue the old plan.", set()),
    ],
)  # fmt: skip
def test_codes(failure, attempt, wanted):
    assert codes(failure, attempt) == wanted


def test_a_cause_named_under_the_other_heading_is_not_coded():
    assert codes("I lifted four screws.", "All holes are full, I watch for that.") == set()


def test_a_text_without_headings_has_no_codes():
    assert not any(account_codes("I ran out of holes and use a different order.").values())
