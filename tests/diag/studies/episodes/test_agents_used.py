"""What agents used, summed over their episodes: unknown where any call did not report it."""

from diag.agents.models.accounting import Usage
from diag.studies.episodes.command import _outcome, _used


def row(used: Usage, **changes):
    facts = {"checkpoint_id": "maze_paint/easy", "unit_id": "u", "ending": "time_limit"}
    return {
        **facts,
        "n_won": 3,
        "n_levels": 10,
        "lc": 0.3,
        "elapsed_s": 3600.0,
        "n_actions": 90,
        "used": used,
        **changes,
    }


def test_tokens_and_cost_add_up_and_unknown_stays_unknown():
    one = Usage(calls=2, input_tokens=100, output_tokens=7, cost=0.5)
    other = Usage(calls=3, input_tokens=50, output_tokens=3, cost=None)
    assert _used([row(one), row(other)]) == {"calls": 5, "input_tokens": 150, "output_tokens": 10, "cost": None}
    assert _used([row(one), row(one)])["cost"] == 1.0


def test_an_outcome_names_objective_ending_and_levels():
    found = _outcome(row(Usage(calls=1, input_tokens=9, output_tokens=1, cost=0.0)))
    assert (found["objective"], found["ending"], found["n_won"], found["n_levels"]) == (
        "maze_paint/easy",
        "time_limit",
        3,
        10,
    )
    assert found["input_tokens"] == 9
