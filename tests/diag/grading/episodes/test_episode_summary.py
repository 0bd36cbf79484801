"""Published measures over constructed episodes, each worked out by hand."""

import json
from typing import Any

import pytest

from diag.grading.episodes.summary import (
    episode_summary,
    episode_tables,
    hard_rows,
    horizon,
    lc_at,
    level_pass_rate,
    macro,
    ngar,
    share,
    stops,
    summary_lines,
    unreached_share,
)

NO_REGRET = {"moves": 0, "shortest": 0, "in_dead_end": 0, "undecided": 0, "costly": [], "fatal": []}


def episode(objective: str, n_won: int, n_reached: int, n_levels: int, **more: Any) -> dict[str, Any]:
    """Return a row whose level k was won at 60 k seconds."""
    levels = [{"won_s": 60.0 * k if k <= n_won else None} for k in range(1, n_levels + 1)]
    details = {"levels": levels, "maze": None, "bolt": None, "dead_ends": [], "regret": NO_REGRET, "native_steps": None}
    lc, reach = n_won / n_levels, n_reached / n_levels
    return {
        "unit_id": f"{objective}-A-r1", "checkpoint_id": objective, "ending": "time_limit", "elapsed_s": 3600.0,
        "lc": lc, "objective_success": n_won == n_levels, "fgp": lc, "reach": reach,
        "completion_if_reached": None, "regret_mean": None, "n_levels": n_levels, "n_reached": n_reached,
        "n_won": n_won,
        "deficit_unreached": 1 - reach, "deficit_reached": reach - lc, "premature_exit": False,
        "setting_mismatch": False, "stopped_s": None, "forfeited_levels": None, "n_attempts_at_levels": n_reached,
        "verdicts_undecided": 0, "dead_end_certified": 0, **more, "details": {**details, **more.get("details", {})},
    }  # fmt: skip


def test_macro_takes_objectives_of_a_game_first_then_games_equally():
    rows = [
        episode("maze_paint/easy", 10, 10, 10),
        episode("maze_paint/medium", 5, 6, 10),
        episode("maze_paint/hard", 0, 1, 10),
        episode("truck_escape/default", 1, 2, 5),
    ]
    assert macro(rows, "lc") == pytest.approx(((1 + 0.5 + 0) / 3 + 0.2) / 2)


def test_macro_averages_repeats_inside_their_objective():
    rows = [
        episode("maze_paint/easy", 10, 10, 10),
        episode("maze_paint/easy", 0, 1, 10),
        episode("maze_paint/hard", 0, 1, 10),
    ]
    assert macro(rows, "lc") == pytest.approx((0.5 + 0) / 2)


def test_macro_leaves_undefined_values_out_and_says_none_without_any():
    rows = [episode("maze_paint/easy", 0, 0, 10), episode("rush_hour/easy", 1, 2, 10, completion_if_reached=0.5)]
    assert macro(rows, "completion_if_reached") == 0.5
    assert macro(rows, "regret_mean") is None


def test_hard_tiers_are_those_above_the_easiest_and_never_truck_escape():
    names = [
        "bolt_unscrew/easy", "bolt_unscrew/hard", "nut_and_bolt/easy", "nut_and_bolt/medium", "nut_and_bolt/nightmare",
        "truck_escape/default", "color_connect/hard", "rush_hour/easy", "maze_paint/medium",
    ]  # fmt: skip
    found = [row["checkpoint_id"] for row in hard_rows([episode(name, 0, 0, 3) for name in names])]
    assert found == [
        "bolt_unscrew/hard", "nut_and_bolt/medium", "nut_and_bolt/nightmare", "color_connect/hard", "maze_paint/medium",
    ]  # fmt: skip


def test_the_deficit_of_constructed_episodes_splits_exactly():
    rows = [
        episode("maze_paint/easy", 3, 4, 10),
        episode("bolt_unscrew/hard", 0, 1, 8),
        episode("rush_hour/hard", 9, 10, 10),
    ]
    s = episode_summary(rows)
    assert s["deficit"] == pytest.approx(s["deficit_unreached"] + s["deficit_reached"])
    assert s["deficit"] == pytest.approx((0.7 + 1 + 0.1) / 3)
    assert s["unreached_share"] == pytest.approx((0.6 + 7 / 8 + 0) / (0.7 + 1 + 0.1))


def test_without_a_deficit_there_is_no_unreached_share():
    assert unreached_share([episode("maze_paint/easy", 10, 10, 10)]) is None


def test_the_pass_rate_is_macro_over_objectives_then_games():
    # "Horizon" of document 000: Truck 1, Maze (0 + 1) / 2, Rush 1/2 -> (1 + 1/2 + 1/2) / 3, not 16/18 pooled
    rows = [
        episode("truck_escape/default", 5, 5, 5),
        episode("maze_paint/easy", 0, 1, 10),
        episode("maze_paint/hard", 10, 10, 10),
        episode("rush_hour/easy", 1, 2, 10),
    ]
    assert level_pass_rate(rows) == pytest.approx(2 / 3)
    assert episode_summary(rows)["level_pass_rate"] == pytest.approx(2 / 3)
    assert "pass rate 66.7 %" in "\n".join(summary_lines(rows))


def test_the_pass_rate_pools_the_episodes_of_one_objective():
    rows = [episode("maze_paint/easy", 3, 4, 10), episode("maze_paint/easy", 0, 1, 10)]
    assert level_pass_rate(rows) == pytest.approx(3 / 5)


def test_the_pass_rate_is_undefined_when_nothing_was_reached():
    nothing = episode("maze_paint/easy", 0, 0, 10)
    assert level_pass_rate([nothing, episode("rush_hour/hard", 9, 10, 10)]) == pytest.approx(0.9)
    assert level_pass_rate([nothing]) is None


def test_the_horizon_is_linear_between_integers():
    # objectives solve 2 and 6 levels: S(2) = 1, S(3..6) = 0.5, S(7) = 0 -> crosses one half at 6
    rows = [episode("maze_paint/easy", 2, 3, 10), episode("rush_hour/easy", 6, 7, 10)]
    found = horizon(rows)
    assert found.curve == (1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0)
    assert found.value == pytest.approx(6.0)


def test_the_horizon_between_two_integers():
    # 3 and 4 and 4: S(3) = 1, S(4) = 2/3, S(5) = 0 -> 4 + (2/3 - 1/2) / (2/3) = 4.25
    rows = [episode(f"maze_paint/{name}", n, n, 10) for name, n in (("easy", 3), ("medium", 4), ("hard", 4))]
    assert horizon(rows).value == pytest.approx(4.25)
    assert str(horizon(rows)) == "4.2"


def test_a_horizon_beyond_the_last_level_is_ten_plus():
    rows = [episode("maze_paint/easy", 10, 10, 10), episode("rush_hour/easy", 0, 1, 10)]
    assert horizon(rows).value is None
    assert str(horizon(rows)) == "10+"


def test_shorter_objectives_do_not_enter_the_horizon():
    assert horizon([episode("bolt_unscrew/hard", 8, 8, 8)]) is None


def test_per_and_smr_pool_episodes():
    stop = {"premature_exit": True, "stopped_s": 600.0, "forfeited_levels": 9, "ending": "stopped"}
    rows = [
        episode("maze_paint/easy", 1, 2, 10, **stop),
        episode("maze_paint/hard", 0, 1, 10), episode("rush_hour/easy", 0, 1, 10, setting_mismatch=True),
        episode("rush_hour/hard", 10, 10, 10, ending="won"),
    ]  # fmt: skip
    assert share(rows, "premature_exit") == 0.25
    assert share(rows, "setting_mismatch") == 0.25
    found = stops(rows)
    assert (found["unsuccessful"], found["stopped"], found["at_deadline"]) == (3, 1, 2)
    assert (found["median_stop_min"], found["forfeited_levels"]) == (10.0, 9)


def test_lc_over_time_follows_the_wins():
    rows = [episode("maze_paint/easy", 2, 3, 10), episode("rush_hour/easy", 10, 10, 10)]
    assert lc_at(rows, 59.9) == 0
    assert lc_at(rows, 60) == pytest.approx((0.1 + 0.1) / 2)
    assert lc_at(rows, 600) == pytest.approx((0.2 + 1.0) / 2)


def test_ngar_pools_steps_of_code_execution_episodes():
    rows = [
        episode("maze_paint/easy", 0, 0, 10, details={"native_steps": [3, 1]}),
        episode("rush_hour/easy", 0, 0, 10, details={"native_steps": [1, 3]}),
        episode("rush_hour/hard", 0, 0, 10),
    ]
    assert ngar(rows) == 50.0
    assert ngar(rows[2:]) is None


def test_pools_add_cell_by_cell():
    maze = {"attempts": 1, "won": 0, "unique": 3, "revisits": 1, "solved": [[0, 0, 0]] * 5, "unsolved": [[1, 2, 3]] * 5}
    bolt = {"moves": {"1": {"n": 2, "frees": 1, "fills": 1, "deadlocks": 1}}, "decisions": {"1": [2, 0]}}
    visit = {"first_of_attempt": True, "delay_moves": 3, "exit": "restart"}
    costly = {**NO_REGRET, "moves": 3, "shortest": 1, "costly": [["l", 0, 1, 4, 7]], "fatal": [["l", 0, 2, 6]]}
    rows = [
        episode("maze_paint/easy", 0, 1, 10, details={"maze": maze, "regret": costly}),
        episode("maze_paint/hard", 0, 1, 10, details={"maze": maze}),
        episode("bolt_unscrew/hard", 0, 2, 8, details={"bolt": bolt, "dead_ends": [visit]}),
        episode("bolt_unscrew/easy", 0, 2, 8, details={"bolt": bolt, "dead_ends": [{**visit, "delay_moves": 5}]}),
    ]
    s = episode_summary(rows)
    assert s["maze"]["unsolved_by_fifth"] == [[2, 4, 6]] * 5
    assert (s["maze"]["productive"], s["maze"]["zero_progress"], s["maze"]["invalid"]) == (10, 20, 30)
    assert s["maze"]["revisit_rate"] == 0.25
    assert s["bolt"]["moves_by_free_holes"]["1"] == {"n": 4, "frees": 2, "fills": 2, "deadlocks": 2}
    assert s["bolt"]["decisions_by_free_holes"] == {"1": [4, 0]}
    dead = s["dead_ends"]["bolt_unscrew"]
    assert (dead["attempts"], dead["attempts_reached"], dead["mean_delay_moves"]) == (4, 2, 4.0)
    assert dead["exits"] == {"restart": 2}
    regret = s["regret"]["maze_paint"]
    assert (regret["costly"], regret["fatal"], regret["extra_moves"], regret["mean_finite"]) == (1, 1, 4, 2.0)


def test_tables_are_written_from_valid_episodes_alone_and_say_so_without_any():
    assert episode_tables([]) == {}
    assert summary_lines([]) == ("no valid episode: no measure",)
    files = episode_tables([episode("maze_paint/easy", 3, 4, 10)])
    assert json.loads(files["episodes.json"])["lc"] == 0.3
    assert files["objectives.csv"].splitlines()[1].startswith("maze_paint,easy,1,0.3,0.0,0.3,0.4,")
