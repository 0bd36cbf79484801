"""A study as data frames: the same numbers as the tables, an interrupted one too, nothing that was changed by hand."""

import json

import pandas as pd
import pytest

from diag import load
from diag.errors import CorruptRecord, DiagError


@pytest.fixture
def words(tmp_path):
    return (
        "+experiment=rq2", "study.cohorts=[D]", "suite=rules", "tracking=none", f"outputs={tmp_path}",
        "study.max_units=6", "execution.n_jobs=1", "execution.progress=false", "study.analysis.draws=100",
    )  # fmt: skip


@pytest.fixture
def studied(diag, words, tmp_path):
    assert diag(*words, "mode=run") == 0
    assert diag(*words, "mode=analyse") == 0
    return tmp_path / "rq2" / "simulated-sol-rules"


def test_frames_are_the_tables(studied):
    study = load(studied)
    table = pd.read_csv(studied / "tables" / "outcomes.csv")
    assert list(study.outcomes["unit_id"]) == list(table["unit_id"]) == list(study.units["unit_id"])
    assert study.outcomes["timely_restart"].astype(float).sum() == table["timely_restart"].astype(float).sum()
    effects = json.loads((studied / "tables" / "effects.json").read_text())["effects"]
    assert list(study.effects["estimate"]) == [pytest.approx(one["estimate"]) for one in effects]
    assert study.standing.trial


def test_parquet_gives_the_frames_back(studied, tmp_path):
    study = load(str(studied))
    paths = study.to_parquet(tmp_path / "frames")
    units, outcomes, effects, events = (pd.read_parquet(path) for path in paths)
    assert (len(units), len(outcomes), len(effects)) == (6, 6, len(study.effects))
    assert list(outcomes["ending"]) == list(study.outcomes["ending"])
    assert outcomes.attrs["schema_version"] == study.schema_version
    of_one = [event for _, _, event in study.events("D01-A-r1")]
    assert list(events[events["unit_id"] == "D01-A-r1"]["seq"]) == [event.seq for event in of_one]
    assert of_one[-1].kind == "episode_end"


def test_an_interrupted_study_has_units_and_no_effects(diag, words, tmp_path):
    assert diag(*words, "mode=plan") == 0
    study = load(tmp_path / "rq2" / "simulated-sol-rules")
    assert len(study.units) == len(study.outcomes) == 6
    assert len(study.effects) == 0
    assert list(study.events()) == []
    assert study.standing.partial


def test_what_is_no_study_or_was_changed_is_named(studied, tmp_path):
    with pytest.raises(DiagError, match=r"found no plan.json.*did you mean .*simulated-sol-rules"):
        load(tmp_path / "rq2")
    with pytest.raises(DiagError, match=r"unit: found 'D99', wanted one of the plan's"):
        next(load(studied).events("D99"))
    record = next(studied.rglob("outcome.json"))
    record.write_text(record.read_text().replace('"elapsed_s": ', '"elapsed_s": 1'))
    with pytest.raises(CorruptRecord, match=r"outcome\.json"):
        load(studied).outcomes  # noqa: B018
