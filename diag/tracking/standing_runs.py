"""What of a study stands in a tracker, however it was edited by hand, and whether it is what the files say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from diag.tracking.arm_runs import NOTE_MARK, RunContent

PARENT = "mlflow.parentRunId"
NOTE = "mlflow.note.content"
OWN_TAGS = frozenset(
    (
        *("study", "model", "simulated", "agent_privilege", "pair_set", "plan_hash", "role", "headline", "cohort"),
        *("projection", "study_folder", "evidence", "delta_endpoint", "delta_against", "condition", "intervention"),
        *("privilege", "reference", "n_traces"),
    )
)
"""Tags that the program sets; all others are the users'."""
_MARKS = ("plan_hash", "role", "pair_set", "condition", "projection")
_PAGE = 1_000


def standing_runs(client: Any, experiment_id: str, plan_hash: str, folder: Path) -> tuple[Any, ...]:
    """Return every active run of a study in an experiment, its study runs before all others.

    Runs are known by the plan's hash, conditions also by their study run and study runs by their conditions, so that
    a run whose parent was deleted or whose tags were edited is still found.
    """
    found = {run.info.run_id: run for run in _search(client, experiment_id, f"tags.plan_hash = '{plan_hash}'")}
    parents = {run.data.tags[PARENT] for run in found.values() if PARENT in run.data.tags}
    at_home = _search(client, experiment_id, f"tags.study_folder = '{_quotable(str(folder.absolute()))}'")
    marked = [run for run in at_home if run.data.tags.get("plan_hash", plan_hash) == plan_hash]
    for parent in parents - found.keys():
        marked += _search(client, experiment_id, f"attributes.run_id = '{_quotable(parent)}'")
    found |= {run.info.run_id: run for run in marked if _is_ours(run)}
    for parent in list(found):
        below = _search(client, experiment_id, f"tags.`{PARENT}` = '{parent}'")
        found |= {run.info.run_id: run for run in below if _is_ours(run)}
    return tuple(sorted(found.values(), key=lambda run: (PARENT in run.data.tags, -run.info.start_time)))


def _is_ours(run: Any) -> bool:
    """Tell whether the program wrote a run: users nest runs of their own beside it."""
    return any(mark in run.data.tags for mark in _MARKS)


def is_as_written(runs: Sequence[Any], study: RunContent, conditions: Sequence[RunContent], digest: str) -> bool:
    """Tell whether runs are one finished study run of a digest and its conditions, with all their values."""
    parents = [run for run in runs if run.data.tags.get("projection") == digest]
    if len(parents) != 1 or len(runs) != 1 + len(conditions) or runs[0] is not parents[0]:
        return False
    wanted = {content.name: content for content in conditions}
    names = Counter(run.info.run_name for run in runs[1:])
    below = all(run.data.tags.get(PARENT) == runs[0].info.run_id for run in runs[1:])
    return (
        below
        and names == Counter(list(wanted))
        and _holds(runs[0], study, {"n_not_finite"})
        and all(_holds(run, wanted[run.info.run_name], set()) for run in runs[1:])
    )


def _holds(run: Any, content: RunContent, more: set[str]) -> bool:
    """Tell whether a run has the values of its content; a note of the user's own is no fault."""
    last = {name: steps[max(steps)] for name, steps in content.stepped.items()}
    metrics = {name: value for name, value in run.data.metrics.items() if name not in more}
    return (
        (run.info.status, run.info.run_name) == ("FINISHED", content.name)
        and metrics == {**content.metrics, **last}
        and dict(run.data.params) == content.params
        and all(_tag_stands(run.data.tags, name, value) for name, value in content.tags.items())
    )


def _tag_stands(tags: Mapping[str, str], name: str, value: str) -> bool:
    return tags.get(name) == value or (name == NOTE and name in tags and not tags[name].startswith(NOTE_MARK))


def user_tags(runs: Iterable[Any]) -> dict[str, str]:
    """Return what a user wrote on study runs that are replaced: the note, and tags the program does not set."""
    return {
        name: value
        for run in runs
        if PARENT not in run.data.tags
        for name, value in run.data.tags.items()
        if (name == NOTE and not value.startswith(NOTE_MARK))
        or (name not in OWN_TAGS and not name.startswith("mlflow."))
    }


def delete_traces(client: Any, experiment_id: str, plan_hash: str) -> None:
    """Delete the traces of a study's deleted runs: they would stand beside those of the runs written anew."""
    query = f"tags.plan_hash = '{plan_hash}' and tags.role = 'study'"
    for run in _search(client, experiment_id, query, deleted=True):
        found = trace_ids(client, experiment_id, run.info.run_id)
        if found:
            client.delete_traces(experiment_id, trace_ids=found)


def restore_emptied(client: Any, experiment_id: str) -> None:
    """Restore a deleted experiment without its runs: MLflow restores all with it, those deleted long before too."""
    client.restore_experiment(experiment_id)
    for run in _search(client, experiment_id, ""):
        client.delete_run(run.info.run_id)


def trace_ids(client: Any, experiment_id: str, run_id: str) -> list[str]:
    """Return the names of a run's traces."""
    found, token = [], None
    while True:
        page = client.search_traces(
            locations=[experiment_id], run_id=run_id, max_results=100, page_token=token, include_spans=False
        )
        found += [str(trace.info.trace_id) for trace in page]
        token = page.token
        if not token:
            return found


def _search(client: Any, experiment_id: str, query: str, *, deleted: bool = False) -> list[Any]:
    """Return all runs of a query, page by page."""
    found, token = [], None
    while True:
        page = client.search_runs([experiment_id], query, 2 if deleted else 1, _PAGE, None, token)
        found += list(page)
        token = page.token
        if not token:
            return found


def _quotable(text: str) -> str:
    """Return a text as a filter of runs can hold it; one that it cannot hold matches nothing."""
    return "" if "'" in text else text
