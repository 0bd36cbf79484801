"""The checks find what they are there for: a lost unit, a doubled one, another table, something left behind."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chaos.campaign import Campaign, Observation
from chaos.cells import Cell, all_cells
from chaos.document import document
from chaos.endpoint import answer, serving
from chaos.phases import BEGUN, EVERY_PHASE, FIRST_TURN, MID_SESSION
from chaos.processes import MARK, below, left_behind, marked
from chaos.promise import broken_promises, failures, finished_files, tables_of, without_counters


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from diag.app.command_line import main

    outputs = tmp_path_factory.mktemp("study") / "out"
    words = ["+experiment=rq2", "agent=null", "suite=rules", "study.max_units=3", "tracking=none"]
    words += ["execution.n_jobs=1", "execution.progress=false", f"outputs={outputs}"]
    assert main([*words, "mode=run"]) == main([*words, "mode=analyse"]) == 0
    return outputs


@pytest.fixture
def copy(study: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(study, tmp_path / "out"))


def test_a_study_keeps_its_own_promise(study: Path) -> None:
    assert len(finished_files(study)) == 9
    assert failures(study) == {}
    assert broken_promises(finished_files(study), study, tables_of(study)) == []


def test_a_lost_unit_is_found(study: Path, copy: Path) -> None:
    before, wanted = finished_files(copy), tables_of(study)
    next(copy.glob("*/*/units/*/attempt-1/outcome.json")).write_text("{}")
    lost = sorted(copy.glob("*/*/units/*/attempt-1"))[-1]
    shutil.rmtree(lost)
    assert f"{lost.parent.name}: lost or changed" in broken_promises(before, copy, wanted)


def test_a_doubled_unit_is_found(copy: Path) -> None:
    from diag.records.sealed import read_sealed, write_sealed

    first = sorted(copy.glob("*/*/units/*/attempt-1"))[0]
    again = Path(shutil.copytree(first, first.with_name("attempt-2")))
    write_sealed(again / "status.json", {**read_sealed(again / "status.json"), "attempt": 2})
    assert broken_promises({}, copy, tables_of(copy)) == [f"{first.parent.name} counts 2 times"]


def test_another_table_is_found_and_other_counters_are_not(copy: Path) -> None:
    wanted = tables_of(copy)
    table = next(copy.glob("*/*/tables/outcomes.csv"))
    text = table.read_text()
    table.write_text(text.replace(",True,1,1,0,", ",True,2,2,1,"))
    assert table.read_text() != text
    assert broken_promises({}, copy, wanted) == []
    table.write_text(text.replace(",time_limit,", ",won,"))
    assert broken_promises({}, copy, wanted) == ["the outcome table differs"]
    table.unlink()
    assert broken_promises({}, copy, wanted)[0].startswith("no tables")


def test_seconds_are_left_out_only_where_they_are_real() -> None:
    table = "unit_id,attempt,elapsed_s\nu,2,1.5\n"
    assert without_counters(table) == "unit_id,elapsed_s\nu,1.5\n"
    assert without_counters(table, seconds=False) == "unit_id\nu\n"


def test_what_is_left_behind_is_found_by_its_mark(tmp_path: Path) -> None:
    mark = str(tmp_path)
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], env={MARK: mark})
    try:
        deadline = time.monotonic() + 10
        while not marked(mark) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert marked(mark) == (sleeper.pid,)
        assert "time.sleep" in left_behind(mark, patience_s=0.1)[0]
    finally:
        sleeper.kill()
        sleeper.wait()
    assert left_behind(mark) == ()


def test_processes_below_are_found_at_any_depth() -> None:
    inner = "import time; time.sleep(60)"
    outer = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {inner!r}]).wait()"
    process = subprocess.Popen([sys.executable, "-c", outer])
    try:
        deadline = time.monotonic() + 10
        while not (found := below(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(found) == 1
    finally:
        for pid in (*below(process.pid), process.pid):
            subprocess.run(["kill", "-9", str(pid)], check=True)
        process.wait()


def test_the_endpoint_answers_by_words_alone_and_comes_back_where_it_was() -> None:
    asked = {"model": "m", "messages": [{"role": "user", "content": "go"}]}
    assert answer(asked) == answer(asked) != answer({**asked, "messages": [{"role": "assistant", "content": "x"}]})
    with serving() as endpoint:
        url = endpoint.url
        endpoint.down()
        endpoint.down()
        endpoint.up()
        assert endpoint.url == url


def test_cells_have_names_of_their_own_and_cover_every_phase() -> None:
    cells = all_cells()
    assert len({cell.name for cell in cells}) == len(cells)
    assert {cell.phase.name for cell in cells} == {phase.name for phase in EVERY_PHASE}


def test_the_document_shows_a_broken_promise() -> None:
    cells = [Cell("runner killed", phase, "kill runner") for phase in (FIRST_TURN, MID_SESSION)]
    seen = [Observation(one, "killed", "none", "exit 0", (), (1.0, 1.0)) for one in cells]
    assert "| runner killed | ok | ok |" in document(seen)
    assert document(seen) == document([*seen])
    broken = Observation(cells[1], "exit 1", "1 program", "exit 0", ("the effects differ",), (1.0, 1.0))
    assert "| runner killed | ok | BROKEN |" in document([seen[0], broken])
    assert "BROKEN: the effects differ" in document([seen[0], broken])


@pytest.mark.slow
def test_a_strike_that_never_comes_is_a_broken_promise(tmp_path: Path) -> None:
    late = Cell("browser killed", BEGUN, "kill browser")  # no browser station opens on the rules alone
    assert Campaign(tmp_path).run(late).broken == ("the fault did not strike",)


def test_a_killed_runner_keeps_the_promise(tmp_path: Path) -> None:
    cell = next(one for one in all_cells() if one.name == "runner killed @ mid-session (rules, 1)")
    seen = Campaign(tmp_path).run(cell)
    assert (seen.ended, seen.charged, seen.resumed, seen.broken) == ("killed", "none", "exit 0", ())


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(3_600)
def test_the_whole_campaign_keeps_the_promise_and_writes_its_document() -> None:
    repository = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-m", "chaos"], cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 0, json.dumps(done.stdout[-5000:])
