"""Answers that are odd but arrive: each is read as what it says, tried again, or typed; none is the agent's failure."""

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from fake_server import Behaviour, serving, swiper
from shown import QUICK, seen

from diag.agents.models import AnthropicMessages, Computer, EndpointRefused, OpenAIChat, OpenAIResponses, first_answers
from diag.agents.models.reply import IncompleteReply
from diag.records import InfrastructureFailure

OK = Behaviour()
PATIENT = replace(QUICK, request_timeout_s=10.0)
CLIENTS = {"chat": OpenAIChat, "responses": OpenAIResponses, "messages": AnthropicMessages}
USES = [{"name": "click", "x": 3, "y": 4}]


def answer(api: str, ending: object = ..., text: object = "Hm.", arguments: object = ...) -> dict:
    """A whole answer of an API; `...` leaves a part as it should be."""
    asked = {"actions": USES} if arguments is ... else arguments
    words = json.dumps(asked) if arguments is ... else asked
    if api == "chat":
        call = {"id": "c1", "type": "function", "function": {"name": "act", "arguments": words}}
        message = {"role": "assistant", "content": text, "tool_calls": [call]}
        return {"choices": [{"message": message, "finish_reason": "stop" if ending is ... else ending}]}
    if api == "responses":
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
        call = {"type": "function_call", "call_id": "c1", "name": "act", "arguments": words}
        return {"status": "completed" if ending is ... else ending, "output": [said, call]}
    call = {"type": "tool_use", "id": "c1", "name": "act", "input": asked}
    said = {"type": "text", "text": text}
    return {"content": [said, call], "stop_reason": "tool_use" if ending is ... else ending}


def decided(factory, client, *bodies, **fields):
    """The decision that comes of a script of bodies; `OK` is the server's own answer."""
    if client is AnthropicMessages:
        pytest.importorskip("anthropic")
    script = [body if isinstance(body, Behaviour) else Behaviour("body", body=json.dumps(body)) for body in bodies]
    with serving(swiper, *script) as server:
        url = server.url.removesuffix("/v1") if client is AnthropicMessages else server.url
        agent = factory(server.url, client=client(base_url=url), patience=PATIENT, **fields).build(1)
        return agent.decide(seen()), server


@pytest.mark.parametrize("api", CLIENTS)
def test_a_whole_answer_is_read(factory, api):
    decision, _ = decided(factory, CLIENTS[api], answer(api))
    assert (list(decision.actions), decision.reason, decision.usage["malformed"]) == (USES, "Hm.", [])


@pytest.mark.parametrize("api", CLIENTS)
@pytest.mark.parametrize("ending", ["error", "insufficient_system_resource", "abort", "", None, 5, ["stop"], {}])
def test_an_unknown_ending_is_tried_again_and_then_infrastructure(factory, api, ending):
    decision, _ = decided(factory, CLIENTS[api], answer(api, ending), OK)
    assert [one["trouble"] for one in decision.usage["tries"]] == ["incomplete", None]
    with pytest.raises(InfrastructureFailure) as failure:
        decided(factory, CLIENTS[api], answer(api, ending))
    assert failure.value.kind == "response"
    assert repr(ending) in failure.value.message


@pytest.mark.parametrize(("api", "ending"), [
    *(("chat", word) for word in ("stop", "tool_calls", "function_call")),
    ("responses", "completed"),
    *(("messages", word) for word in ("end_turn", "tool_use", "stop_sequence")),
])  # fmt: skip
def test_the_documented_endings_are_whole(api, ending):
    assert CLIENTS[api]().read(answer(api, ending)).calls[0].arguments == {"actions": USES}


def test_an_item_that_was_cut_is_no_whole_answer():
    cut = answer("responses")
    cut["output"][1]["status"] = "incomplete"
    with pytest.raises(IncompleteReply, match="'incomplete', wanted completed"):
        OpenAIResponses().read(cut)


ODD = [None, 5, True, {"a": 1}, "words", [7], [None]]


def places(value, path=()):
    """Every place inside an answer."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("api", CLIENTS)
def test_any_part_of_any_shape_is_read_or_incomplete(api):
    whole = {
        **answer(api), "id": "1", "model": "m", "usage": {"input_tokens": 3, "prompt_tokens": 3},
    }  # fmt: skip
    if api == "chat":
        whole["choices"][0]["message"]["content"] = [{"type": "text", "text": "a"}]
    if api == "responses":
        whole["output"][1]["pending_safety_checks"] = [{"id": "s"}]
    for path in list(places(whole))[1:]:
        for odd in ODD:
            with suppress(IncompleteReply):
                reply = CLIENTS[api]().read(replaced(whole, path, odd))
                assert isinstance(reply.text, str)
                assert all(isinstance(call.name, str) for call in reply.calls)
                assert isinstance(reply.model, str | None)


@pytest.mark.parametrize("api", CLIENTS)
@pytest.mark.parametrize("text", [None, 5, {"a": "b"}])
def test_a_text_part_without_text_is_tried_again(factory, api, text):
    odd = answer(api, text=[{"type": "text", "text": text}] if api == "chat" else text)
    decision, _ = decided(factory, CLIENTS[api], odd, OK)
    assert [one["trouble"] for one in decision.usage["tries"]] == ["incomplete", None]


@pytest.mark.parametrize(("error", "trouble"), [
    ({"code": 429, "message": "slow down"}, "rate_limit"),
    ({"code": "429", "message": "slow down"}, "rate_limit"),
    ({"code": "rate_limit_exceeded", "message": "slow down"}, "rate_limit"),
    ({"type": "rate_limit_error", "message": "slow down"}, "rate_limit"),
    ({"type": "overloaded_error", "message": "slow down"}, "server"),
    ({"code": 502, "message": "slow down"}, "server"),
    ({"message": "slow down"}, "incomplete"),
    ("slow down", "incomplete"),
])  # fmt: skip
@pytest.mark.parametrize("shape", ["beside", "inside", "alone"])
def test_an_error_inside_status_200_is_acted_on_and_its_words_are_kept(factory, error, trouble, shape):
    failed = {"choices": [{"message": {"content": ""}, "finish_reason": "error", "error": error}]}
    body = {"beside": {"choices": None, "error": error}, "inside": failed, "alone": {"error": error}}[shape]
    decision, _ = decided(factory, OpenAIChat, body, OK)
    assert [one["trouble"] for one in decision.usage["tries"]] == [trouble, None]
    assert "slow down" in decision.usage["tries"][0]["message"]


@pytest.mark.parametrize("client", CLIENTS.values())
def test_every_api_waits_out_a_limit_told_with_status_200(factory, client):
    limited = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}
    decision, _ = decided(factory, client, *[limited] * 4, OK)
    assert [one["trouble"] for one in decision.usage["tries"]] == ["rate_limit"] * 4 + [None]
    assert decision.usage["throttled_s"] > 0


def test_the_wait_asked_for_inside_an_error_is_kept(factory):
    told = {"code": 429, "message": "slow", "metadata": {"headers": {"Retry-After": "0.4"}}}
    decision, _ = decided(factory, OpenAIChat, {"choices": None, "error": told}, OK)
    assert decision.usage["tries"][0]["waited_s"] == 0.4


@pytest.mark.parametrize(("error", "failure", "words"), [
    ({"code": 401, "message": "no such key"}, EndpointRefused, "no such key"),
    ({"code": "insufficient_quota", "message": "insufficient_quota"}, InfrastructureFailure, "api: after 1 try"),
    ({"code": 500, "message": "image input is not supported"}, EndpointRefused, "takes no pictures"),
])  # fmt: skip
def test_an_error_that_will_not_pass_is_not_waited_out(factory, error, failure, words):
    with pytest.raises(failure, match=words):
        decided(factory, OpenAIChat, {"choices": None, "error": error})


@pytest.mark.parametrize("arguments", [
    json.dumps(json.dumps({"actions": USES})),
    json.dumps({"actions": json.dumps(USES)}),
    json.dumps({"actions": [json.dumps(USES[0])]}),
])  # fmt: skip
def test_arguments_encoded_twice_are_read_and_counted(factory, arguments):
    decision, _ = decided(factory, OpenAIChat, answer("chat", arguments=arguments))
    assert (list(decision.actions), decision.usage["malformed"]) == (USES, ["encoded_twice"])


def test_anthropic_input_as_text_is_read_and_counted(factory):
    decision, _ = decided(factory, AnthropicMessages, answer("messages", arguments=json.dumps({"actions": USES})))
    assert list(decision.actions) == USES


def test_arguments_encoded_three_times_are_unreadable(factory):
    thrice = json.dumps(json.dumps(json.dumps({"actions": USES})))
    decision, _ = decided(factory, OpenAIChat, answer("chat", arguments=thrice))
    assert decision.usage["malformed"] == ["bad_syntax"]


@pytest.mark.parametrize("text", ["", " \n", "<think>I am done.</think>", "I am done.</think>\n"])
@pytest.mark.parametrize(("api", "name"), [("responses", "openai_computer"), ("messages", "anthropic_computer")])
def test_an_answer_without_a_word_is_no_claim(factory, api, name, text):
    silent = answer(api, text=text)
    silent["output" if api == "responses" else "content"].pop()
    decision, _ = decided(factory, CLIENTS[api], silent, format=Computer(name))
    assert (decision.stop, decision.usage["malformed"]) == (False, ["no_action"])


def test_half_a_surrogate_pair_enters_as_a_replacement_character(factory):
    typed = [{"name": "type", "text": "a\ud800b"}]
    decision, _ = decided(
        factory, OpenAIChat, answer("chat", text="x\udfffy", arguments=json.dumps({"actions": typed}))
    )
    assert (decision.reason, decision.actions[0]["text"]) == ("x�y", "a�b")


@pytest.fixture
def dead_proxy(monkeypatch):
    """A proxy for everything that nobody answers at, and no exception from it."""
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "")  # the end of the test takes away what is written
        monkeypatch.delenv(name)
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://user:secret@127.0.0.1:9")


@pytest.mark.usefixtures("dead_proxy")
@pytest.mark.parametrize("api", CLIENTS)
def test_this_machine_is_asked_without_the_proxy(factory, api):
    decision, _ = decided(factory, CLIENTS[api], answer(api))
    assert [one["trouble"] for one in decision.usage["tries"]] == [None]


@pytest.mark.usefixtures("dead_proxy")
@pytest.mark.parametrize("api", CLIENTS)
def test_an_error_behind_a_proxy_names_it(factory, api):
    if api == "messages":
        pytest.importorskip("anthropic")
    agent = factory("", client=CLIENTS[api](base_url="http://models.example"), patience=QUICK).build(1)
    with pytest.raises(InfrastructureFailure) as failure:
        agent.decide(seen())
    assert "through the proxy http://[key]@127.0.0.1:9" in failure.value.message
    assert "secret" not in failure.value.message


@pytest.mark.parametrize(("whole", "n_warnings"), [(0, 1), (1, 0)])
def test_an_endpoint_that_is_malformed_from_the_start_is_named_once(capsys, whole, n_warnings):
    agent = f"endpoint-{whole}"
    for number in range(12):
        first_answers.note(agent, "a", () if number < whole else ("encoded_twice",))
    said = capsys.readouterr().err
    assert said.count(f"each of the first 10 answers of {agent} was malformed") == n_warnings
