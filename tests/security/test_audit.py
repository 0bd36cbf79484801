"""The audit's words: a finding fails, silence is not taken for a clean bill."""

from audit import verdict

CLEAN = {"name": "a", "version": "1", "vulns": []}
SICK = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1"}]}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


def test_a_known_vulnerability_fails():
    code, text = verdict({"dependencies": [CLEAN, SICK, UNKNOWN]})
    assert code == 1
    assert "b 2: PYSEC-1" in text


def test_what_was_not_audited_is_named():
    assert verdict({"dependencies": [CLEAN, UNKNOWN]}) == (
        0,
        "audit: 1 packages, no known vulnerability; not audited: c",
    )


def test_an_unreachable_service_is_said():
    code, text = verdict({"dependencies": [UNKNOWN]})
    assert code == 0
    assert "cannot be reached" in text
