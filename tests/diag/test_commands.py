"""Commands that are no study."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from diag.app.dispatch import COMMANDS, find_command


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there(name):
    assert callable(find_command(name))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_how_it_is_used(diag, name, capsys):
    try:
        code = diag(name, "--help")
    except SystemExit as ended:  # a parser of argparse
        code = ended.code
    assert code == 0
    assert name in capsys.readouterr().out


def test_an_unknown_option_is_one_line(diag, capsys):
    assert diag("play", "prt=3") == 2
    assert "did you mean port=?" in capsys.readouterr().err


def test_a_misspelt_command_is_one_line_and_says_what_is_near(diag, capsys):
    assert diag("plya") == 2
    assert capsys.readouterr().err.rstrip().endswith("did you mean play?")


def test_show_without_a_checkpoint_says_what_it_wants(diag, capsys):
    assert diag("show") == 2
    assert "checkpoint=ID" in capsys.readouterr().err


def test_levels_check_counts_the_faults_of_a_pack(diag, tmp_path: Path, capsys):
    (tmp_path / "maze_paint.json").write_text('{"schema_version": 1, "game": "maze_paint", "levels": [{}]}')
    assert diag("levels", "check", str(tmp_path)) == 1
    assert "1 faults" in capsys.readouterr().out


SOLVABLE = {"rows": ["S..", "##.", "..."]}


@pytest.mark.parametrize(
    ("layout", "optimum", "exact", "said"),
    [
        (SOLVABLE, 3, True, "no fault"),
        (SOLVABLE, 9, True, "3 are enough"),
        (SOLVABLE, 9, False, "no fault"),
        (SOLVABLE, 2, False, "at least 3 moves"),
        ({"rows": ["S..", "#.#"]}, None, False, "maze_paint/easy/1: cannot be won"),
    ],
)
def test_levels_check_solves_a_pack(diag, tmp_path: Path, capsys, layout, optimum, exact, said):
    level = {
        "difficulty": "easy", "number": 1, "layout": layout, "optimum": optimum, "exact": exact,
        "provenance": {"source": "a test"},
    }  # fmt: skip
    pack = tmp_path / "maze_paint.json"
    pack.write_text(json.dumps({"schema_version": 1, "game": "maze_paint", "levels": [level]}))
    assert diag("levels", "check", str(pack), "--solve") == (0 if said == "no fault" else 1)
    assert said in capsys.readouterr().out


def test_checkpoints_are_refused_with_a_pack_that_is_not_theirs_before_anything_is_planned(diag, tmp_path, capsys):
    level = {
        "difficulty": "easy", "number": 1, "layout": SOLVABLE, "optimum": 3, "exact": True,
        "provenance": {"source": "a test"},
    }  # fmt: skip
    pack = tmp_path / "maze_paint.json"
    pack.write_text(json.dumps({"schema_version": 1, "game": "maze_paint", "levels": [level]}))
    assert diag("+experiment=rq2", "mode=plan", f"catalog.levels={pack}", f"outputs={tmp_path / 'out'}") == 2
    assert "catalog.levels: found no such level, wanted bolt_unscrew/hard/" in capsys.readouterr().err


def test_play_serves_the_suite_until_it_is_told_to_end():
    process = subprocess.Popen(
        [sys.executable, "-m", "diag", "play"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    line = process.stdout.readline()
    with urllib.request.urlopen(line.split()[1], timeout=10) as page:
        assert "<canvas" in page.read().decode()
    process.send_signal(2)
    process.communicate(timeout=20)
    assert process.returncode == 0


@pytest.mark.browser
def test_show_writes_a_picture_and_prints_the_certificate(diag, library_folder, tmp_path, capsys):
    picture = tmp_path / "one.png"
    assert diag("show", "checkpoint=D-hard2-02", f"library={library_folder}", f"output={picture}") == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert '"kind": "dead_end"' in capsys.readouterr().out
