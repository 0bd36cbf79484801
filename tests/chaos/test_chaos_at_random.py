"""Random kills and corrupt bytes: a sample of each, and checks that the checks find something."""

import shutil
from pathlib import Path

import pytest

import chaos.corrupt
from chaos.at_random import COUNTS, AtRandom, counts_of, finished_study, run_at_random, section_of, table, with_section
from chaos.corrupt import Bytes, Finished, corrupt
from chaos.rounds import WHO, Tally
from diag.records.study_folder import StudyFolder


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Finished:
    return finished_study(tmp_path_factory.mktemp("finished"), tracked=False)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_sample_of_kills_holds(tmp_path):
    found = run_at_random(tmp_path, {"rules": 2, "browser": 0, "tracking": 0, "bytes": 0}, seed=3)
    assert found.broken == []
    assert found.kills["rules"].kills == 2
    assert "| rules | 2 | " in table(found)


@pytest.mark.timeout(600)
def test_a_sample_of_corrupt_bytes_holds(finished, tmp_path):
    found = corrupt(finished, 6, 1, tmp_path)
    assert found.broken == []
    assert found.tried.total() == 6
    assert found.refused["plan.json"] == found.tried["plan.json"] == 1
    assert "units/*/events.jsonl" in finished.files()


@pytest.mark.timeout(600)
def test_a_byte_that_is_believed_is_a_broken_promise(finished, tmp_path, monkeypatch):
    """With the reading replaced by one that believes everything, every byte breaks a promise."""
    shown = iter(range(1000))
    monkeypatch.setattr(chaos.corrupt, "_read", lambda study, mode: (0, "", str(next(shown))))
    found = corrupt(finished, 6, 1, tmp_path)
    assert len(found.broken) == 6
    assert found.broken_in.total() == 6


def test_a_traceback_and_an_unknown_exit_code_are_broken_promises(finished, tmp_path, monkeypatch):
    answers = {"analyse": (0, "", ""), "regrade": (0, "", ""), "report": (0, "", "")}
    for answer in ((None, "KeyError()", ""), (1, "error: x\n", ""), (3, "two\nlines\n", "")):
        asked = iter([*answers.values(), *[answer] * 4])
        monkeypatch.setattr(chaos.corrupt, "_read", lambda study, mode, asked=asked: next(asked))
        assert len(corrupt(finished, 4, 1, tmp_path).broken) == 4, answer


def test_every_byte_is_put_back(finished, tmp_path, monkeypatch):
    copy = Finished(finished.words, Path(shutil.copytree(finished.outputs, tmp_path / "out")))
    before = {path: path.read_bytes() for paths in copy.files().values() for path in paths}
    monkeypatch.setattr(chaos.corrupt, "_read", lambda study, mode: (0, "", ""))
    corrupt(copy, 8, 1, tmp_path)
    assert before == {path: path.read_bytes() for paths in copy.files().values() for path in paths}
    (root,) = {path.parent for path in copy.outputs.glob("*/*/plan.json")}
    assert StudyFolder(root).has_plan()


def test_options_name_counts_and_the_rest_is_the_whole_campaign():
    assert counts_of(None, None, None, None) == COUNTS
    assert counts_of(1, 0, None, 5) == {"rules": 1, "browser": 0, "tracking": 200, "bytes": 5}


def test_whom_a_kill_strikes():
    import random

    rng = random.Random(0)
    assert WHO["the runner"](rng, [4, 5, 6]) == [4]
    assert WHO["any one process"](rng, [4, 5, 6])[0] in (4, 5, 6)
    assert WHO["everything at once"](rng, [4, 5, 6]) == [4, 5, 6]


def test_the_table_shows_what_broke_and_replaces_its_own_section_only():
    seen = Bytes()
    seen.tried["plan.json"] += 2
    seen.refused["plan.json"] += 1
    seen.complain("plan.json", "plan.json byte 3: shows something else")
    found = AtRandom(7, {"rules": Tally(kills=5, late=1, rounds=2, broken=["rules round 0: lost"])}, seen)
    text = table(found)
    assert "| rules | 5 | 1 | 2 | 1 |" in text
    assert "| plan.json | 2 | 1 | 0 | 1 |" in text
    assert found.broken == ["rules round 0: lost", "plan.json byte 3: shows something else"]
    page = "head\n<!-- random: begin -->\nold\n<!-- random: end -->\ntail\n"
    assert with_section(page, "new\n") == page.replace("old", "new")
    assert section_of(page) == "old\n"
