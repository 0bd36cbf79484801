from __future__ import annotations

import json

import numpy as np
import pytest
from tables import coin, labels, table_of

from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import analyse, effects_json
from diag.analysis.estimand import Estimand
from diag.commands.compare import compare_folders, main
from diag.errors import ConfigError, CorruptRecord
from diag.grading.table import write_table

SIZES = (6, 5, 4, 3, 3, 2, 1)
PLAN = ResamplePlan(seed=5, draws=500)
BA = Estimand("B - A", "y", "binary", "B", "A", cohort="D", family="y")


def study(folder, seed, b, agent, *, estimand=BA, **more):
    rng = np.random.default_rng(seed)
    table = table_of({"A": coin(rng, 0.1, 24), "B": coin(rng, b, 24)}, labels(SIZES), agent=agent, **more)
    (folder / "tables").mkdir(parents=True)
    write_table(table.assign(ending="won"), folder / "tables" / "outcomes.csv")
    effects = analyse(table, [estimand], plan=PLAN)
    (folder / "tables" / "effects.json").write_text(json.dumps(effects_json(effects, plan=PLAN)))
    return folder


def test_two_folders_are_compared_with_their_own_question_and_draws(tmp_path, capsys):
    first, second = study(tmp_path / "a", 1, 0.9, "sol"), study(tmp_path / "b", 2, 0.3, "luna")
    assert main([str(first), str(second), "--json", str(tmp_path / "c.json")]) == 0
    written = json.loads((tmp_path / "c.json").read_text())
    difference = written["differences"][0]
    assert difference["estimate"] == pytest.approx(
        written["effects_a"][0]["estimate"] - written["effects_b"][0]["estimate"]
    )
    assert written["resampling"] == {"seed": 5, "draws": 500}
    shown = capsys.readouterr().out
    assert "sol minus luna" in shown
    assert "Simulated: sol and luna" in shown
    assert f"{100 * difference['estimate']:+.1f}" in shown


def test_studies_that_cannot_be_compared_are_refused_in_one_line(tmp_path):
    first = study(tmp_path / "a", 1, 0.9, "sol")
    other = Estimand("other", "y", "binary", "B", "A")
    with pytest.raises(ConfigError, match="no estimand is in both"):
        compare_folders(first, study(tmp_path / "b", 2, 0.3, "luna", estimand=other))
    with pytest.raises(ConfigError, match="holds no analysed study"):
        compare_folders(first, tmp_path / "nowhere")
    small = study(tmp_path / "c", 2, 0.3, "luna")
    lines = (small / "tables" / "outcomes.csv").read_text().splitlines(keepends=True)
    (small / "tables" / "outcomes.csv").write_text("".join(lines[:-1]))
    with pytest.raises(ConfigError, match=r"cannot be paired.* only in the first"):
        compare_folders(first, small)


def test_a_damaged_effects_file_is_refused(tmp_path):
    first, second = study(tmp_path / "a", 1, 0.9, "sol"), study(tmp_path / "b", 2, 0.3, "luna")
    (second / "tables" / "effects.json").write_text('{"effects": [{}]}')
    with pytest.raises(CorruptRecord, match="estimand"):
        compare_folders(first, second)
