"""The published follow-up pooled, 7 of 18 under A and 16 of 18 under B, and what is refused."""

import json

import pytest
from tables import table_of

from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import analyse, effects_json
from diag.analysis.estimand import Estimand
from diag.commands.pool import main, pool_folders
from diag.errors import ConfigError
from diag.grading.table import write_table
from diag.records.plan import Block, make_plan, schedule
from diag.records.study_folder import StudyFolder

PLAN = ResamplePlan(seed=5, draws=500)
BA = Estimand("B - A", "y", "binary", "B", "A", cohort="D", family="y")
SIX = [f"level{place}" for place in range(6)]
PANEL = {"sol": ([1, 1, 0, 0, 0, 0], [1] * 6), "terra": ([1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 0]),
         "luna": ([0] * 6, [0, 1, 1, 1, 1, 1])}  # fmt: skip


def study(root, agent, *, arms=None, clusters=SIX, sentence=None, name=None, **more):
    folder = root / (name or agent)
    a, b = arms or PANEL[agent]
    table = table_of({"A": a, "B": b}, clusters, agent=agent, **more)
    (folder / "tables").mkdir(parents=True)
    write_table(table.assign(ending="won"), folder / "tables" / "outcomes.csv")
    content = effects_json(analyse(table, [BA], plan=PLAN), plan=PLAN)
    (folder / "tables" / "effects.json").write_text(json.dumps(content))
    if sentence:
        units = schedule([Block("b00", "D", "c", "d", "l", ("A", "B"))], study="s", seed=0, repeats=1)
        identity = {"study": {"seed": len(agent), "arms": {"B": {"sentence": sentence}}}}
        StudyFolder(folder).write_plan(make_plan("s", units, identity))
    return folder


def test_the_published_follow_up_is_pooled_and_three_models_share_six_clusters(tmp_path, capsys):
    folders = [study(tmp_path, agent) for agent in PANEL]
    assert main([*map(str, folders), "--json", str(tmp_path / "p.json")]) == 0
    shown = capsys.readouterr().out
    assert "7/18" in shown
    assert "16/18" in shown
    assert "Simulated: sol, terra, luna" in shown
    (pooled,) = json.loads((tmp_path / "p.json").read_text())["pooled"]
    assert pooled["estimate"] == pytest.approx(0.5)
    assert (pooled["n_pairs"], pooled["n_clusters"], pooled["up"], pooled["down"]) == (18, 6, 9, 0)
    # by hand: five of the six levels move, all up, so two of their 32 sign patterns are as extreme
    assert [total for _, total, _ in pooled["by_cluster"]] == [0, 1, 2, 2, 2, 2]
    assert pooled["sign_flip_p"] == pytest.approx(2 / 32)


def test_an_agent_that_goes_the_other_way_is_named(tmp_path, capsys):
    folders = [study(tmp_path, "sol"), study(tmp_path, "terra", arms=([1, 1, 1, 0, 0, 0], [0, 1, 1, 0, 0, 0]))]
    main([str(one) for one in folders])
    assert "The other way: terra." in capsys.readouterr().out


def test_what_cannot_be_pooled_is_refused_in_one_line(tmp_path):
    sol = study(tmp_path, "sol", sentence="It is dead.")
    with pytest.raises(ConfigError, match="wanted at least two"):
        pool_folders([sol])
    with pytest.raises(ConfigError, match="each agent once"):
        pool_folders([sol, study(tmp_path, "sol", name="again")])
    with pytest.raises(ConfigError, match=r"study\.arms\.B\.sentence is 'It is dead\.' and 'It is lost\.'"):
        pool_folders([sol, study(tmp_path, "luna", sentence="It is lost.")])
    with pytest.raises(ConfigError, match="cluster of unit"):
        pool_folders([sol, study(tmp_path, "terra", clusters=SIX[::-1])])
