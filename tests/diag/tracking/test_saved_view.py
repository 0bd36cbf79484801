import base64
import json
import zlib
from typing import Any

import pytest

from diag.report import read_study
from diag.tracking.arm_runs import condition_runs, metric_name, study_run
from diag.tracking.saved_view import AGENTS, PAIRED, VIEWS, View, view_tag


def state(view: View) -> dict[str, Any]:
    kind, packed = json.loads(view_tag(view, 1_700_000_000_000))["state"].split(";")
    assert kind == "deflate"
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_the_view_unpacks_to_a_flat_sorted_table_of_conditions():
    assert json.loads(view_tag(PAIRED, 1_700_000_000_000))["createdAt"] == 1_700_000_000_000
    found = state(PAIRED)
    assert found["searchFilter"] == "tags.role = 'condition'"
    assert found["orderByKey"] == "metrics.`delta`"
    assert found["selectedColumns"] == list(PAIRED.columns)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.key)
def test_every_column_and_chart_is_something_its_runs_log(view: View, made):
    files = read_study(made.folder)
    run = study_run(files) if view.role == "study" else next(r for r in condition_runs(files) if r.name[:3] == "D B")
    logged = {**run.metrics, **run.stepped}
    for column in view.columns:
        group, _, name = column.replace("`", "").partition(".")
        assert name in (run.tags if group == "tags" else logged), column
        assert metric_name(name) == name
    assert {chart["metricKey"] for chart in state(view)["compareRunCharts"]} <= set(logged)
    assert set(view.lines) <= set(run.stepped)


def test_charts_lie_in_a_section_that_exists_under_ids_of_their_own():
    for view in VIEWS:
        found = state(view)
        (section,) = found["compareRunSections"]
        charts = found["compareRunCharts"]
        assert {chart["metricSectionId"] for chart in charts} == {section["uuid"]}
        assert len({chart["uuid"] for chart in charts}) == len(charts)


def test_the_link_names_experiment_view_and_mode():
    assert PAIRED.link("3") == "/#/experiments/3/runs?viewStateShareKey=paired&workflowType=machine_learning"
    assert AGENTS.link("3").endswith("viewStateShareKey=agents&workflowType=machine_learning&compareRunsMode=CHART")
