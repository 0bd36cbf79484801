"""`env=arc games=FOLDER`: somebody else's games in the same loop, records and scores, and a game that fails."""

import csv
import importlib.util
import json
from pathlib import Path

import pytest

from diag.records.event_log import read_events

ARCADE = Path(__file__).parents[3] / "games/grid/arcade"
engine = pytest.mark.skipif(importlib.util.find_spec("arcengine") is None, reason="extra arc, Python 3.12")
WORDS = ("+experiment=arc", "tracking=none", "execution.n_jobs=1", "execution.progress=false")
FAULTY = """
from arcengine import ARCBaseGame, Camera, Level, Sprite

class Odd(ARCBaseGame):
    def __init__(self):
        super().__init__("odd", [Level([Sprite([[3]])], grid_size=(8, 8))], Camera(), available_actions=[1, 2])
        self.n = 0

    def step(self):
        self.n += 1
        if self.n == 4:
            raise KeyError("door")
        self.complete_action()
"""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["env=arc"], "study.env: found arc and folder None, wanted env=arc games=FOLDER"),
        (["games=here"], "study.env: found suite and folder 'here', wanted env=arc games=FOLDER"),
        (["env=arc", "games="], "study.env: found arc and folder '', wanted env=arc games=FOLDER"),
        (["env=arc", "games=/nowhere"], "study.folder: /nowhere: no such folder"),
        (
            ["env=arc", f"games={ARCADE}", "study.levels_per_game=2"],
            "study.levels_per_game: found 2, wanted 5: games of",
        ),
        (["env=arc", f"games={ARCADE}", "+intervention@study.arms.C=grid_oracle"], "grid_oracle reads the rules state"),
        (["env=tetris"], "no env 'tetris'; wanted one of arc, suite"),
        (["study.env=tetris"], "study.env: found 'tetris', wanted suite or arc"),
    ],
)
def test_bad_input_is_one_line(diag, tmp_path, capsys, words, says):
    assert diag(*WORDS, f"outputs={tmp_path}", "mode=plan", *words) in (2, 3)
    error = capsys.readouterr().err.strip()
    assert len(error.splitlines()) == 1
    assert says in error


@pytest.mark.skipif(importlib.util.find_spec("arcengine") is not None, reason="the package is here")
def test_without_the_package_one_line_says_what_to_install(diag, tmp_path, capsys):
    assert diag(*WORDS, f"outputs={tmp_path}", "mode=plan", "env=arc", f"games={ARCADE}") == 2
    assert "need arcengine: pip install" in capsys.readouterr().err


@engine
def test_games_of_a_folder_are_played_scored_and_recorded(diag, tmp_path):
    folder = tmp_path / "my games"
    for name, text in (("odd/odd.py", FAULTY), ("slide/slide.py", (ARCADE / "slide/slide.py").read_text())):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    (folder / "slide/metadata.json").write_text((ARCADE / "slide/metadata.json").read_text())
    (folder / "odd/metadata.json").write_text(
        json.dumps({"game_id": "odd-1", "class_name": "Odd", "baseline_actions": [9]})
    )
    assert (
        diag(*WORDS, f"outputs={tmp_path}", "mode=all", "env=arc", f"games={folder}", "study.analysis.draws=100") == 1
    )
    study = tmp_path / "arc" / "grid_players-rules"
    with (study / "tables" / "scorecard.csv").open(newline="") as file:
        card = {(row["arm"], row["game"]): row for row in csv.DictReader(file)}
    assert {game for _, game in card} == {"slide-0001", "total"}
    failures = {}
    for path in sorted(study.glob("units/*/attempt-*/events.jsonl")):
        events = read_events(path)
        start, end = events[0].data, events[-1].data
        failures.setdefault(start["checkpoint_id"], []).append((end.get("failure_kind"), end["reason"]))
        if start["checkpoint_id"] == "slide-0001":
            assert (start["baselines"], start["references"]) == ([3, 4], [])
            assert start["baseline_source"] == "metadata.json"
            assert start["levels"] == ["slide-0001/1", "slide-0001/2"]
            score = float(card[start["arm"], "slide-0001"]["rhae"])
            assert 0 < score <= 100
    assert [kind for kind, _ in failures["slide-0001"]] == [None, None]
    assert failures["odd-1"]
    for kind, reason in failures["odd-1"]:
        assert kind == "suite"
        assert reason.startswith("odd-1: KeyError at ACTION")
        assert "\n" not in reason
