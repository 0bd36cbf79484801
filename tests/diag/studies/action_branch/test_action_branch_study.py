"""Action branches: the design, the balance of orders, and that only the first action differs."""

import json

import pytest

from checkpoints.branch import branch_of
from checkpoints.store import load_library
from diag.arms import Text
from diag.errors import ConfigError
from diag.records import InfrastructureFailure
from diag.studies.action_branch.attempt import branch_actions
from diag.studies.action_branch.first_action import FirstAction
from diag.studies.action_branch.kind import KIND
from diag.studies.study import Study

PANEL = ("simulated/sol", "simulated/terra", "simulated/luna")


def arms():
    return {"A": FirstAction("shortest_action", "shortest"), "B": FirstAction("costly_action", "costly")}


@pytest.fixture
def branch(diag, tmp_path):
    def run(*words):
        return diag(
            "+experiment=action_branch", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
            "execution.progress=false", "tracking=none", *words,
        )  # fmt: skip

    return run


def units(tmp_path, agent):
    return json.loads((tmp_path / "action_branch" / f"{agent}-rules" / "plan.json").read_text())["units"]


def test_the_panel_has_27_pairs_54_continuations_and_balanced_orders(branch, tmp_path, capsys):
    firsts = []
    for agent in PANEL:
        assert branch(f"agent={agent}", "mode=plan") == 0
        assert "27 pairs, 54 continuations" in capsys.readouterr().out
        planned = units(tmp_path, agent.replace("/", "-"))
        pairs = [tuple(unit["arm"] for unit in planned[k : k + 2]) for k in range(0, len(planned), 2)]
        assert len(pairs) == 9
        assert all(set(pair) == {"A", "B"} for pair in pairs)
        firsts += [pair[0] for pair in pairs]
    assert len(firsts) == 27
    assert sorted((firsts.count("A"), firsts.count("B"))) == [13, 14]


def test_the_first_action_is_executed_by_the_controller_and_shown_to_the_agent(branch, tmp_path):
    assert branch("agent=simulated/sol", "mode=run", "study.max_units=2", "study.limits.takeover_s=60") == 0
    starts = []
    for unit in units(tmp_path, "simulated-sol"):
        folder = tmp_path / "action_branch" / "simulated-sol-rules" / "units" / unit["unit_id"] / "attempt-1"
        events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
        kinds = [event["kind"] for event in events]
        assert kinds.index("controller") < kinds.index("observation")
        start, moved = events[0]["data"], events[kinds.index("controller") + 1]["data"]
        assert moved["transitions"][0]["move"] == start["branch_move"]
        outcome = json.loads((folder / "outcome.json").read_text())
        endpoints = outcome["endpoints"] if "endpoints" in outcome else outcome["content"]["endpoints"]
        assert endpoints["extra_cost"] == start["extra_cost"]
        assert "verified_recovery" not in endpoints
        starts.append(start)
    assert starts[0]["digests"] == starts[1]["digests"]
    assert {start["branch"]: start["extra_cost"] > 0 for start in starts} == {"costly": True, "shortest": False}


@pytest.mark.parametrize(
    "wrong",
    [{"A": FirstAction("a", "costly"), "B": FirstAction("b", "costly")}, {**arms(), "C": Text("t", {"any": ""})},
     {"A": arms()["A"]}],
)  # fmt: skip
def test_the_arms_are_one_costly_and_one_shortest_action(wrong):
    with pytest.raises(ConfigError, match=r"study\.arms"):
        Study.of(KIND, KIND.config(name="x", objective="Play."), wrong)


def test_a_first_action_adds_no_text_and_knows_its_cohort():
    one = FirstAction("a", "costly")
    assert one.declared_text("S") == ""
    with pytest.raises(ValueError, match="not defined for cohort D"):
        one.declared_text("D")
    with pytest.raises(ValueError, match="wanted one of costly, shortest"):
        FirstAction("a", "cheap")


def test_an_illegal_first_action_is_a_failure_of_the_apparatus():
    checkpoint = load_library("action_branch").checkpoints[0]
    legal = {branch["move"] for branch in branch_of(checkpoint).values()}
    assert all(branch_actions(checkpoint, move) for move in legal)
    walls = [move for move in ("up", "down", "left", "right") if not _is_legal(checkpoint, move)]
    for move in walls:
        with pytest.raises(InfrastructureFailure, match="not legal"):
            branch_actions(checkpoint, move)


def _is_legal(checkpoint, move):
    from games.registry import game_named

    game = game_named(checkpoint.level.game)
    state = game.state_from_json(game.parse_layout(checkpoint.layout), checkpoint.state)
    return move in game.legal_moves(state)
