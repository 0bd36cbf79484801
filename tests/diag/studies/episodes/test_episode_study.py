"""The plan of RQ1, and the whole way of episodes on rules only: controls, dead ends, resumption, refusal."""

import json
from pathlib import Path

import pandas as pd
import pytest

from diag.arms import Text
from diag.errors import ConfigError
from diag.studies.episodes.kind import KIND
from diag.studies.study import Study
from games.catalogue import load_catalogue

HOUR_S = 3_600


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


def study(**more):
    objective = "Play {game} at {difficulty}: {count} levels."
    keys = KIND.config(name="rq1", objective=objective, **more)
    return Study.of(KIND, keys, {"A": Text("ordinary", {"any": ""})})


@pytest.fixture
def rq1(diag, tmp_path):
    def run(agent, *words, mode="run", name="rq1"):
        return diag(
            "+experiment=rq1", f"agent={agent}", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
            "execution.progress=false", "tracking=none", f"mode={mode}", f"study.name={name}", *words,
        )  # fmt: skip

    return run


def table(tmp_path: Path, agent: str, name: str = "rq1") -> pd.DataFrame:
    return pd.read_csv(tmp_path / name / f"{agent}-rules" / "tables" / "outcomes.csv")


def test_there_are_sixteen_objectives_in_six_games(catalogue):
    one = study()
    blocks = KIND.starts.blocks(one, KIND.starts.source(one, "", catalogue))
    assert len(blocks) == 16
    assert len({block.cluster for block in blocks}) == 6
    assert len({block.block_id for block in blocks}) == 16


def test_an_endpoint_that_grading_does_not_give_is_refused_before_anything_runs():
    with pytest.raises(ConfigError, match="found 'level_completion', wanted one of lc, objective_success"):
        study(endpoints=("level_completion",))


def test_limits_are_an_hour_and_no_action_limit():
    assert (study().limits.takeover_s, study().limits.actions) == (HOUR_S, None)


def test_the_instruction_uses_the_names_on_the_screen(catalogue):
    one = study(objectives=("nut_and_bolt/nightmare",))
    (objective,) = KIND.starts.source(one, "", catalogue).chosen
    assert KIND.starts.context(one, objective).instruction == "Play Nut and Bolt at Nightmare: 1 levels."


@pytest.mark.parametrize("names", [("chess/easy",), ("maze_paint/easy", "maze_paint/easy")])
def test_an_unknown_or_repeated_objective_is_refused(catalogue, names):
    with pytest.raises(ConfigError, match="objective"):
        KIND.starts.source(study(objectives=names), "", catalogue)


def test_an_unknown_placeholder_names_those_there_are(catalogue):
    arms = {"A": Text("ordinary", {"any": ""})}
    one = Study.of(KIND, KIND.config(name="x", objective="Play {level}."), arms)
    with pytest.raises(ConfigError, match="game, difficulty, count"):
        KIND.starts.context(one, KIND.starts.source(one, "", catalogue).chosen[0])


def test_search_limits_are_part_of_the_identity():
    assert study().identity()["search_limits"]["bolt_unscrew"] > 0


OBJECTIVES = "study.objectives=[bolt_unscrew/easy,nut_and_bolt/easy,color_connect/easy,truck_escape/default]"


@pytest.mark.slow
def test_the_oracle_completes_everything_without_regret(rq1, tmp_path):
    words = (OBJECTIVES.replace("]", ",maze_paint/easy,rush_hour/easy]"),)
    assert rq1("optimal", *words) == 0
    assert rq1("optimal", *words, mode="analyse") == 0
    found = table(tmp_path, "optimal")
    assert (found["lc"] == 1).all()
    assert not found["premature_exit"].any()
    for name in ("regret_costly_moves", "regret_fatal_moves", "regret_undecided_moves", "dead_end_attempts"):
        assert (found[name] == 0).all()
    assert (found["regret_shortest_moves"] == found["n_moves"]).all()
    summary = json.loads((tmp_path / "rq1" / "optimal-rules" / "tables" / "episodes.json").read_text())
    assert (summary["lc"], summary["osr"], summary["per"], summary["horizon"]) == (1.0, 1.0, 0.0, "10+")


@pytest.mark.slow
def test_random_play_dies_in_the_two_games_that_have_dead_ends_and_nowhere_else(rq1, tmp_path):
    assert rq1("random_legal") == 0
    assert rq1("random_legal", mode="analyse") == 0
    found = table(tmp_path, "random_legal")
    games = found["checkpoint_id"].str.split("/").str[0]
    dying = set(games[found["dead_end_attempts"] > 0])
    assert dying == {"bolt_unscrew", "nut_and_bolt"}
    assert (1 - found["lc"] - found["deficit_unreached"] - found["deficit_reached"]).abs().max() < 1e-12


def test_null_plays_nothing_and_scores_nothing(rq1, tmp_path):
    words = ("study.objectives=[truck_escape/default]", "study.limits.takeover_s=60")
    assert rq1('"null"', *words) == 0
    assert rq1('"null"', *words, mode="analyse") == 0
    (row,) = table(tmp_path, "null").to_dict("records")
    assert (row["lc"], row["fgp"], row["reach"], row["ending"]) == (0, 0, 0, "time_limit")


def test_an_interrupted_episode_is_replaced_and_never_counted(rq1, diag, tmp_path, capsys):
    words = ("study.objectives=[truck_escape/default,nut_and_bolt/easy]", "study.limits.takeover_s=300")
    for name in ("whole", "killed"):
        assert rq1("greedy", *words, name=name) == 0
    units = tmp_path / "killed" / "greedy-rules" / "units"
    done = units / "nut_and_bolt-easy-A-r1" / "attempt-1"
    log = (done / "events.jsonl").read_text().splitlines(keepends=True)
    (done / "outcome.json").unlink()  # what a kill in the middle of an episode leaves
    (done / "events.jsonl").write_text("".join(log[: len(log) // 2]))
    done.rename(done.with_name("attempt-1.partial"))
    assert rq1("greedy", *words, "interim=true", name="killed", mode="analyse") == 1
    looked_at = table(tmp_path, "greedy", "killed")
    assert len(looked_at["lc"].dropna()) == 1
    assert set(looked_at["interim"]) == {"1 of 2 units"}
    command = ("episodes", str(tmp_path / "killed" / "greedy-rules"), "--output", str(tmp_path / "cmp"))
    capsys.readouterr()
    assert diag(*command) == 1
    assert "has not ended: 1 of 2 units have an outcome" in capsys.readouterr().err
    assert not (tmp_path / "cmp").exists()
    assert diag(*command, "--interim") == 0
    for name in ("agents.csv", "objectives.csv", "outcomes.csv"):
        assert set(pd.read_csv(tmp_path / "cmp" / name)["study"]) == {"greedy-rules (INTERIM, 1 of 2 units)"}
    assert rq1("greedy", *words, name="killed") == 0
    for name in ("whole", "killed"):
        assert rq1("greedy", *words, name=name, mode="analyse") == 0
    whole, killed = (table(tmp_path, "greedy", name).drop(columns="checkpoint_digest") for name in ("whole", "killed"))
    assert (done.parent / "attempt-1.interrupted-1").is_dir()
    assert whole["unit_id"].equals(killed["unit_id"])
    assert killed["lc"].notna().all()


def test_regrading_changes_nothing(rq1, tmp_path, capsys):
    words = ("study.objectives=[maze_paint/easy]", "study.limits.takeover_s=400")
    assert rq1("random_legal", *words) == 0
    assert rq1("random_legal", *words, mode="analyse") == 0
    before = (tmp_path / "rq1" / "random_legal-rules" / "tables" / "episodes.json").read_bytes()
    assert rq1("random_legal", *words, mode="regrade") == 0
    assert "0 outcomes changed" in capsys.readouterr().out
    assert (tmp_path / "rq1" / "random_legal-rules" / "tables" / "episodes.json").read_bytes() == before


def test_the_report_has_a_section_on_episodes(rq1, tmp_path):
    words = ("study.objectives=[nut_and_bolt/easy]", "study.limits.takeover_s=200")
    assert rq1("random_legal", *words) == 0
    assert rq1("random_legal", *words, mode="report") == 0
    folder = tmp_path / "rq1" / "random_legal-rules"
    page = (folder / "report.html").read_text()
    for words_on_page in ("Whole episodes", "What each move cost", "50 % level horizon", "declares no contrast"):
        assert words_on_page in page
    assert (folder / "figures" / "heat-map.svg").is_file()


def test_several_agents_become_one_table_and_two_figures(rq1, diag, tmp_path, capsys):
    words = ("study.limits.takeover_s=200",)
    for agent, objectives in (
        ("greedy", "truck_escape/default,nut_and_bolt/easy"),
        ("random_legal", "truck_escape/default"),
    ):
        assert rq1(agent, *words, f"study.objectives=[{objectives}]") == 0
    folders = [str(tmp_path / "rq1" / f"{agent}-rules") for agent in ("greedy", "random_legal")]
    assert diag("episodes", *folders, "--output", str(tmp_path / "cmp")) == 0
    assert "left out: nut_and_bolt/easy" in capsys.readouterr().out
    agents = pd.read_csv(tmp_path / "cmp" / "agents.csv")
    assert list(agents["planned"]) == [1, 1]
    assert list(agents["input_tokens"]) == [0, 0]
    outcomes = pd.read_csv(tmp_path / "cmp" / "outcomes.csv")
    assert list(outcomes["study"]) == ["greedy-rules", "random_legal-rules"]
    assert set(outcomes["objective"]) == {"truck_escape/default"}
    assert (outcomes["n_won"] / outcomes["n_levels"]).tolist() == pytest.approx(outcomes["lc"].tolist())
    for name in ("heat-map.svg", "heat-map.png", "lc-over-time.svg", "objectives.csv"):
        assert (tmp_path / "cmp" / name).stat().st_size > 0
