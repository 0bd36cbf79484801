"""From a study's files to runs in MLflow, idempotently: the files are the truth, the tracker is a view of them.

A projection is found again by the plan's hash. If the study's files have not changed since and its runs say what they
say, they are left as they are; if not (other files, a projection that was cut off, runs deleted or edited by hand), all
that is left of it is deleted (MLflow keeps it in the trash) and written anew, so that nothing is ever counted twice.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from diag.errors import DiagError, one_line
from diag.reading.study_files import StudyFiles, content_digest, read_study
from diag.report.tallies import pair_rows, rows_as_table
from diag.tracking.arm_runs import RunContent, condition_runs, pair_set, study_run
from diag.tracking.saved_view import PAIRED, PRIMARY_METRIC, VIEWS, packed_state, view_tag
from diag.tracking.standing_runs import (
    delete_traces,
    is_as_written,
    restore_emptied,
    standing_runs,
    trace_ids,
    user_tags,
)
from diag.tracking.store import Tracker, TrackingError, open_tracker

if TYPE_CHECKING:
    import pandas as pd

PROJECTION_VERSION = 5
DEADLINE_S = 120.0
BATCH_METRICS, BATCH_PARAMS = 1_000, 100
_FILES = ("report.html", "plan.json", "config.yaml", "manifest.json")
_TITLE = "title"
_KIND, _NO_GENAI = "mlflow.experimentKind", "custom_model_development"
"""Of an experiment: opens its runs, and not the page for traces of language models."""
_TABLES = ("tables/units.json", "tables/pairs.json")


class TrackingSettings(Protocol):
    """What a projection needs to know; `diag.config.TrackingConfig` is one."""

    uri: str | None
    experiment: str | None
    traces: int


@dataclass(frozen=True)
class TrackedRun:
    """Where a study stands in the tracker."""

    uri: str
    experiment: str
    experiment_id: str
    run_id: str
    children: dict[str, str]
    """Run name -> run id, one per cohort and arm."""
    unchanged: bool
    """The runs were there already and nothing was written."""
    seconds: float
    notes: tuple[str, ...] = ()
    """What a user should know: a repaired move, values that could not be logged, a view that could not be saved."""

    @property
    def view(self) -> str:
        """The saved view behind the address of the MLflow server."""
        return PAIRED.link(self.experiment_id)

    def __str__(self) -> str:
        """Say it in one line."""
        what = "unchanged" if self.unchanged else f"1 study and {len(self.children)} condition runs"
        notes = "".join(f"; {note}" for note in self.notes)
        return f"MLflow experiment {self.experiment!r}, {what} ({self.seconds:.1f} s){notes}"


def project(study_folder: Path, settings: TrackingSettings, *, deadline_s: float = DEADLINE_S) -> TrackedRun:
    """Project a study to MLflow; twice gives the same runs.

    Args:
        study_folder: outputs/<study>/<agent>; the embedded tracker lies in outputs/.
        settings: where to.
        deadline_s: no new request starts after so many seconds.

    Raises:
        CorruptRecord: the study's files are missing or damaged; nothing was sent.
        TrackingError: the tracker is dead, slow or refuses; the study's files are complete.
    """
    files = read_study(study_folder)
    outputs = study_folder.absolute().parent.parent
    started = time.monotonic()
    try:
        with open_tracker(outputs, settings.uri) as tracker:
            return _Projection(tracker, files, settings, started, deadline_s).run()
    except DiagError as error:
        if isinstance(error, TrackingError):
            raise TrackingError(f"{error}; the study's files are complete, mode=track projects them again") from error
        raise
    except Exception as error:  # whatever a tracker throws must not look like a lost study
        text = one_line(error)[:300]
        raise TrackingError(
            f"tracking to {settings.uri or outputs} failed: {text}; "
            "the study's files are complete, mode=track projects them again"
        ) from error


class _Projection:
    """One pass over the tracker. Lives as long as one call of `project`."""

    def __init__(
        self, tracker: Tracker, files: StudyFiles, settings: TrackingSettings, started: float, deadline_s: float
    ) -> None:
        self.client = tracker.client
        self.tracker = tracker
        self.files = files
        self.settings = settings
        self.started = started
        self.deadline_s = deadline_s
        self.notes = [str(tracker.relocation)] if tracker.relocation else []
        if tracker.set_aside is not None:
            self.notes.append(f"a half-made database lay there; it was set aside as {tracker.set_aside.name}")

    def run(self) -> TrackedRun:
        """Find or write the runs."""
        name = self.settings.experiment or self.files.title + (" (trials)" if self.files.standing.apart else "")
        experiment_id = self._experiment(name)
        self._save_views(experiment_id)
        digest = projection_digest(self.files, self.settings.traces)
        study, conditions = study_run(self.files), condition_runs(self.files)
        self._in_time()
        standing = standing_runs(self.client, experiment_id, self.files.plan.plan_hash, self.files.folder)
        if is_as_written(standing, study, conditions, digest) and self._has_all_it_logged(experiment_id, standing[0]):
            children = {str(run.info.run_name): str(run.info.run_id) for run in standing[1:]}
            return self._result(name, experiment_id, standing[0].info.run_id, children, unchanged=True)
        for run in standing:
            self.client.delete_run(run.info.run_id)
        delete_traces(self.client, experiment_id, self.files.plan.plan_hash)
        run_id, children = self._write(experiment_id, study, conditions, user_tags(standing))
        self.client.set_tag(run_id, "projection", digest)
        self.client.set_terminated(run_id)
        return self._result(name, experiment_id, run_id, children, unchanged=False)

    def _result(
        self, name: str, experiment_id: str, run_id: str, children: dict[str, str], *, unchanged: bool
    ) -> TrackedRun:
        seconds = time.monotonic() - self.started
        return TrackedRun(
            self.tracker.uri, name, experiment_id, run_id, children, unchanged, seconds, tuple(self.notes)
        )

    # --- experiment ------------------------------------------------------------------------------------------------

    def _experiment(self, name: str) -> str:
        found = self.client.get_experiment_by_name(name) or self._renamed(name)
        if found is not None:
            if found.lifecycle_stage == "deleted":
                restore_emptied(self.client, found.experiment_id)
                self.notes.append("the experiment was deleted in MLflow: restored, its other runs stay in the trash")
            return str(found.experiment_id)
        location = None
        if self.tracker.artifacts is not None:
            slug = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)
            location = str(self.tracker.artifacts / slug)
        tags = {"study": self.files.study, _TITLE: name, _KIND: _NO_GENAI}
        question = self.files.described("question")
        if question:
            tags["mlflow.note.content"] = question
        return str(self.client.create_experiment(name, artifact_location=location, tags=tags))

    def _renamed(self, name: str) -> Any:
        """Return the experiment that was made under a name and has another now; None if there is none."""
        quote = '"' if "'" in name else "'"
        if quote in name:
            return None
        found = self.client.search_experiments(filter_string=f"tags.{_TITLE} = {quote}{name}{quote}", max_results=1)
        return next(iter(found), None)

    def _save_views(self, experiment_id: str) -> None:
        try:
            tags = self.client.get_experiment(experiment_id).tags
            if _KIND not in tags:
                self.client.set_experiment_tag(experiment_id, _KIND, _NO_GENAI)
            if PRIMARY_METRIC not in tags:
                self.client.set_experiment_tag(experiment_id, PRIMARY_METRIC, "delta")
            for view in VIEWS:
                if packed_state(view) not in tags.get(view.tag, ""):
                    self.client.set_experiment_tag(experiment_id, view.tag, view_tag(view, int(time.time() * 1_000)))
        except Exception as error:  # the format is MLflow's own business: a view is a convenience
            self.notes.append(f"the saved views could not be written: {error}")

    # --- runs ------------------------------------------------------------------------------------------------------

    def _write(
        self, experiment_id: str, parent: RunContent, conditions: Sequence[RunContent], kept: dict[str, str]
    ) -> tuple[str, dict[str, str]]:
        extra = {**kept, "study_folder": str(self.files.folder.absolute())}
        run_id = self._create(experiment_id, parent, extra)
        children: dict[str, str] = {}
        n_not_finite = parent.n_not_finite
        for content in conditions:
            children[content.name] = self._create(experiment_id, content, {"mlflow.parentRunId": run_id})
            self.client.set_terminated(children[content.name])
            n_not_finite += content.n_not_finite
        self._log_dataset(run_id)
        self._log_files(run_id)
        self.client.log_metric(run_id, "n_not_finite", float(n_not_finite))
        if n_not_finite:
            self.notes.append(f"{n_not_finite} values were not finite and are not logged")
        if self.settings.traces > 0:
            from diag.tracking.traces import log_traces

            n_traces = log_traces(self.tracker, self.files, experiment_id, run_id, per_arm=self.settings.traces)
            self.client.set_tag(run_id, "n_traces", str(n_traces))
            self.notes.append(f"{n_traces} traces")
        return run_id, children

    def _create(self, experiment_id: str, content: RunContent, extra_tags: dict[str, str]) -> str:
        self._in_time()
        from mlflow.entities import Metric, Param

        tags = {**content.tags, **extra_tags}
        run = self.client.create_run(experiment_id, tags=tags, run_name=content.name)
        run_id, now = str(run.info.run_id), int(time.time() * 1_000)
        metrics = [Metric(name, value, now, 0) for name, value in content.metrics.items()]
        metrics += [
            Metric(name, value, now, step) for name, steps in content.stepped.items() for step, value in steps.items()
        ]
        for chunk in chunks([Param(name, value) for name, value in content.params.items()], BATCH_PARAMS):
            self.client.log_batch(run_id, params=chunk)
        for chunk in chunks(metrics, BATCH_METRICS):
            self._in_time()
            self.client.log_batch(run_id, metrics=chunk)
        return run_id

    def _log_dataset(self, run_id: str) -> None:
        """Name the checkpoint set as the run's input; the low-level call spares two noisy warnings."""
        from mlflow.entities import Dataset, DatasetInput, InputTag

        self._in_time()
        blocks = {unit.block_id for unit in self.files.plan.units}
        source = str(self.files.manifest_value("library", "name") or self.files.study)
        dataset = Dataset(
            name="checkpoints",
            digest=pair_set(self.files),
            source_type="code",
            source=f'{{"library": "{source}"}}',
            profile=f'{{"n_blocks": {len(blocks)}, "n_units": {len(self.files.plan.units)}}}',
        )
        self.client.log_inputs(run_id, [DatasetInput(dataset, [InputTag("mlflow.data.context", "pair set")])])

    def _log_files(self, run_id: str) -> None:
        for path, place in self._files_logged():
            self._in_time()
            self.client.log_artifact(run_id, str(path), place.rpartition("/")[0] or None)
        self._in_time()
        self.client.log_table(run_id, plain_table(self.files.outcomes), _TABLES[0])
        self.client.log_table(run_id, plain_table(rows_as_table(pair_rows(self.files))), _TABLES[1])

    def _files_logged(self) -> list[tuple[Path, str]]:
        """Return the study's own files that go along, each with its place among the run's."""
        folder = self.files.folder
        places = (
            *_FILES,
            *(f"figures/{path.name}" for path in sorted((folder / "figures").glob("*"))),
            *("tables/outcomes.csv", "tables/effects.json"),
        )
        return [(folder / place, place) for place in places if (folder / place).is_file()]

    def _has_all_it_logged(self, experiment_id: str, run: Any) -> bool:
        """Tell whether a study run still has its files, of the sizes they have here, and its traces."""
        run_id = run.info.run_id
        folders = (None, "figures", "tables")
        there = {item.path: item.file_size for place in folders for item in self.client.list_artifacts(run_id, place)}
        sizes = {place: path.stat().st_size for path, place in self._files_logged()}
        if any(there.get(name) != size for name, size in sizes.items()) or not there.keys() >= set(_TABLES):
            return False
        n_traces = int(run.data.tags.get("n_traces", "0"))
        return self.settings.traces == 0 or len(trace_ids(self.client, experiment_id, run_id)) == n_traces

    def _in_time(self) -> None:
        spent = time.monotonic() - self.started
        if spent > self.deadline_s:
            raise TrackingError(f"{self.tracker.uri} took over {self.deadline_s:.0f} s")


def projection_digest(files: StudyFiles, traces: int) -> str:
    """Return a digest of all a projection depends on: tables, report, figures, this program's version of it."""
    digest = hashlib.sha256(f"{PROJECTION_VERSION} {traces} {content_digest(files.folder)}".encode())
    for path in (files.folder / "report.html", *sorted((files.folder / "figures").glob("*"))):
        digest.update(path.read_bytes() if path.is_file() else b"\0")
    return digest.hexdigest()


def chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield the items in pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def plain_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with gaps as None and nullable columns as plain objects, as MLflow's table viewer wants them."""
    return table.astype(object).where(table.notna(), None)
