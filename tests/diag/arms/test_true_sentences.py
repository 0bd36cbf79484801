"""No sentence of any arm of any study is false in the state in which the agent first reads it.

Each arm of each study is run up to its first decision, on the rules; what its context claims is compared with what the
record shows of that moment.
"""

import re
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from diag.app.setup import Prepared, prepare
from diag.grading.certifier import SolverCertifier
from diag.records.event_log import read_events
from diag.studies.registry import register
from games.catalogue import load_catalogue
from games.contract import LevelId
from games.suite.controls import controls_of
from games.suite.reducer import open_level
from games.suite.state import SuiteState

CONF = Path(__file__).parents[3] / "conf"
EXPERIMENTS = sorted(path.stem for path in (CONF / "experiment").glob("*.yaml"))
CATALOGUE = load_catalogue()
QUICK = (
    "agent=simulated/sol",
    "suite=rules",
    "tracking=none",
    "study.limits.takeover_s=30",
    "study.analysis.draws=100",
)


def prepared(tmp_path: Path, experiment: str) -> Prepared:
    register()
    with initialize_config_dir(str(CONF), version_base=None):
        config = compose("config", [f"+experiment={experiment}", *QUICK, f"outputs={tmp_path}"])
    return prepare(config, cwd=tmp_path)


def first_moment(one: Prepared, unit, tmp_path: Path):
    """Return the first context, the last snapshot before the first decision, and whether a controller has acted."""
    log = tmp_path / f"{one.study.name}-{unit.unit_id}.jsonl"
    one.executor.execute(unit, 1, log_path=log, pictures=tmp_path / "pictures")
    events = list(read_events(log))
    first = next(place for place, event in enumerate(events) if event.kind == "observation")
    before = events[:first]
    start = next(event.data for event in before if event.kind == "episode_start")
    snapshot = [event.data for event in before if event.kind == "snapshot"][-1]
    return start, snapshot, any(event.kind == "controller" for event in before)


def labels_on(level: LevelId) -> set[str]:
    """Return the labels on the screen of a board in play."""
    state = open_level(CATALOGUE, SuiteState(), level)
    return {control.label for control in controls_of(CATALOGUE, state)}


def falsehoods(text: str, snapshot: dict, controller: bool, state: dict | None) -> list[str]:
    """Return the claims of a text that the moment does not bear out."""
    level = None if snapshot["level"] is None else LevelId.parse(snapshot["level"])
    verdict = None
    if level is not None and state is not None:
        verdict = SolverCertifier(CATALOGUE.layout)(level, state)
    labels = labels_on(level) if level is not None else set()
    quoted = re.findall(r'button labelled "([^"]+)"', text)
    playing = re.search(r"You are playing ([^,]+), ([^,]+), level (\d+)", text)
    claims = {
        "at the home screen": snapshot["screen"] == "home",
        "yourself": not controller and snapshot["screen"] == "home",
        "the menus are yours": not controller and snapshot["screen"] == "home",
        "menus are worked for you": controller and snapshot["screen"] == "playing",
        "No legal relocation": verdict == "dead_end",
        "can no longer be completed": verdict == "dead_end",
        "is still solvable": verdict not in ("dead_end", None),
        "undo and restart included": False,  # not every game has both, and no menu has any
    }
    found = [claim for claim, holds in claims.items() if claim in text and not holds]
    found += [f'labelled "{label}"' for label in quoted if label not in labels]
    if playing is not None:
        game, number = playing[1].lower().replace(" ", "_"), int(playing[3])
        here = (level.game, level.difficulty, level.number) if level is not None else None
        if here != (game, playing[2].lower(), number):
            found.append(playing[0])
    return found


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_no_arm_says_anything_false_when_it_is_first_read(tmp_path, experiment):
    one = prepared(tmp_path, experiment)
    firsts = {(unit.arm, unit.cohort): unit for unit in reversed(one.plan.units)}
    assert {arm for arm, _ in firsts} == set(one.study.arms)
    for unit in firsts.values():
        start, snapshot, controller = first_moment(one, unit, tmp_path)
        context = start["context"]
        text = "\n".join(part for part in (context["instruction"], context["memory"]) if part)
        assert falsehoods(text, snapshot, controller, start["start_state"]) == [], (unit.arm, unit.cohort, text)


def test_the_sentences_that_were_false_are_found():
    playing = {"screen": "playing", "level": "maze_paint/easy/1"}
    old = "You are at the home screen of a puzzle suite. Open the game and the difficulty yourself."
    assert falsehoods(old, playing, True, None) == ["at the home screen", "yourself"]
    assert falsehoods('The button labelled "Reset" restarts the level.', playing, False, None) == ['labelled "Reset"']
    assert falsehoods('The button labelled "Restart" restarts the level.', playing, False, None) == []
