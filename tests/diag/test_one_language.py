"""The study's language is one setting: screen, objective, arms, cards, probes and accounts follow `suite.language`."""

from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from diag.app.setup import prepare
from diag.config.language import in_language
from diag.errors import ConfigError
from diag.running.station import StationSettings
from diag.running.takeover import with_pictures
from diag.session.contract import PublicContext, Turn
from diag.session.pictures import PictureStore
from diag.studies.registry import register

CONF = Path(__file__).parents[2] / "conf"


def prepared(tmp_path, experiment, *changes):
    register()
    with initialize_config_dir(str(CONF), version_base=None):
        given = [f"+experiment={experiment}", "suite=rules", "tracking=none", f"outputs={tmp_path}", *changes]
        return prepare(compose("config", given), cwd=tmp_path)


def test_a_text_per_language_and_a_label_become_what_is_told():
    found = in_language({"D": {"en": 'Press "{label:restart}".', "zh": "点击“{label:restart}”。"}, "n": 3}, "zh", "x")
    assert found == {"D": "点击“重新开始”。", "n": 3}
    assert in_language(["{label:undo} {capacity}"], "en", "x") == ["Undo {capacity}"]


def test_a_text_that_is_missing_in_the_language_is_named():
    with pytest.raises(
        ConfigError, match=r"study\.objective: found a text in en, wanted one in zh \(suite\.language\)"
    ):
        in_language({"en": "Play."}, "zh", "study.objective")


def test_a_label_that_no_screen_has_is_refused():
    with pytest.raises(ConfigError, match=r"x: found \{label:again\}, wanted a text of the suite"):
        in_language("Press {label:again}.", "en", "x")


def test_arm_c_quotes_the_button_that_is_shown(tmp_path):
    told = {
        language: prepared(tmp_path, "rq2", f"suite.language={language}").study.arms["C"].declared_text("D")
        for language in ("en", "zh")
    }
    assert 'labelled "Restart"' in told["en"]
    assert "标有“重新开始”的按钮" in told["zh"]


def test_the_language_is_in_the_identity_with_the_texts_it_chose(tmp_path):
    english, chinese = (prepared(tmp_path, "rq4", f"suite.language={language}") for language in ("en", "zh"))
    assert english.plan.plan_hash != chinese.plan.plan_hash
    assert chinese.study.own.probe_question.startswith("关于《{game}》规则的问题")
    assert {cell.language for cell in chinese.study.arms.values()} == {"zh"}
    assert all(card.startswith("规则卡") for card in chinese.study.identity()["cards"].values())


def test_there_is_no_second_setting_of_it(tmp_path):
    with pytest.raises(ConfigError, match=r"unknown key 'study\.language'"):
        prepared(tmp_path, "rq4", "+study.language=zh")


def test_a_plain_text_of_a_user_is_told_in_any_language(tmp_path):
    study = prepared(tmp_path, "rq2", "suite.language=zh", "study.objective='{game} {difficulty} {number}'").study
    assert study.filled_objective({"game": "拧螺丝", "difficulty": "困难", "number": 2}) == "拧螺丝 困难 2"


@pytest.mark.parametrize("change", ["suite.instructions=some", "suite.language=de"])
def test_an_unknown_look_is_refused(tmp_path, change):
    name, value = change.split("=")
    with pytest.raises(ConfigError, match=f"{name}: found '{value}', wanted one of"):
        prepared(tmp_path, "rq2", change)


def test_the_instructions_are_in_the_identity(tmp_path):
    hashes = {
        prepared(tmp_path, "rq2", f"suite.instructions={one}").plan.plan_hash for one in ("brief", "full", "none")
    }
    assert len(hashes) == 3


def test_a_picture_that_cannot_be_drawn_in_these_words_is_left_out(tmp_path):
    context = PublicContext("Play.", (Turn(({"name": "wait"},), "executed", "", "stored"),))
    assert with_pictures(context, lambda name: None, PictureStore(tmp_path)).prefix[0].picture is None
    assert StationSettings(browser=True, animate=False, language="zh", levels=None).look == "zh-brief"


def test_levels_unlock_in_order_in_whole_episodes_and_all_are_open_in_takeovers(tmp_path):
    whole = prepared(tmp_path, "rq1")
    assert (whole.executor.station.unlock, whole.study.history.kept) == ("in_order", "agent")
    assert prepared(tmp_path, "rq4").executor.station.unlock == "in_order"
    assert prepared(tmp_path, "rq2").executor.station.unlock == "all"
    assert prepared(tmp_path, "rq1", "suite.unlock=all").plan.plan_hash != whole.plan.plan_hash
    with pytest.raises(ConfigError, match=r"suite\.unlock: found in_order, wanted all: prefixes of rq2 open any level"):
        prepared(tmp_path, "rq2", "suite.unlock=in_order")
