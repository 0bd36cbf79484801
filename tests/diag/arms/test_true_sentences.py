"""No sentence of any arm of any study is false in the state in which the agent first reads it.

Each arm of each study is run up to its first decision, on the rules; what its context claims is compared with what the
record shows of that moment.
"""

import re
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from diag.app.setup import Prepared, prepare
from diag.errors import ConfigError
from diag.grading.certifier import SolverCertifier
from diag.records.event_log import read_events
from diag.studies.clue_memory.starts import clue_catalogue
from diag.studies.registry import register
from games.catalogue import Catalogue, load_catalogue
from games.contract import LevelId
from games.suite.controls import controls_of
from games.suite.reducer import open_level
from games.suite.state import SuiteState
from games.suite.texts import LANGUAGES

CONF = Path(__file__).parents[3] / "conf"
READERLESS = {"arc", "rq5", "rq6", "rq8", "web"}
"""Studies whose arms are policies, tools, prompts of a controller or the memory of a crew: no sentence on a screen;
and `web`, whose page is the user's."""
EXPERIMENTS = sorted({path.stem for path in (CONF / "experiment").glob("*.yaml")} - READERLESS)
CATALOGUE = load_catalogue()
ENGLISH = ("rq7",)
"""Refuses another language, and names its own agent."""
QUICK = (
    "suite=rules",
    "tracking=none",
    "study.limits.takeover_s=30",
    "study.analysis.draws=100",
)


def prepared(tmp_path: Path, experiment: str, language: str = "en") -> Prepared:
    register()
    agent = () if experiment in ENGLISH else ("agent=simulated/sol",)
    with initialize_config_dir(str(CONF), version_base=None):
        changes = [f"+experiment={experiment}", *agent, *QUICK, f"suite.language={language}", f"outputs={tmp_path}"]
        config = compose("config", changes)
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


def holding(level: LevelId) -> Catalogue:
    """Return the catalogue that holds a level."""
    return clue_catalogue(CATALOGUE) if level.game == "clue_house" else CATALOGUE


def labels_on(level: LevelId, language: str) -> set[str]:
    """Return the labels on the screen of a board in play."""
    state = open_level(holding(level), SuiteState(language=language), level)
    return {control.label for control in controls_of(holding(level), state)}


def falsehoods(text: str, snapshot: dict, controller: bool, state: dict | None, language: str = "en") -> list[str]:
    """Return the claims of a text that the moment does not bear out."""
    level = None if snapshot["level"] is None else LevelId.parse(snapshot["level"])
    verdict = None
    if level is not None and state is not None and level.game != "clue_house":
        verdict = SolverCertifier(CATALOGUE.layout)(level, state)
    labels = labels_on(level, language) if level is not None else set()
    quoted = re.findall(r'button labelled "([^"]+)"', text) + re.findall(r"标有“([^”]+)”的按钮", text)
    playing = re.search(r"You are playing ([^,]+), ([^,]+), level (\d+)", text) or re.search(
        r"你正在玩《([^》]+)》，([^，]+)，第 (\d+) 关",  # noqa: RUF001 - Chinese punctuation
        text,
    )
    at_home = not controller and snapshot["screen"] == "home"
    claims = {
        ("at the home screen", "在一个解谜游戏集的主页", "你现在在主页"): snapshot["screen"] == "home",
        ("yourself", "自己打开"): at_home,
        ("the menus are yours", "菜单由你操作"): at_home,
        ("menus are worked for you", "菜单由控制器代为操作"): controller and snapshot["screen"] == "playing",
        ("No legal relocation", "没有任何螺丝可以合法移动"): verdict == "dead_end",
        ("can no longer be completed", "已无法完成"): verdict == "dead_end",
        ("is still solvable", "仍可完成"): verdict not in ("dead_end", None),
        ("undo and restart included",): False,  # not every game has both, and no menu has any
    }
    found = [words[0] for words, holds in claims.items() if any(one in text for one in words) and not holds]
    found += [f'labelled "{label}"' for label in quoted if label not in labels]
    if playing is not None:
        texts = {} if level is None else CATALOGUE.games[level.game].texts(language)
        here = level and (texts["title"], texts["difficulties"][level.difficulty], str(level.number))
        found += [] if playing.groups() == here else [playing[0]]
    return found


@pytest.mark.parametrize(
    ("experiment", "language"),
    [(name, language) for name in EXPERIMENTS for language in LANGUAGES if language == "en" or name not in ENGLISH],
)
def test_no_arm_says_anything_false_when_it_is_first_read(tmp_path, experiment, language):
    one = prepared(tmp_path, experiment, language)
    firsts = {(unit.arm, unit.cohort): unit for unit in reversed(one.plan.units)}
    assert {arm for arm, _ in firsts} == set(one.study.arms)
    for unit in firsts.values():
        start, snapshot, controller = first_moment(one, unit, tmp_path)
        context = start["context"]
        text = "\n".join(part for part in (context["instruction"], context["memory"]) if part)
        found = falsehoods(text, snapshot, controller, start["start_state"], language)
        assert found == [], (unit.arm, unit.cohort, text)
        if language == "zh":
            assert re.findall("[A-Za-z]{3,}", context["instruction"]) == [], unit.arm


def test_clue_memory_speaks_english_only(tmp_path):
    with pytest.raises(ConfigError, match=r"suite\.language: found zh, wanted en"):
        prepared(tmp_path, "rq7", "zh")


def test_the_sentences_that_were_false_are_found():
    playing = {"screen": "playing", "level": "maze_paint/easy/1"}
    old = "You are at the home screen of a puzzle suite. Open the game and the difficulty yourself."
    assert falsehoods(old, playing, True, None) == ["at the home screen", "yourself"]
    assert falsehoods('The button labelled "Reset" restarts the level.', playing, False, None) == ['labelled "Reset"']
    assert falsehoods('The button labelled "Restart" restarts the level.', playing, False, None) == []
    chinese = "标有“{}”的按钮会重新开始本关。"
    assert falsehoods(chinese.format("Restart"), playing, False, None, "zh") == ['labelled "Restart"']
    assert falsehoods(chinese.format("重新开始"), playing, False, None, "zh") == []
    assert falsehoods("You are playing Maze Paint, Easy, level 2.", playing, False, None) != []
    assert falsehoods("你正在玩《迷宫涂色》，简单，第 1 关。", playing, False, None, "zh") == []  # noqa: RUF001
