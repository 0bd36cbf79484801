"""A tracker that was edited by hand: the next projection stands as the study's folder says, with nothing twice."""

import time
from collections.abc import Callable
from pathlib import Path

import mlflow
import pytest

from diag.tracking.projection import TrackedRun, project
from diag.tracking.store import database_uri

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning", "ignore::UserWarning"
)
Edit = Callable[[mlflow.MlflowClient, TrackedRun], object]


def _child(tracked: TrackedRun) -> str:
    return next(iter(tracked.children.values()))


def _copied(client: mlflow.MlflowClient, tracked: TrackedRun) -> None:
    tags = client.get_run(tracked.run_id).data.tags
    client.create_run(tracked.experiment_id, tags=tags)


def _study_without_marks(client: mlflow.MlflowClient, tracked: TrackedRun) -> None:
    for tag in ("plan_hash", "role"):
        client.delete_tag(tracked.run_id, tag)


def _overwritten(client: mlflow.MlflowClient, tracked: TrackedRun) -> None:
    client.log_metric(_child(tracked), "score", 0.123, timestamp=int(time.time() * 1_000) + 60_000)


def _restored(client: mlflow.MlflowClient, tracked: TrackedRun) -> None:
    for run in client.search_runs([tracked.experiment_id], run_view_type=mlflow.entities.ViewType.DELETED_ONLY):
        client.restore_run(run.info.run_id)


EDITS: dict[str, Edit] = {
    "the study run is deleted": lambda client, tracked: client.delete_run(tracked.run_id),
    "a condition is deleted": lambda client, tracked: client.delete_run(_child(tracked)),
    "a condition has lost its parent": lambda client, tracked: client.set_tag(
        _child(tracked), "mlflow.parentRunId", "gone"
    ),
    "the study run has lost its marks": _study_without_marks,
    "a number is overwritten": _overwritten,
    "a number is added": lambda client, tracked: client.log_metric(tracked.run_id, "mine", 1.0),
    "an arm is relabelled": lambda client, tracked: client.set_tag(_child(tracked), "condition", "Z"),
    "a run is renamed": lambda client, tracked: client.update_run(_child(tracked), name="best"),
    "a run is marked as failed": lambda client, tracked: client.set_terminated(tracked.run_id, "FAILED"),
    "a study run is copied": _copied,
    "runs of an earlier projection are restored": _restored,
    "the experiment is deleted": lambda client, tracked: client.delete_experiment(tracked.experiment_id),
}


def _standing(client: mlflow.MlflowClient, experiment_id: str) -> list[object]:
    found = client.search_runs([experiment_id])
    ours = [run for run in found if "plan_hash" in run.data.tags]
    assert len(ours) == len(found)
    return sorted(
        (run.info.run_name, run.info.status, sorted(run.data.metrics.items()), run.data.tags.get("condition", ""))
        for run in found
    )


_OFTEN = ("the study run is deleted", "the study run has lost its marks", "the experiment is deleted")


@pytest.mark.parametrize("edits", [_OFTEN, pytest.param(tuple(EDITS), marks=pytest.mark.slow)], ids=("often", "all"))
def test_every_edit_is_undone(folder: Path, settings, edits: tuple[str, ...]):
    tracked = project(folder, settings)
    client = mlflow.MlflowClient(tracking_uri=database_uri(folder.parent.parent))
    as_written = _standing(client, tracked.experiment_id)
    assert len(as_written) == 6
    for what in edits:
        EDITS[what](client, tracked)
        tracked = project(folder, settings)
        assert not tracked.unchanged, what
        assert _standing(client, tracked.experiment_id) == as_written, what
    assert project(folder, settings).unchanged


def test_the_users_own_stays(folder: Path, settings):
    tracked = project(folder, settings)
    client = mlflow.MlflowClient(tracking_uri=database_uri(folder.parent.parent))
    client.set_tag(tracked.run_id, "mlflow.note.content", "look at D1-2")
    client.set_tag(_child(tracked), "reviewed", "yes")
    mine = client.create_run(tracked.experiment_id, tags={"mlflow.parentRunId": tracked.run_id})
    client.rename_experiment(tracked.experiment_id, "My takeovers")
    again = project(folder, settings)
    assert (again.unchanged, again.experiment_id) == (True, tracked.experiment_id)
    client.delete_run(_child(tracked))
    again = project(folder, settings)
    assert client.get_run(again.run_id).data.tags["mlflow.note.content"] == "look at D1-2"
    assert client.get_run(mine.info.run_id).info.lifecycle_stage == "active"


@pytest.mark.slow
def test_a_lost_file_or_trace_is_written_again_and_none_stands_twice(folder: Path, settings):
    settings.traces = 1
    first = project(folder, settings)
    client = mlflow.MlflowClient(tracking_uri=database_uri(folder.parent.parent))
    places = folder.parent.parent / "mlartifacts"
    next(places.rglob("tables/pairs.json")).unlink()
    second = project(folder, settings)
    client.delete_traces(
        second.experiment_id,
        trace_ids=[client.search_traces(locations=[second.experiment_id], max_results=1)[0].info.trace_id],
    )
    third = project(folder, settings)
    assert len({first.run_id, second.run_id, third.run_id}) == 3
    assert len(client.search_traces(locations=[third.experiment_id])) == 5
    assert project(folder, settings).unchanged
