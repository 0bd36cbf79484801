import base64
import json
import zlib

from diag.tracking.arm_runs import metric_name
from diag.tracking.saved_view import COLUMNS, view_link, view_tag


def test_the_view_unpacks_to_a_flat_sorted_table_of_conditions():
    view = json.loads(view_tag(1_700_000_000_000))
    kind, packed = view["state"].split(";")
    state = json.loads(zlib.decompress(base64.b64decode(packed)))
    assert (kind, view["createdAt"]) == ("deflate", 1_700_000_000_000)
    assert state["searchFilter"] == "tags.role = 'condition'"
    assert state["orderByKey"] == "metrics.`delta`"
    assert state["selectedColumns"] == list(COLUMNS)


def test_every_column_is_something_a_condition_logs(made):
    from diag.report import read_study
    from diag.tracking.arm_runs import condition_runs

    run = next(r for r in condition_runs(read_study(made.folder)) if r.name.startswith("D B"))
    for column in COLUMNS:
        group, _, name = column.replace("`", "").partition(".")
        assert name in (run.tags if group == "tags" else run.metrics), column
        assert metric_name(name) == name


def test_the_link_names_experiment_view_and_mode():
    assert view_link("3") == "/#/experiments/3/runs?viewStateShareKey=paired&workflowType=machine_learning"
