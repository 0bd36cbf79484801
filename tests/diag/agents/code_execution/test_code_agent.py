"""The code-execution agent over the fake server: run, see the output, act; every step classified."""

import csv
import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "models"))

from fake_server import serving
from shown import QUICK, seen

from diag.agents.code_execution import CodeFactory, CodeTools
from diag.agents.code_execution import sandbox as sandbox_module
from diag.agents.code_execution.steps import listed_inputs, steps_of
from diag.agents.models import CoordinateContract, ModelFactory, OpenAIChat
from diag.agents.models.conversation import Call
from diag.agents.models.reply import Reply
from diag.errors import ConfigError
from diag.records.event_log import read_events
from diag.studies.episodes.calls import calls_of


@pytest.fixture(autouse=True)
def isolation():
    try:
        sandbox_module.require()
    except ConfigError as error:
        pytest.skip(f"no isolation on this machine: {error}")


def made(url: str, **fields) -> CodeFactory:
    model = ModelFactory("code", "fake-1", OpenAIChat(url), CodeTools(), patience=QUICK)
    return CodeFactory(replace(model, **fields))


def scripted(*codes: str):
    """A model that runs each code in turn, then clicks where the last output told it to."""

    def brain(request):
        outputs = [message["content"] for message in request["messages"] if message["role"] == "tool"]
        if len(outputs) < len(codes):
            return {"text": f"run {len(outputs)}", "code": codes[len(outputs)]}
        x, y = map(int, outputs[-1].split())
        return {"text": "click", "actions": [{"name": "click", "x": x, "y": y}]}

    return brain


@pytest.fixture
def code_answers(monkeypatch):
    """Let the fake server answer with calls of `python`."""
    import fake_server

    ordinary = fake_server.chat_answer

    def answer(request, said, kind):
        data = ordinary(request, said, kind)
        if "code" in said:
            function = {"name": "python", "arguments": json.dumps({"code": said["code"]})}
            data["choices"][0]["message"]["tool_calls"] = [{"id": "p", "type": "function", "function": function}]
        return data

    monkeypatch.setattr(fake_server, "chat_answer", answer)


def test_output_goes_back_to_the_model_which_then_acts(code_answers):
    codes = "open('n', 'w').write('7')", "print(int(open('n').read()) * 10, screenshot.shape[0] - 1)"
    with serving(scripted(*codes)) as server:
        decision = made(server.url).build(1).decide(seen())
    assert decision.actions == ({"name": "click", "x": 70, "y": 899},)
    assert decision.usage["steps"] == ["non_native", "non_native", "native"]
    assert (decision.usage["model_calls"], len(decision.usage["runs"])) == (3, 2)
    assert decision.usage["input_tokens"] > 0
    assert "[output]\n70 899" in decision.reason


def test_actions_that_code_asks_for_are_the_decision(code_answers):
    with serving(scripted("for x in (1, 2):\n    gui.click(x, 5)")) as server:
        decision = made(server.url).build(1).decide(seen())
        assert len(server.requests) == 1
    assert [(one["x"], one["y"]) for one in decision.actions] == [(1, 5), (2, 5)]
    assert decision.usage["steps"] == ["non_native"]


LOOKING = """
print("start", screenshot[0, 0, 0])
gui.click(1, 5)
seen = gui.screenshot()
print("then", seen[0, 0, 0])
if seen[0, 0, 0] > 100:
    gui.click(int(seen[0, 0, 0]), 5)
"""


def test_code_that_takes_a_screenshot_goes_on_with_the_next_decision_without_a_call(code_answers):
    with serving(scripted(LOOKING)) as server:
        agent = made(server.url).build(1)
        first = agent.decide(seen(10))
        assert [one["x"] for one in first.actions] == [1]
        second = agent.decide(seen(120))
        assert [one["x"] for one in second.actions] == [120]
        assert len(server.requests) == 1
    assert (first.usage["steps"], second.usage["steps"]) == (["non_native"], [])
    assert (first.usage["model_calls"], second.usage["model_calls"]) == (1, 0)
    assert (second.usage["input_tokens"], second.usage["images"]) == (0, 0)
    (one,), (two,) = first.usage["runs"], second.usage["runs"]
    assert (one["waits"], one["goes_on"], two["waits"], two["goes_on"]) == (True, False, False, True)
    assert first.reason.startswith("[python]")
    assert "[output]\nstart 10" in first.reason
    assert second.reason == "[the code goes on]\n[output]\nthen 120"


def test_code_that_asks_for_nothing_after_its_screenshot_gives_its_output_to_the_model(code_answers):
    def brain(request):
        last = str(request["messages"][-1]["content"])
        if "after its last screenshot" in last:
            return {"text": "act", "actions": [{"name": "click", "x": 9, "y": 9}]}
        return {"text": "look", "code": LOOKING}

    with serving(brain) as server:
        agent = made(server.url).build(1)
        agent.decide(seen(10))
        decision = agent.decide(seen(50))
        asked = json.dumps(server.requests[1]["messages"][-1])
    assert "[output of your code after its last screenshot]" in asked
    assert "then 50" in asked
    assert decision.actions == ({"name": "click", "x": 9, "y": 9},)
    assert (decision.usage["model_calls"], decision.usage["steps"]) == (1, ["native"])


def test_a_probe_leaves_the_code_waiting(code_answers):
    def brain(request):
        asked = json.dumps(request["messages"])
        return {"text": "no idea", "code": "gui.click(7, 7)"} if "Which rules" in asked else {"code": LOOKING}

    with serving(brain) as server:
        agent = made(server.url).build(1)
        agent.decide(seen(10))
        asked = agent.decide(seen(120, instruction="Which rules?"))
        assert not any(one.get("name") == "click" for one in asked.actions)
        assert [one["x"] for one in agent.decide(seen(120)).actions] == [120]


def test_runs_of_a_decision_are_limited(code_answers):
    with serving(lambda request: {"text": "", "code": "print(1)"}) as server:
        factory = replace(made(server.url), runs_per_decision=2)
        decision = factory.build(1).decide(seen())
        assert len(server.requests) == 3
    assert decision.actions[0]["name"] == "unreadable"


def test_forty_calls_sent_at_once_are_eight_runs(monkeypatch):
    import fake_server

    ordinary = fake_server.chat_answer
    function = {"name": "python", "arguments": json.dumps({"code": "print(3, 4)"})}

    def answer(request, said, kind):
        data = ordinary(request, said, kind)
        if "code" in said:
            calls = [{"id": f"p{n}", "type": "function", "function": function} for n in range(40)]
            data["choices"][0]["message"]["tool_calls"] = calls
        return data

    def brain(request):
        ran = any(message["role"] == "tool" for message in request["messages"])
        return {"text": "", **({"actions": [{"name": "click", "x": 3, "y": 4}]} if ran else {"code": ""})}

    monkeypatch.setattr(fake_server, "chat_answer", answer)
    with serving(brain) as server:
        decision = made(server.url).build(1).decide(seen())
        results = [str(one["content"]) for one in server.requests[1]["messages"] if one["role"] == "tool"]
    assert len(decision.usage["runs"]) == 8
    assert decision.usage["steps"] == ["non_native"] * 40 + ["native"]
    assert [one == "not run: a decision has 8 runs" for one in results] == [False] * 8 + [True] * 32
    assert decision.actions == ({"name": "click", "x": 3, "y": 4},)


@pytest.mark.parametrize(
    ("names", "kinds"),
    [("click", "n"), ("click wait", "n"), ("wait", "o"), ("wait wait", "o"), ("answer", "o"), ("click answer", "no"),
     ("wait answer", "oo"), ("jump", "n")],
)  # fmt: skip
def test_steps_of_act_are_classified_as_published(names, kinds):
    call = Call("1", "act", {"actions": [{"name": name} for name in names.split()]})
    assert "".join(map({"native": "n", "non_native": "o"}.get, steps_of(Reply("", (call,))))) == kinds


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("gui.click(100, 200)\ngui.drag(1, 2, 3, 4); gui.key('ArrowUp')\ngui.swipe(x=5, y=5, x2=9, y2=5)", "n"),
        ("# the red one\n'first'\ngui.click(100, 200)  # there\ngui.wait(0.5)\nprint('done')", "n"),
        ("gui.act('scroll', x=3, y=4, dy=-120)", "n"),
        ("gui.click(-1, 2)", "n"),  # an input that will fail is an input
        ("gui.wait(2)", "o"),
        ("gui.act('wait', seconds=2)", "o"),
        ("gui.act('answer')", "o"),
        ("gui.click(1, 2)\ngui.act(name='answer')", "no"),
        ("pass", "o"),
        ("", "o"),
        ("for x in (1, 2):\n    gui.click(x, 5)", "o"),
        ("x = 1\ngui.click(x, 5)", "o"),
        ("gui.click(1 + 1, 5)", "o"),
        ("gui.click(*[1, 5])", "o"),
        ("gui.click(**{'x': 1, 'y': 5})", "o"),
        ("gui.click(1, 5)\ngui.screenshot()\ngui.click(2, 5)", "n"),
        ("gui.click(1, 5)\nx = gui.screenshot()", "o"),
        ("tap(3, 4)", "o"),  # a helper of an earlier call
        ("import os\ngui.click(1, 5)", "o"),
        ("print(screenshot.shape)\ngui.click(1, 5)", "o"),
        ("gui.actions.append({'name': 'click'})", "o"),
        ("other.click(1, 5)", "o"),
        ("def tap():\n    gui.click(1, 5)", "o"),
        ("if 1: gui.click(1, 5)", "o"),
        ("gui.click(1, 5", "o"),  # no Python at all
    ],
)
def test_code_that_only_lists_fixed_coordinates_is_native_and_other_code_is_not(code, kinds):
    steps = steps_of(Reply("", (Call("1", "python", {"code": code}),)))
    assert "".join(map({"native": "n", "non_native": "o"}.get, steps)) == kinds


def test_what_code_lists_is_named_in_order():
    assert listed_inputs("gui.click(1, 2)\ngui.wait(1)\ngui.act('type', text='a')") == ("click", "wait", "type")


@pytest.mark.parametrize(
    ("codes", "last", "steps"),
    [
        ((), {"text": "I give up.\nSTOP"}, ["non_native"]),
        (("print(1)",), {"text": "STOP"}, ["non_native", "non_native"]),
        (("gui.click(3, 4)",), None, ["native"]),
        (("for name in ['answer']:\n    gui.act(name)",), None, ["non_native", "non_native"]),
        ((), {"text": "I think about it."}, []),  # commentary is no step
    ],
)
def test_a_stop_in_words_is_one_step_and_so_is_an_answer_out_of_code(code_answers, codes, last, steps):
    def brain(request):
        n_run = sum(message["role"] == "tool" for message in request["messages"])
        return {"text": "", "code": codes[n_run]} if n_run < len(codes) else last

    with serving(brain) as server:
        decision = made(server.url).build(1).decide(seen())
    assert decision.usage["steps"] == steps


def test_the_setting_is_of_plain_pixels():
    with pytest.raises(ValueError, match="plain pixels"):
        made("http://127.0.0.1:9/v1", contract=CoordinateContract("grid"))


def test_its_config_composes_and_names_its_limits(diag, tmp_path, capsys):
    words = ["+experiment=rq2", "agent=code_execution", "agent.agent.model=m", f"outputs={tmp_path}"]
    assert diag(*words, "study.max_units=1", "mode=plan") == 0, capsys.readouterr().err
    (plan,) = tmp_path.rglob("plan.json")
    assert json.loads(plan.read_text())["identity"]["agent"]["sandbox.cpu_s"] == 15


def test_ngar_of_a_study_is_read_from_its_outcome_table_and_its_usage(
    code_answers, diag, library_folder, tmp_path, monkeypatch, capsys
):
    """Each decision looks once by code and acts once: 50 percent native, in every row and in the sum."""

    def brain(request):
        looked = request["messages"][-1]["role"] == "tool"
        act = {"text": "act", "actions": [{"name": "key", "key": "a"}]}
        return act if looked or request.get("tool_choice") == "none" else {"text": "look", "code": "print(1)"}

    words = [
        "+experiment=rq2", "agent=code_execution", "agent.agent.model=m", "agent.agent.simulated=true", "clock=virtual",
        f"catalog.library={library_folder}", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
        "execution.progress=false", "tracking=none", "study.max_units=2", "study.limits.actions=2",
        "agent.agent.patience.request_timeout_s=20",
    ]  # fmt: skip
    with serving(brain) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert diag(*words, "mode=run") == 0, capsys.readouterr().err
        n_requests = len(server.requests)
    assert diag(*words, "mode=analyse") == 0
    (table,) = tmp_path.rglob("outcomes.csv")
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(one["ngar"], one["native_steps"], one["other_steps"]) for one in rows] == [("50.0", "2.0", "2.0")] * 2
    capsys.readouterr()
    (root,) = tmp_path.glob("rq2/*/")
    assert diag("agent-check", f"usage={root}") == 0
    total = list(csv.DictReader(capsys.readouterr().out.splitlines()))[-1]
    assert (total["native_steps"], total["other_steps"]) == ("4", "4")
    assert int(total["calls"]) == n_requests == 8
    assert total["failed_tries"] == "0"


def events_of(folder: Path) -> list[dict]:
    (log,) = folder.rglob("events.jsonl")
    return [json.loads(line) for line in log.read_text().splitlines()]


def studied(diag, library_folder, tmp_path, *more: str) -> list[str]:
    return [
        "+experiment=rq2", "agent=code_execution", "agent.agent.model=m", "agent.agent.simulated=true", "clock=virtual",
        f"catalog.library={library_folder}", f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false",
        "tracking=none", "study.max_units=1", "agent.agent.patience.request_timeout_s=20", *more,
    ]  # fmt: skip


TWO_LOOKS = """
import hashlib
for key in "ab":
    gui.key(key)
    print(hashlib.sha256(gui.screenshot().tobytes()).hexdigest())
gui.key("c")
"""


@pytest.mark.parametrize(("most", "wanted"), [(3, ["a", "b", "c"]), (2, ["a", "b"]), (5, ["a", "b", "c", "a", "b"])])
def test_a_study_performs_and_records_what_code_asks_for_between_its_screenshots(
    code_answers, diag, library_folder, tmp_path, monkeypatch, capsys, most, wanted
):
    words = studied(diag, library_folder, tmp_path, "suite=rules", f"study.limits.actions={most}")
    with serving(lambda request: {"text": "look twice", "code": TWO_LOOKS}) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert diag(*words, "mode=run") == 0, capsys.readouterr().err
        n_asked = sum("tool_choice" not in one or one["tool_choice"] != "none" for one in server.requests)
    assert diag(*words, "mode=regrade") == 0, capsys.readouterr().err
    events = events_of(tmp_path)
    kinds = [event["kind"] for event in events if event["kind"] in ("observation", "decision", "action")]
    assert kinds == ["observation", "decision", "action"] * most
    assert [event["data"]["action"]["key"] for event in events if event["kind"] == "action"] == wanted
    decisions = [event["data"]["usage"] for event in events if event["kind"] == "decision"]
    assert [one["model_calls"] for one in decisions] == [1, 0, 0, 1, 0][:most]
    assert sum(one["model_calls"] for one in decisions) == n_asked
    calls = calls_of(read_events(next(tmp_path.rglob("events.jsonl"))))
    assert [(call.kind, call.n_inputs) for call in calls] == [
        ("computation", n) for n in ([3, 2] if most == 5 else [most])
    ]


@pytest.mark.slow
@pytest.mark.browser
def test_in_a_browser_code_sees_the_pictures_that_the_record_holds(
    code_answers, diag, library_folder, tmp_path, monkeypatch, capsys
):
    words = studied(diag, library_folder, tmp_path, "study.limits.actions=3")
    code = TWO_LOOKS.replace("gui.key(key)", "gui.click(640, 300 + 300 * (key == 'b'))")
    with serving(lambda request: {"text": "look twice", "code": code}) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert diag(*words, "mode=run") == 0, capsys.readouterr().err
    events = events_of(tmp_path)
    names = [event["data"]["picture"] for event in events if event["kind"] == "observation"]
    seen = []
    for name in names[1:]:
        (path,) = tmp_path.rglob(f"{name}*.png")
        seen.append(hashlib.sha256(np.asarray(Image.open(path).convert("RGB")).tobytes()).hexdigest())
    said = [run["output"] for event in events if event["kind"] == "decision" for run in event["data"]["usage"]["runs"]]
    assert [line for output in said for line in output.splitlines() if len(line) == 64] == seen
