"""What a model is shown: the public context and nothing else, in both languages, with exact picture bookkeeping."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from fake_server import pictures_of, serving, swiper, words_of
from PIL import Image
from shown import png, seen

from diag.agents.models import (
    AnthropicMessages,
    CoordinateContract,
    FitWithin,
    OpenAIChat,
    OpenAIResponses,
    Qwen3VL,
    UiTars,
)
from diag.agents.models.conversation import picture_name
from diag.agents.models.prompts import FOLDER, Prompts
from diag.errors import ConfigError
from diag.records import InfrastructureFailure
from diag.session.contract import Observation, PublicContext, Turn
from diag.session.history import HistoryPolicy, pictures_in, remember, summary_is_due
from diag.session.observation import PrivilegeError

LANGUAGES = ("en", "zh")


def played(agent, n_turns: int, policy: HistoryPolicy) -> tuple[PublicContext, list[dict]]:
    """Play turns on screens of rising brightness; return the last context and the usage of each decision."""
    context, used = PublicContext("Win."), []
    for n in range(n_turns):
        decision = agent.decide(Observation(context, png(n), None, float(n)))
        used.append(dict(decision.usage))
        turn = Turn(decision.actions, "key(key=a): done", decision.reason, picture_name(png(n)))
        context = remember(context, turn, policy)
        if summary_is_due(n + 1, policy):
            context = replace(context, summary=agent.summarize(context))
    return context, used


def test_pictures_are_those_of_the_policy_and_are_counted(factory):
    with serving(swiper) as server:
        context, used = played(factory(server.url).build(1), 10, HistoryPolicy())
        decisions = [request for request in server.requests if request.get("tool_choice") != "none"]
    assert [one["images"] for one in used] == [1, 2, 3, 4, 5, 5, 5, 5, 5, 5]  # four earlier ones and the current
    assert [len(pictures_of(request)) for request in decisions] == [one["images"] for one in used]
    assert [picture_name(one) for one in pictures_of(decisions[-1])] == [picture_name(png(n)) for n in range(5, 10)]
    assert "Summary of earlier turns" not in words_of(decisions[7])
    assert "Summary of earlier turns" in words_of(decisions[8])
    assert len(pictures_in(context)) == 4


def test_a_full_history_keeps_everything(factory):
    policy = HistoryPolicy(recent_turns=1000, pictures=1000, summary_every_turns=1000)
    with serving(swiper) as server:
        _, used = played(factory(server.url).build(1), 10, policy)
    assert [one["images"] for one in used] == list(range(1, 11))


def test_a_summary_is_asked_without_tools_and_its_cost_goes_to_the_next_decision(factory):
    with serving(swiper) as server:
        _, used = played(factory(server.url).build(1), 9, HistoryPolicy())
        summary = server.requests[8]
    assert summary["tool_choice"] == "none"
    assert summary["tools"], "past turns hold calls, which some endpoints take only beside their tools"
    assert [len(one.get("summaries", ())) for one in used] == [0] * 8 + [1]
    assert used[8]["summaries"][0]["images"] == 4


@pytest.mark.parametrize("kind", [OpenAIChat, OpenAIResponses, AnthropicMessages])
def test_every_api_is_sent_the_same_words_and_pictures(factory, kind):
    if kind is AnthropicMessages:
        pytest.importorskip("anthropic")
    turn = Turn(({"name": "click", "x": 5, "y": 6},), "click(x=5, y=6): done", "because", picture_name(png(1)))
    observation = seen(2, memory="MEMO", summary="SUMMED", recent=(turn,), prefix=(replace(turn, picture=None),))
    with serving(swiper) as server:
        url = server.url.removesuffix("/v1") if kind is AnthropicMessages else server.url
        agent = factory(url, client=kind(url)).build(1)
        agent.screens.add(png(1))
        decision = agent.decide(observation)
        words, pictures = words_of(server.requests[-1]), server.pictures()
    assert decision.actions[0]["name"] == "key"
    assert pictures == [png(1), png(2)]
    for text in ("Win.", "MEMO", "SUMMED", "because", "click(x=5, y=6): done"):
        assert text in words
    assert decision.usage["input_tokens"] > 0
    assert decision.usage["cost"] is None, "an unknown price is null"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [Qwen3VL(), UiTars()])
def test_prompts_name_the_limits_of_the_models_own_space(factory, language, kind):
    contract = CoordinateContract("grid", 999)
    agent = factory("http://127.0.0.1:9/v1", format=kind, contract=contract, language=language).build(1)
    assert "999" in agent.system
    assert not re.search(r"\{[xy]_max\}", agent.system)


def test_both_languages_have_the_same_prompts_and_placeholders():
    names = {language: sorted(path.name for path in (FOLDER / language).glob("*.txt")) for language in LANGUAGES}
    assert names["en"] == names["zh"]
    for name in names["en"]:
        texts = [(FOLDER / language / name).read_text() for language in LANGUAGES]
        holes = [sorted(re.findall(r"\{(?:text|x_max|y_max)\}", text)) for text in texts]
        assert holes[0] == holes[1], name
        assert texts[0] != texts[1], name
    assert Prompts("en").digest != Prompts("zh").digest


@pytest.mark.parametrize("language", LANGUAGES)
def test_prompts_hold_no_rule_and_no_strategy(language):
    games = {path.name.replace("_", " ") for path in Path("games").iterdir() if (path / "rules.py").is_file()}
    assert games, "the games were not found"
    words = {
        "restart",
        "undo",
        "dead end",
        "screw",
        "bolt",
        "paint",
        "truck",
        "puzzle",
        "重新开始",
        "撤销",
        "死局",
        "螺丝",
    }
    for path in (FOLDER / language).glob("*.txt"):
        text = path.read_text().lower()
        assert not [word for word in games | words if word in text], path.name


def test_an_image_is_resized_before_it_is_sent(factory):
    with serving(swiper) as server:
        factory(server.url, contract=CoordinateContract(send=FitWithin(1024))).build(1).decide(seen())
        (picture,) = server.pictures()
    assert Image.open(io.BytesIO(picture)).size == (1024, 720)


def test_a_picture_of_the_prefix_comes_from_the_studys_store(factory, tmp_path):
    from diag.session.pictures import PictureStore

    name = PictureStore(tmp_path / "rq2" / "fake" / "pictures").save(png(9))
    with serving(swiper) as server:
        agent = factory(server.url, outputs=str(tmp_path)).build(1)
        agent.decide(seen(prefix=(Turn((), "done", "", name),)))
        assert server.pictures() == [png(9), png(200)]
    damaged = next(tmp_path.rglob("*.png"))
    damaged.write_bytes(png(8))
    with serving(swiper) as server, pytest.raises(InfrastructureFailure, match="restoration"):
        factory(server.url, outputs=str(tmp_path)).build(1).decide(seen(prefix=(Turn((), "done", "", name),)))


def test_a_screenshot_of_another_size_than_the_contract_says_stops_the_study(factory):
    agent = factory("http://127.0.0.1:9/v1", contract=CoordinateContract(device_scale=2)).build(1)
    with pytest.raises(ConfigError, match="expects"):
        agent.decide(seen())


def test_a_model_is_never_handed_the_scene_or_the_state(factory):
    agent = factory("http://127.0.0.1:9/v1").build(1)
    for hidden in ({"scene": {"board": 1}}, {"oracle": {"state": 1}}):
        with pytest.raises(PrivilegeError):
            agent.decide(replace(seen(), **hidden))


def test_two_hidden_states_under_one_picture_give_one_request(factory):
    """The observation is all an agent gets, so the bytes of the request are a function of it."""
    with serving(swiper) as server:
        for seed in (1, 2):
            factory(server.url).build(seed).decide(seen(5))
        assert server.requests[0] == server.requests[1]


def test_a_word_of_the_records_in_no_public_text_is_stopped(factory):
    agent = factory("http://127.0.0.1:9/v1").build(1)
    turn = Turn((), "certificate no_available_hole", "", None)  # as if a dispatcher's feedback leaked it
    with pytest.raises(PrivilegeError, match="no_available_hole"):
        agent.decide(seen(recent=(turn,)))


def test_an_arm_may_say_such_a_word_itself(factory):
    with serving(swiper) as server:
        factory(server.url).build(1).decide(seen(instruction="There is a certificate."))
        assert "certificate" in words_of(server.requests[0])
