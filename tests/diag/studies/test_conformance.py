"""What every kind of study must do. A new kind passes this file unedited: its room and its experiments are found."""

import contextlib
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from dataclasses import MISSING, fields
from pathlib import Path

import pandas as pd
import pytest
from omegaconf import OmegaConf

from diag.records.event_log import read_events
from diag.records.events import CORE_EVENTS
from diag.studies.registry import kinds

CONF = Path(__file__).parents[3] / "conf"
ATTEMPT_COLUMNS = ["attempt", "n_attempts", "n_failed"]
"""What an interruption may change: how often a unit was tried."""


def kind_of(experiment: Path) -> str | None:
    """The kind that an experiment names in its defaults; None if it inherits another experiment's."""
    defaults = OmegaConf.load(experiment).get("defaults", [])
    named = [one["/study"] for one in defaults if isinstance(one, dict) or OmegaConf.is_dict(one) if "/study" in one]
    return named[0] if named else None


FIRST = {kind_of(path): path.stem for path in sorted((CONF / "experiment").glob("*.yaml"), reverse=True)}
"""Kind -> the first of its experiments."""
KINDS = sorted(kinds())
QUICK = ("arc", "takeover")
SOME = [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]
"""For what starts processes: two kinds of study in the suite, the others among the slow tests."""


def words(kind: str, outputs: Path, *more: str) -> list[str]:
    return [
        f"+experiment={FIRST[kind]}", "study.name=conformance", "study.max_units=2", "suite=rules", "tracking=none",
        f"outputs={outputs}", "execution.n_jobs=1", "execution.progress=false", "study.analysis.draws=100", *more,
    ]  # fmt: skip


def folder(outputs: Path) -> Path:
    (found,) = (outputs / "conformance").iterdir()
    return found


def bytes_of(outputs: Path) -> dict[str, bytes]:
    tables = folder(outputs) / "tables"
    return {name: (tables / name).read_bytes() for name in ("outcomes.csv", "effects.json")}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Kind -> where two units of it were run, analysed and reported; each once."""
    from diag.app.command_line import main

    made: dict[str, Path] = {}

    def run(kind: str) -> Path:
        if kind not in made:
            outputs = tmp_path_factory.mktemp(kind)
            assert main(words(kind, outputs, "mode=all")) == 0
            made[kind] = outputs
        return made[kind]

    return run


def test_every_kind_has_an_experiment_and_the_name_of_its_room():
    assert [kind for kind in KINDS if kind not in FIRST] == []
    assert [kind for kind, one in kinds().items() if one.name != kind] == []


@pytest.mark.parametrize("kind", KINDS)
def test_it_reaches_a_worker_process(kind):
    assert pickle.loads(pickle.dumps(kinds()[kind])).name == kind


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_has_a_role_and_a_default_and_the_identity_ones_are_in_the_plan(kind, finished):
    keys = [one for one in fields(kinds()[kind].config) if one.name not in ("arms", "contrasts")]
    assert [one.name for one in keys if one.metadata.get("role") not in ("identity", "runtime")] == []
    identity = json.loads((folder(finished(kind)) / "plan.json").read_text())["identity"]["study"]
    assert [one.name for one in keys if (one.metadata["role"] == "identity") != (one.name in identity)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_its_events_are_those_that_the_core_or_the_kind_declares(kind, finished):
    core = {record.event: record for record in CORE_EVENTS}
    logs = list(folder(finished(kind)).glob("units/*/attempt-*/events.jsonl"))
    events = [event for log in logs for event in read_events(log)]

    assert events
    assert {event.kind for event in events} <= {*core, *kinds()[kind].events}
    missing = [
        (event.seq, event.kind, one.name)
        for event in events
        for one in (fields(core[event.kind]) if event.kind in core else ())
        if one.default is MISSING and one.name not in event.data
    ]
    assert missing == []


@pytest.mark.parametrize("kind", KINDS)
def test_it_gives_the_endpoints_that_it_declares_and_no_other(kind, finished):
    declared = {one.name: one for one in kinds()[kind].endpoints}
    assert len(declared) == len(kinds()[kind].endpoints)
    found = [json.loads(path.read_text()) for path in folder(finished(kind)).rglob("outcome.json")]
    given = [one.get("content", one)["endpoints"] for one in found]
    assert all(set(one) <= set(declared) for one in given)
    lacking = {name for one in given for name, value in one.items() if value is None}
    some_have = {name for one in given for name, value in one.items() if value is not None}
    of_some_units = [declared[name] for name in lacking & some_have]
    assert [one.name for one in of_some_units if one.kind != "seconds" and not one.is_conditional] == []


@pytest.mark.parametrize("kind", KINDS)
def test_one_endpoint_is_primary_and_every_unit_has_it(kind):
    endpoints = kinds()[kind].endpoints
    primary = [one for one in endpoints if one.primary] or [one for one in endpoints if not one.is_conditional][:1]
    assert len(primary) == 1
    assert not primary[0].is_conditional


@pytest.mark.parametrize("kind", KINDS)
def test_grading_again_gives_the_same_bytes(kind, finished, diag):
    outputs = finished(kind)
    before = bytes_of(outputs)
    assert diag(*words(kind, outputs, "mode=regrade")) == 0
    assert bytes_of(outputs) == before


@pytest.mark.parametrize("kind", KINDS)
def test_its_report_holds_its_sections(kind, finished):
    from diag.reading.study_files import read_study

    files = read_study(folder(finished(kind)))
    page = (folder(finished(kind)) / "report.html").read_text()
    shown = [found for show in kinds()[kind].sections if (found := show(files)) is not None]
    assert [one.anchor for one in shown if f'id="{one.anchor}"' not in page] == []


@pytest.mark.parametrize("kind", SOME)
def test_a_study_killed_between_its_units_gives_the_same_table(kind, finished, start, diag, tmp_path):
    process = start(*words(kind, tmp_path, "mode=run"))
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline and process.poll() is None and not list(tmp_path.rglob("attempt-1/outcome.json")):
        time.sleep(0.05)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert diag(*words(kind, tmp_path, "mode=run")) == 0
    assert diag(*words(kind, tmp_path, "mode=analyse")) == 0
    one, other = (
        pd.read_csv(folder(outputs) / "tables" / "outcomes.csv").drop(columns=ATTEMPT_COLUMNS)
        for outputs in (finished(kind), tmp_path)
    )
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("kind", SOME)
def test_it_is_tracked(kind, finished, start, tmp_path):
    told = [one for one in words(kind, finished(kind), "mode=track") if one != "tracking=none"]
    process = start(*told, f"tracking.uri=sqlite:///{tmp_path / 'tracked.db'}")  # MLflow's warnings are not ours
    said, error = process.communicate(timeout=240)
    assert process.returncode == 0, error
    assert "tracked: " in said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", ["study.nmae=x", "study.endpoints=[no_such_endpoint]", "study.cluster=moon"])
def test_a_wrong_word_is_one_line(kind, wrong, diag, tmp_path, capsys):
    assert diag(*words(kind, tmp_path, wrong, "mode=plan")) in (2, 3)
    error = capsys.readouterr().err.strip()
    assert error.startswith("error: ")
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_its_arms_change_is_written_beside_the_plan(kind, finished):
    study = folder(finished(kind))
    units = json.loads((study / "plan.json").read_text())["units"]
    for unit in units:
        block = json.loads((study / "blocks" / f"{unit['block_id']}.json").read_text())
        assert unit["arm"] in block.get("content", block)["by_arm"]


def test_no_file_outside_a_room_names_a_kind():
    """The law: the core knows no study. Kinds are named in their rooms, in `conf/`, `docs/` and `tests/` alone."""
    import diag

    root = Path(diag.__file__).parent
    listed = subprocess.run(["git", "ls-files", "diag"], cwd=root.parent, capture_output=True, text=True, check=True)
    names = re.compile(r"diag\.studies\.(?:" + "|".join(KINDS) + r")\b")
    found = [
        f"{line}:{number}"
        for line in listed.stdout.splitlines()
        if line.endswith(".py") and not re.match(r"diag/studies/\w+/", line)
        for number, text in enumerate((root.parent / line).read_text().splitlines(), start=1)
        if names.search(text)
    ]
    assert found == []


def test_a_record_never_has_a_module_imported():
    from diag.studies.registry import kind_of_record

    assert kind_of_record("antigravity:KIND") is None
    assert "antigravity" not in sys.modules
    assert kind_of_record("no_such_kind") is None
    assert kind_of_record(KINDS[0]) is kinds()[KINDS[0]]
