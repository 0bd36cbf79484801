"""Runs as another client finds them: by search, from the database, after a move, after a crash, from a dead server."""

import json
import shutil
import socket
import threading
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

import mlflow
import pytest

from diag.errors import CorruptRecord
from diag.tracking.arm_runs import NOTE_MARK
from diag.tracking.projection import project
from diag.tracking.relocate import main, moved_location, relocate
from diag.tracking.saved_view import PRIMARY_METRIC, VIEWS, view_tag
from diag.tracking.store import TrackingError, database_uri

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"
)


def _client(outputs: Path) -> mlflow.MlflowClient:
    return mlflow.MlflowClient(tracking_uri=database_uri(outputs))


@pytest.fixture
def outputs(folder: Path) -> Path:
    return folder.parent.parent


def test_a_study_becomes_one_parent_with_a_child_per_arm(folder: Path, outputs: Path, settings, made):
    tracked = project(folder, settings)
    client = _client(outputs)
    experiment = client.get_experiment_by_name("Dead-end takeover")
    assert experiment.artifact_location == str(outputs / "mlartifacts" / "Dead-end_takeover")
    assert {view.tag for view in VIEWS} <= set(experiment.tags)
    assert experiment.tags[PRIMARY_METRIC] == "delta"
    parents = client.search_runs([experiment.experiment_id], "tags.role = 'study' and tags.simulated = 'true'")
    assert [run.info.run_id for run in parents] == [tracked.run_id]
    children = client.search_runs([experiment.experiment_id], f"tags.mlflow.parentRunId = '{tracked.run_id}'")
    assert {run.info.run_id for run in children} == set(tracked.children.values())
    assert sorted(run.info.run_name[:3] for run in children) == ["D A", "D B", "D C", "N A", "N B"]
    best = client.search_runs([experiment.experiment_id], "tags.role = 'condition'", order_by=["metrics.delta DESC"])
    assert best[0].data.tags["condition"] == "B"
    assert all(run.info.status == "FINISHED" for run in [*parents, *children])
    steps = client.get_metric_history(
        tracked.children["D B simulated/sol dead end fact [SIMULATED, PARTIAL 24 of 25]"], "delta_by_level"
    )
    assert sorted(point.step for point in steps) == [1, 2, 3]
    dataset = client.get_run(tracked.run_id).inputs.dataset_inputs[0].dataset
    assert (dataset.name, dataset.digest) == ("checkpoints", parents[0].data.tags["pair_set"])
    names = {item.path for item in client.list_artifacts(tracked.run_id)}
    assert names == {"report.html", "plan.json", "config.yaml", "manifest.json", "figures", "tables"}
    tables = {item.path for item in client.list_artifacts(tracked.run_id, "tables")}
    assert tables == {"tables/outcomes.csv", "tables/effects.json", "tables/units.json", "tables/pairs.json"}
    units = json.loads(
        (
            outputs / "mlartifacts" / "Dead-end_takeover" / tracked.run_id / "artifacts" / "tables" / "units.json"
        ).read_text()
    )
    assert len(units["data"]) == len(made.outcomes)


def test_projecting_twice_gives_the_same_runs(folder: Path, outputs: Path, settings):
    first, second = project(folder, settings), project(folder, settings)
    assert second.unchanged
    assert (second.run_id, second.children) == (first.run_id, first.children)
    assert len(_client(outputs).search_runs([first.experiment_id])) == 6


def test_changed_files_replace_the_runs_and_keep_the_users_words(folder: Path, outputs: Path, settings):
    first = project(folder, settings)
    client = _client(outputs)
    client.set_tag(first.run_id, "mlflow.note.content", "look at D1-2")
    client.set_tag(first.run_id, "reviewed", "yes")
    table = folder / "tables" / "outcomes.csv"
    table.write_text(table.read_text().replace("stopped", "action_limit"))
    second = project(folder, settings)
    assert not second.unchanged
    assert second.run_id != first.run_id
    assert len(client.search_runs([first.experiment_id])) == 6
    tags = client.get_run(second.run_id).data.tags
    assert (tags["mlflow.note.content"], tags["reviewed"]) == ("look at D1-2", "yes")


def test_a_projection_cut_off_half_way_is_done_again(
    folder: Path, outputs: Path, settings, monkeypatch: pytest.MonkeyPatch
):
    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(mlflow.MlflowClient, "log_artifact", crash)
        with pytest.raises(TrackingError, match="files are complete"):
            project(folder, settings)
    tracked = project(folder, settings)
    assert len(_client(outputs).search_runs([tracked.experiment_id])) == 6


def test_two_studies_of_one_question_stand_side_by_side(folder: Path, outputs: Path, settings):
    first = project(folder, settings)
    other = Path(shutil.copytree(folder, folder.parent / "luna"))
    plan = json.loads((other / "plan.json").read_text())
    plan["identity"]["agent"]["name"] = "simulated/luna"
    from diag.records import Unit
    from diag.records.plan import plan_digest

    plan["plan_hash"] = plan_digest(plan["study"], [Unit(**unit) for unit in plan["units"]], plan["identity"])
    (other / "plan.json").write_text(json.dumps(plan))
    table = other / "tables" / "outcomes.csv"
    table.write_text(table.read_text().replace("simulated/sol", "simulated/luna"))
    second = project(other, settings)
    assert second.experiment_id == first.experiment_id
    found = _client(outputs).search_runs([first.experiment_id], "tags.role = 'study'")
    assert {run.data.tags["model"] for run in found} == {"simulated/sol", "simulated/luna"}
    assert len({run.data.tags["pair_set"] for run in found}) == 1


def test_moving_outputs_is_repaired_and_said(folder: Path, outputs: Path, settings, tmp_path: Path):
    first = project(folder, settings)
    moved = tmp_path / "else where" / "outputs"
    moved.parent.mkdir()
    outputs.rename(moved)
    again = project(moved / "rq2" / "sol", settings)
    assert again.unchanged
    assert again.run_id == first.run_id
    assert any("had been moved from" in note for note in again.notes)
    assert {item.path for item in _client(moved).list_artifacts(first.run_id)} >= {"report.html", "plan.json"}
    assert relocate(moved).n_changed == 0


def test_relocate_as_a_command(folder: Path, outputs: Path, settings, tmp_path: Path):
    tracked = project(folder, settings)
    moved = tmp_path / "moved"
    shutil.copytree(outputs, moved)
    said: list[str] = []
    assert main([str(moved)], said.append) == 0
    assert "8 artifact locations repaired" in said[0]
    shutil.rmtree(moved / "mlartifacts" / "Dead-end_takeover" / tracked.run_id)
    main([str(moved)], said.append)
    assert "1 runs have no artifact folder" in said[1]


def test_locations_elsewhere_are_left_alone(tmp_path: Path):
    root = tmp_path / "mlartifacts"
    for location in (None, "s3://bucket/mlartifacts/x", "mlflow-artifacts:/1", "/data/other/place", str(root / "x")):
        assert moved_location(location, root) is None
    assert moved_location("file:///old%20place/mlartifacts/q/1/artifacts", root) == (
        "/old place",
        str(root / "q/1/artifacts"),
    )


def test_lost_artifacts_are_written_again(folder: Path, outputs: Path, settings):
    first = project(folder, settings)
    shutil.rmtree(outputs / "mlartifacts")
    second = project(folder, settings)
    assert not second.unchanged
    assert {item.path for item in _client(outputs).list_artifacts(second.run_id)} >= {"report.html"}
    assert second.run_id != first.run_id


def test_any_sqlite_uri_can_be_projected_to(folder: Path, settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    settings.uri = f"sqlite:///{tmp_path / 'other.db'}"
    settings.experiment = "mine"
    tracked = project(folder, settings)
    experiment = mlflow.MlflowClient(tracking_uri=settings.uri).get_experiment_by_name("mine")
    assert experiment.experiment_id == tracked.experiment_id
    assert Path(experiment.artifact_location).is_relative_to(tmp_path / "mlartifacts")
    assert not list(elsewhere.iterdir())  # nothing depends on where the user stood


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_traces_hold_one_span_per_decision_and_action(folder: Path, outputs: Path, settings):
    settings.traces = 1
    tracked = project(folder, settings)
    client = _client(outputs)
    traces = client.search_traces(locations=[tracked.experiment_id], run_id=tracked.run_id)
    assert len(traces) == 5
    found = next(trace for trace in traces if trace.info.tags["unit"] == "D1-1-B-r1")
    log = (folder / "units" / "D1-1-B-r1" / "attempt-1" / "events.jsonl").read_text()
    n_spans = 1 + log.count('"kind":"observation"') + log.count('"kind":"action"')
    assert len(found.data.spans) == n_spans
    status = json.loads((folder / "units" / "D1-1-B-r1" / "attempt-1" / "status.json").read_text())
    began = datetime.fromisoformat(status["started_utc"])
    assert found.info.request_time == round(began.timestamp() * 1_000)  # the UI lists recent traces only
    clock_s = json.loads(log.splitlines()[-1])["clock_s"]
    assert found.info.execution_duration == pytest.approx(clock_s * 1_000, abs=2)


def test_a_view_of_an_earlier_version_is_replaced_and_an_equal_one_left(folder: Path, outputs: Path, settings):
    experiment_id = project(folder, settings).experiment_id
    client, (paired, agents) = _client(outputs), VIEWS
    client.set_experiment_tag(experiment_id, paired.tag, '{"name": "old", "state": "deflate;abc"}')
    client.set_experiment_tag(experiment_id, agents.tag, view_tag(agents, 7))

    project(folder, settings)

    tags = client.get_experiment(experiment_id).tags
    assert json.loads(tags[paired.tag])["name"] == paired.title
    assert json.loads(tags[agents.tag])["updatedAt"] == 7


def test_a_dead_server_is_one_clear_error_in_bounded_time(folder: Path, settings):
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings.uri = f"http://127.0.0.1:{port}"
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    started = time.monotonic()
    with pytest.raises(TrackingError, match=r"does not answer.*files are complete") as caught:
        project(folder, settings)
    assert time.monotonic() - started < 10
    assert "\n" not in str(caught.value)
    assert before == sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))


def test_a_server_that_accepts_and_never_answers_is_given_up(folder: Path, settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("diag.tracking.store.PROBE_S", 0.5)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        settings.uri = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(TrackingError, match="does not answer"):
            project(folder, settings)


def test_a_slow_tracker_is_given_up_at_the_deadline(folder: Path, settings):
    with pytest.raises(TrackingError, match=r"took over 0 s.*files are complete"):
        project(folder, settings, deadline_s=0.0)


def test_damaged_files_are_never_sent(folder: Path, outputs: Path, settings):
    (folder / "plan.json").write_text((folder / "plan.json").read_text().replace('"seed": 17', '"seed": 18', 1))
    with pytest.raises(CorruptRecord):
        project(folder, settings)
    assert _client(outputs).get_experiment_by_name("Dead-end takeover") is None


def test_projections_at_the_same_moment_share_one_database(folder: Path, outputs: Path, settings):
    (outputs / "mlflow.db").unlink()
    results: list[object] = []

    def run() -> None:
        try:
            results.append(project(folder, settings).run_id)
        except Exception as error:
            results.append(error)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(str, results))) == 1, results
    assert len(_client(outputs).search_runs(["1"])) == 6


def test_a_description_of_the_programs_own_is_written_anew(folder: Path, outputs: Path, settings):
    first = project(folder, settings)
    client = _client(outputs)
    client.set_tag(first.run_id, "mlflow.note.content", f"{NOTE_MARK}an earlier wording")
    table = folder / "tables" / "outcomes.csv"
    table.write_text(table.read_text().replace("stopped", "action_limit"))
    tags = client.get_run(project(folder, settings).run_id).data.tags
    assert "`delta` is timely restart" in tags["mlflow.note.content"]
