"""Every fault of an endpoint has its typed outcome, in bounded time (docs/reference/model-faults.md is this table)."""

import pickle
import time
from dataclasses import replace

import pytest
from fake_server import Behaviour, serving, swiper
from shown import QUICK, seen

from diag.agents.models import AnthropicMessages, EndpointRefused, OpenAIResponses, Patience
from diag.agents.models.calling import CallGaveUp
from diag.agents.models.clients.sending import retry_after_s
from diag.agents.models.formats import UNREADABLE
from diag.errors import ConfigError
from diag.records import InfrastructureFailure

OK = Behaviour()
BOUND_S = 15.0


def status(code: int, **fields) -> Behaviour:
    return Behaviour("status", status=code, **fields)


def patience(*script: Behaviour) -> Patience:
    """Little patience with an endpoint that never answers, much with one that a busy machine slows."""
    hangs = any(one.kind in ("hang", "drip") for one in script)
    return replace(QUICK, request_timeout_s=1.0 if hangs else 10.0)


def decided(factory, *script, **fields):
    fields = {"patience": patience(*script), **fields}
    with serving(swiper, *script) as server:
        began = time.monotonic()
        try:
            return factory(server.url, **fields).build(1).decide(seen()), server
        finally:
            assert time.monotonic() - began < BOUND_S


@pytest.mark.parametrize(
    ("script", "troubles"),
    [
        ([OK], [None]),
        ([status(429), status(429), status(429), status(429), OK], ["rate_limit"] * 4 + [None]),
        ([status(429, retry_after="0.1"), OK], ["rate_limit", None]),
        ([status(500), status(503), OK], ["server", "server", None]),
        ([status(529, retry_after="0.05"), OK], ["server", None]),
        ([Behaviour("reset"), OK], ["connection", None]),
        ([Behaviour("short_body"), OK], ["connection", None]),
        ([Behaviour("cut_json"), OK], ["incomplete", None]),
        ([Behaviour("length"), OK], ["incomplete", None]),
        ([Behaviour("empty"), OK], ["incomplete", None]),
        ([Behaviour("hang"), OK], ["timeout", None]),
        ([Behaviour("drip", seconds=0.05), OK], ["timeout", None]),
        ([Behaviour("slow", seconds=0.2)], [None]),
    ],
)
def test_a_passing_fault_is_tried_again_and_every_try_is_recorded(factory, script, troubles):
    decision, server = decided(factory, *script)
    assert decision.actions[0]["name"] == "key"
    assert [one["trouble"] for one in decision.usage["tries"]] == troubles
    assert len(server.requests) == len(troubles)


@pytest.mark.parametrize(
    ("behaviour", "kind", "n_tries"),
    [
        (status(500), "api", 3),
        (Behaviour("reset"), "api", 3),
        (Behaviour("hang"), "api", 3),
        (Behaviour("drip", seconds=0.05), "api", 3),
        (Behaviour("cut_json"), "response", 2),
        (Behaviour("length"), "response", 2),
        (Behaviour("empty"), "response", 2),
        (Behaviour("body", body="[]"), "response", 2),
        (Behaviour("body", body="null"), "response", 2),
        (Behaviour("body", body='{"choices": [{"message": 7}]}'), "response", 2),
        (Behaviour("other_tool"), "response", 1),
        (status(400), "api", 1),
        (status(422), "api", 1),
        (status(429, body='{"error": {"code": "insufficient_quota", "message": "insufficient_quota"}}'), "api", 1),
    ],
)
def test_a_lasting_fault_is_an_infrastructure_failure_of_its_kind(factory, behaviour, kind, n_tries):
    with serving(swiper, behaviour) as server:
        with pytest.raises(InfrastructureFailure) as failure:
            factory(server.url, patience=patience(behaviour)).build(1).decide(seen())
        assert (failure.value.kind, len(server.requests)) == (kind, n_tries)


def test_a_storm_without_end_gives_up_in_bounded_time(factory):
    patience = Patience(request_timeout_s=1, tries=1, first_wait_s=0.02, longest_wait_s=0.05, wait_limit_s=0.5)
    with serving(swiper, status(429)) as server:
        began = time.monotonic()
        with pytest.raises(InfrastructureFailure, match="api: after"):
            factory(server.url, patience=patience).build(1).decide(seen())
        assert time.monotonic() - began < 3
        assert len(server.requests) > 1, "rate limits are no failed tries: the time limit ends them"


@pytest.mark.parametrize("code", [401, 403, 404])
def test_a_refused_key_or_model_stops_the_study_at_once(factory, code):
    with serving(swiper, status(code)) as server:
        with pytest.raises(EndpointRefused, match=str(code)):
            factory(server.url).build(1).decide(seen())
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
        (400, "gemma-3-270m is not a multimodal model"),
        (400, "At most 0 image(s) may be provided in one prompt."),
        (400, "Invalid content type. image_url is only supported by certain models."),
    ],
)
def test_a_model_that_takes_no_pictures_stops_the_study_at_once(factory, code, words):
    with serving(swiper, status(code, body=f'{{"error": {{"message": "{words}"}}}}')) as server:
        with pytest.raises(EndpointRefused, match="the endpoint takes no pictures"):
            factory(server.url).build(1).decide(seen())
        assert len(server.requests) == 1


def test_nobody_listening_is_an_api_failure(factory):
    with pytest.raises(InfrastructureFailure, match="api"):
        factory("http://127.0.0.1:9/v1").build(1).decide(seen())


def test_waits_are_told_apart_from_the_models_time(factory):
    decision, _ = decided(factory, status(429, retry_after="0.4"), OK)
    assert 0.4 <= decision.usage["throttled_s"] < 3
    assert decision.latency_s < decision.usage["throttled_s"] + 1


def test_retry_after_is_obeyed_and_no_try_begins_after_the_deadline(factory):
    with serving(swiper, status(429, retry_after="60"), OK) as server:
        began = time.monotonic()
        with pytest.raises(CallGaveUp, match="no time left") as failure:
            factory(server.url, attempt_limit_s=5.0, patience=Patience()).build(1).decide(seen())
        assert (len(server.requests), time.monotonic() - began < 3) == (1, True)
    assert failure.value.tries[0]["status"] == 429


def test_failed_tries_that_push_an_answer_past_the_deadline_are_no_slow_agent(factory):
    script = (status(500, seconds=0.25), Behaviour("slow", seconds=0.5))
    with serving(swiper, *script) as server, pytest.raises(InfrastructureFailure, match="pushed the answer"):
        factory(server.url, attempt_limit_s=0.7, clock="wall", patience=Patience(first_wait_s=0.02)).build(1).decide(
            seen()
        )


def test_a_slow_answer_is_the_agents_own(factory):
    decision, _ = decided(factory, Behaviour("slow", seconds=0.4), attempt_limit_s=0.2, clock="wall")
    assert decision.latency_s > 0.2, "the loop dispatches nothing of it: the attempt ends by its time limit"


def test_malformed_arguments_are_a_decision_the_dispatcher_counts(factory):
    decision, _ = decided(factory, Behaviour("bad_arguments"))
    assert [one["name"] for one in decision.actions] == [UNREADABLE]
    assert decision.usage["malformed"] == ["bad_syntax"]


@pytest.mark.parametrize("kind", [OpenAIResponses, AnthropicMessages])
def test_the_other_apis_fail_in_the_same_ways(factory, kind):
    if kind is AnthropicMessages:
        pytest.importorskip("anthropic")
    for script, wanted in (
        ([status(429, retry_after="0.05"), Behaviour("length"), OK], None),
        ([Behaviour("cut_json")], "response"),
        ([status(500)], "api"),
    ):
        with serving(swiper, *script) as server:
            url = server.url.removesuffix("/v1") if kind is AnthropicMessages else server.url
            agent = factory(url, client=kind(url), patience=patience()).build(1)
            if wanted is None:
                assert agent.decide(seen()).actions[0]["name"] == "key"
                continue
            with pytest.raises(InfrastructureFailure) as failure:
                agent.decide(seen())
            assert failure.value.kind == wanted


def test_a_key_is_in_no_message_no_record_and_no_pickle(factory, monkeypatch, tmp_path):
    canary = "sk-canary-4c1f"
    monkeypatch.setenv("OPENAI_API_KEY", canary)
    echo = status(401, body=f'{{"error": {{"message": "bad key {canary}"}}}}')
    with serving(swiper, OK, echo) as server:
        made = factory(server.url, record=str(tmp_path))
        agent = made.build(1)
        decision = agent.decide(seen())
        with pytest.raises(EndpointRefused) as refused:
            agent.decide(seen())
        assert server.headers[0]["authorization"] == f"Bearer {canary}"
    texts = [repr(made), repr(agent), repr(decision), str(refused.value), repr(made.identity())]
    texts += [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert len(texts) > 6
    assert not [text[:80] for text in texts if canary in text]
    assert canary.encode() not in pickle.dumps(made)


def test_a_hosted_endpoint_without_a_key_is_one_line(factory, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        factory(None).build(1)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, None),
    ],
)
def test_retry_after_in_every_form(headers, seconds):
    assert retry_after_s(headers) == seconds


def test_jitter_is_seeded(factory):
    waits = []
    for _ in range(2):
        decision, _ = decided(factory, status(500), status(500), OK)
        waits.append([one.get("waited_s") for one in decision.usage["tries"]])
    assert waits[0] == waits[1] != [None, None, None]


def test_a_failure_survives_the_trip_from_a_worker():
    failure = CallGaveUp("api", "after 1 try: no", ({"trouble": "server"},))
    back = pickle.loads(pickle.dumps(failure))
    assert (back.kind, back.message, back.tries) == (failure.kind, failure.message, failure.tries)
    assert QUICK.tries == 3
