"""How many rules of its game's card a K0 agent is shown, in every text and on every screen, in both languages."""

import json
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from diag.app.setup import prepare
from diag.studies.knowledge_workflow.cards import card_of, carded_games
from diag.studies.knowledge_workflow.probes import grade_answer
from diag.studies.registry import register
from games.catalogue import load_catalogue
from games.suite.controls import controls_of
from games.suite.picture import picture_of
from games.suite.reducer import open_level
from games.suite.state import SuiteState
from games.suite.texts import LANGUAGES

ROOT = Path(__file__).parents[4]
CATALOGUE = load_catalogue()
N_RULES = sum(len(card_of(game).rules) for game in carded_games())
ABOUT_FAILURE = ("restart helps", "dead end", "unsolvable", "solvable", "stuck", "无解", "只能重新开始", "死局")
"""Words of diagnosis: what RQ2 tells in arms B and C must stand on no screen."""


def strings(value) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in strings(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in strings(one)]
    return [value] if isinstance(value, str) else []


def texts_on_screens(game: str, language: str, amount: str) -> list[str]:
    """Return every text on the home screen, in the menus and on the first board of each difficulty."""
    home = SuiteState(language=language, instructions=amount)
    firsts = {entry.id.difficulty: entry.id for entry in reversed(CATALOGUE.entries) if entry.id.game == game}
    menus = [
        SuiteState(language=language, instructions=amount, screen=screen, game=game, difficulty=difficulty)
        for screen, difficulty in [("difficulties", None), *(("levels", name) for name in firsts)]
    ]
    boards = [open_level(CATALOGUE, home, level) for level in firsts.values()]
    found: list[str] = []
    for state in (home, *menus, *boards):
        found += strings({**picture_of(CATALOGUE, state), "board": None})
        found += [control.label for control in controls_of(CATALOGUE, state)]
    return found


def stated(game: str, language: str, texts: list[str]) -> set[str]:
    card = card_of(game)
    return {rule for text in texts for rule, holds in grade_answer(text, card, language).items() if holds}


def told(tmp_path: Path, language: str) -> dict[str, list[str]]:
    """Return what the K0 cells of rq4 say at the start, by game, with the system prompts of all model agents."""
    register()
    with initialize_config_dir(str(ROOT / "conf"), version_base=None):
        changes = ["+experiment=rq4", "suite=rules", f"suite.language={language}", f"outputs={tmp_path}"]
        one = prepare(compose("config", changes), cwd=tmp_path)
    prompts = (ROOT / "diag/agents/models/prompts" / language).glob("*.txt")
    system = [path.read_text("utf-8") for path in prompts]
    found: dict[str, list[str]] = {}
    for objective in one.library.chosen:
        base = one.study.kind.starts.context(one.study, objective)
        for arm, cell in one.study.arms.items():
            if not cell.card:
                context = cell.apply(base, "E")
                assert context.memory is None, arm
                found.setdefault(objective.game, [*system]).append(context.instruction)
    return found


def n_stated(language: str, amount: str, *, also: dict[str, list[str]]) -> int:
    return sum(
        len(stated(game, language, texts_on_screens(game, language, amount) + also.get(game, [])))
        for game in carded_games()
    )


@pytest.mark.parametrize(("language", "brief", "full"), [("en", 4, 29), ("zh", 3, 30)])
def test_a_k0_agent_is_shown_at_most_one_card_rule_in_six(tmp_path, language, brief, full):
    also = told(tmp_path, language)
    assert n_stated(language, "brief", also=also) == brief <= N_RULES / 6
    assert n_stated(language, "full", also=also) == full
    docs = (ROOT / "docs/studies/knowledge_workflow.md").read_text("utf-8")
    assert f"| `brief` ({language}) | {brief} of {N_RULES} |" in docs
    assert f"| `full` ({language}) | {full} of {N_RULES} |" in docs


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_shown_at_first_is_the_goal_alone(language):
    for game in carded_games():
        assert stated(game, language, texts_on_screens(game, language, "brief")) <= {"goal", "connect"}, game


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", carded_games())
def test_no_screen_and_no_feedback_tells_of_dead_ends(game, language):
    texts = texts_on_screens(game, language, "brief") + strings(CATALOGUE.games[game].texts(language)["notes"])
    assert [text for text in texts if any(word in text.lower() for word in ABOUT_FAILURE)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_feedback_answers_an_action_and_states_no_rule_beyond_the_goal(language):
    for game in carded_games():
        notes = strings(CATALOGUE.games[game].texts(language)["notes"])
        assert stated(game, language, notes) <= {"connect"}, game


def test_the_texts_of_a_screen_are_all_there_is_of_words_in_a_picture():
    found = json.dumps(texts_on_screens("maze_paint", "en", "full"))
    assert "The ball slides until a wall stops it" in found
