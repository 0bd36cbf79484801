"""What is tried again, and when a run gives up: tries count per run, restores are deterministic, endpoints go down."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from diag.errors import StudyFailed
from diag.records.study_folder import AttemptStatus
from diag.running.runner import OUTAGE_ATTEMPTS, _while_the_endpoint_works, missing

FAILED = AttemptStatus(
    "u", 1, "h", "complete", "infrastructure_failure", "browser", "gone", False, "host", 1, "", "", None
)
RESTORATION = replace(FAILED, failure_kind="restoration", message="the board is another")
VALID = replace(FAILED, validity="valid", failure_kind=None, message="")


def folder_with(*statuses: AttemptStatus):
    return SimpleNamespace(attempts=lambda _unit: statuses)


def tried_again(*statuses: AttemptStatus, earlier: int = 0) -> list[int]:
    plan = SimpleNamespace(units=[SimpleNamespace(unit_id="u")])
    return [attempt for _, attempt in missing(plan.units, folder_with(*statuses), 3, {"u": earlier})]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statuses", "earlier", "wanted"),
    [
        ((), 0, [1]),
        ((FAILED, FAILED), 0, [3]),
        ((FAILED, FAILED, FAILED), 0, []),
        ((FAILED, FAILED, FAILED), 3, [4]),
        ((FAILED, FAILED, FAILED, FAILED), 3, [5]),
        ((FAILED, VALID), 0, []),
        ((RESTORATION,), 0, [2]),
        ((RESTORATION, RESTORATION), 0, []),
        ((RESTORATION, RESTORATION), 2, [3]),
        ((RESTORATION, replace(RESTORATION, message="pixels differ")), 0, [3]),
        ((FAILED, RESTORATION), 0, [3]),
    ],
)
def test_a_unit_is_tried_again_as_often_as_a_run_allows(statuses, earlier, wanted):
    assert tried_again(*statuses, earlier=earlier) == wanted


def outage(*statuses: AttemptStatus, n_jobs: int = 1) -> int:
    plan = SimpleNamespace(units=[SimpleNamespace(unit_id="u")])
    job = SimpleNamespace(folder=folder_with(VALID))
    return len(list(_while_the_endpoint_works(iter(statuses), plan, job, n_jobs)))  # type: ignore[arg-type]


def test_an_endpoint_that_fails_many_attempts_in_a_row_stops_the_run():
    down = replace(FAILED, failure_kind="api", message="connection refused")
    almost = [down] * (OUTAGE_ATTEMPTS - 1)
    assert outage(*almost, VALID, *almost, FAILED, *almost) == 3 * len(almost) + 2
    with pytest.raises(
        StudyFailed, match=f"failed {OUTAGE_ATTEMPTS} attempts in a row, .* connection refused; .* goes on"
    ):
        outage(*almost, down)
    assert outage(*almost, down, n_jobs=8) == OUTAGE_ATTEMPTS


def test_the_same_command_makes_good_what_an_outage_left(diag, arguments, tmp_path):
    words = [*arguments, "agent=standin_failing", "study.max_units=9", "execution.max_attempts=1", "mode=run"]
    assert diag(*words) == 1
    before = {path: path.read_bytes() for path in tmp_path.glob("out/*/*/units/*/attempt-1/*")}
    assert diag(*words, "agent.break_share=0.0") == 0
    assert {path: path.read_bytes() for path in before} == before
    again = [json.loads(path.read_text()) for path in tmp_path.glob("out/*/*/units/*/attempt-2/status.json")]
    assert again
    assert {one["validity"] for one in again} == {"valid"}
