"""Inspect's own library reads the export back; without it one line says what to install."""

import sys

import pytest

from diag import load
from diag.commands.export import main
from diag.errors import ConfigError


@pytest.fixture
def studied(diag, arguments, tmp_path):
    assert diag(*arguments, "study.analysis.draws=100", "mode=run") == 0
    (plan,) = (tmp_path / "out").glob("*/*/plan.json")
    return plan.parent


def test_without_the_extra_one_line_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(ConfigError, match="wanted the extra: pip install inspect-ai"):
        main(["inspect", str(tmp_path)])


def test_another_format_is_named():
    with pytest.raises(ConfigError, match="invalid choice: 'weave'"):
        main(["weave", "outputs"])


def test_the_library_reads_samples_scores_and_means(studied, tmp_path):
    log = pytest.importorskip("inspect_ai.log")
    assert main(["inspect", str(studied), f"output={tmp_path / 'one.json'}"]) == 0
    read, frames = log.read_eval_log(str(tmp_path / "one.json")), load(studied)
    outcomes = frames.outcomes.set_index("unit_id")
    assert read.status == "success"
    assert {one.id for one in read.samples} == set(outcomes.index)
    for one in read.samples:
        assert one.scores["timely_restart"].value == bool(outcomes.loc[one.id, "timely_restart"])
        assert sum(message.role == "tool" for message in one.messages) == outcomes.loc[one.id, "n_actions"]
    shown = {score.name: score.metrics["mean"].value for score in read.results.scores}
    for (cohort, arm), rows in outcomes.groupby(["cohort", "arm"]):
        assert shown[f"{cohort} {arm}: timely_restart"] == rows["timely_restart"].astype(float).mean()
