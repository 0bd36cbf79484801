"""A model codes with file tools and plays with its own actions; what it is told, and what becomes of its answers."""

import json
import re

import pytest
from fake_server import pictures_of, serving, words_of
from PIL import Image

from diag.session.history import HistoryPolicy
from diag.studies.playtest.builds.build import Build
from diag.studies.playtest.builds.game_defects import defects_of
from diag.studies.playtest.crew import CodeView, PlayView
from diag.studies.playtest.memory import Entry
from diag.studies.playtest.model_crew import UNREADABLE, ModelCrew, memories_of, object_in
from diag.studies.playtest.report import Finding, Report
from diag.studies.playtest.rubrics import rubric_of
from diag.studies.playtest.starts import Task

GAME, DEFECT = "truck_escape", "trucks_pass"
PATCH = defects_of(GAME)[DEFECT]
MEMORY = {"kind": "fix_pattern", "layer": "skill", "about": "bump", "text": "look at what is in the way"}
REPORT = {
    "outcome": "completed", "confidence": "medium", "log": ["opened a level"], "retries": 0,
    "findings": [{"about": "bump", "severity": "major", "text": "trucks drive through each other", "fix": "stop them"}],
    "memories": [{**MEMORY, "kind": "interaction_pattern"}],
}  # fmt: skip
REPAIR = ("replace_text", {"path": PATCH.file, "find": PATCH.replace, "replace": PATCH.find})
FINISH = ("finish", {"summary": "repaired", "deferred": ["legend"], "memories": [MEMORY]})


def n_told(request, word):
    return sum(message["role"] == "tool" and word in message["content"] for message in request["messages"])


def brain(request):
    """Repair once there is a report, play one click, and report."""
    said = words_of(request)
    if "You are the game agent" in said:
        if "Report of the playtester" not in said:
            return {"calls": [FINISH]}
        return {"calls": [FINISH if n_told(request, "written") else REPAIR]}
    if "Write your report" in said:
        return {"text": f"Here it is: {json.dumps(REPORT)}"}
    if "done" in said:
        return {"text": "enough", "actions": [{"name": "answer", "text": "played"}]}
    return {"text": "I look", "actions": [{"name": "click", "x": 640, "y": 450}]}


@pytest.fixture
def crew(factory):
    def make(url, calls=10, actions=10):
        return ModelCrew(factory(url).build(1), calls, actions, HistoryPolicy())

    return make


def view(**changes):
    known = {"round": 2, "task": "t", "prompt": "A car park.", "build": Build(GAME, (DEFECT,)), "memory": (),
             "report": Report("completed", "medium", findings=(Finding("bump", "major", "they pass", "stop them"),)),
             "reviews": False, "verify": lambda build: ""}  # fmt: skip
    return CodeView(**{**known, **changes})


# --- coding -----------------------------------------------------------------------------------------------------------


def test_a_model_repairs_a_build_with_its_tools(crew, tmp_path):
    with serving(brain) as server:
        coded = crew(server.url).code(view())
    assert coded.build.defects == (DEFECT,), "what was seeded stays on record; the edit is what repairs"
    clean, made = Build(GAME, ()).write(tmp_path / "clean"), coded.build.write(tmp_path / "made")
    assert (made / "games" / PATCH.file).read_bytes() == (clean / "games" / PATCH.file).read_bytes()
    assert (coded.starts, coded.deferred, coded.n_calls) == (True, ("legend",), 2)
    assert [(one.layer, one.owner, one.about, one.task, one.round) for one in coded.entries] == [
        ("skill", "game-agent", "bump", "t", 2)
    ]
    assert len(coded.usage) == 2
    assert all(one["output_tokens"] == 7 for one in coded.usage)


def called(crew, calls, **changes):
    """What tools answer to calls, one call a turn, then the end."""
    turns = iter([*[{"calls": [call]} for call in calls], {"text": "I stop"}])
    with serving(lambda request: next(turns)) as server:
        coded = crew(server.url, calls=len(calls) + 1).code(view(**changes))
        last = server.requests[-1]["messages"]
    return [message["content"] for message in last if message["role"] == "tool"], coded


def test_tools_answer_and_refuse_in_words(crew):
    told, coded = called(crew, [
        ("list_files", {}),
        ("read_file", {"path": "truck_escape/rules.py", "first_line": 2, "last_line": 3}),
        ("read_file", {"path": "../../../etc/passwd"}),
        ("read_file", {"path": "truck_escape/rules.py", "first_line": 0}),
        ("write_file", {"path": "truck_escape/new.py", "content": ""}),
        ("write_file", {"path": "truck_escape/rules.py", "content": 7}),
        ("replace_text", {"path": "truck_escape/rules.py", "find": "no such words", "replace": ""}),
        ("replace_text", {"path": "truck_escape/rules.py", "find": "", "replace": "x"}),
        ("check", {}),
        ("shell", {"command": "ls"}),
    ])  # fmt: skip
    assert "truck_escape/rules.py" in told[0].splitlines()
    assert [line.partition(":")[0] for line in told[1].splitlines()[:2]] == ["2", "3"]
    assert told[2:8] == [
        "Refused: no file '../../../etc/passwd'; `list_files` names those there are",
        "Refused: first_line: wanted a line number from 1, got 0",
        "Refused: no file 'truck_escape/new.py'; `list_files` names those there are",
        "Refused: content: wanted a text, got 7",
        "Refused: 'no such words' stands there 0 times, wanted once",
        "Refused: '' stands there any number of times, wanted once",
    ]
    assert told[8] == "The build starts."
    assert told[9].startswith("Refused: no tool 'shell'; wanted one of list_files")
    assert coded.build == Build(GAME, (DEFECT,)), "nothing was changed"


def test_calls_are_limited_and_a_build_that_is_never_run_has_no_check(crew):
    with serving(lambda request: {"calls": [("list_files", {})] * 4}) as server:
        coded = crew(server.url, calls=6).code(view(verify=None))
        offered = [tool["function"]["name"] for tool in server.requests[0]["tools"]]
    assert len(server.requests) == 2
    assert "check" not in offered
    assert coded.starts is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"report": None, "round": 1}, "The folder holds a draft"),
        ({"report": None, "reviews": True}, "Nobody plays the build. Read your code again"),
        ({"report": None, "builds_only": True}, "See that it starts"),
        ({}, "they pass"),
        (
            {"memory": (Entry("world", "shared", "pitfall", "any", "restart", "it forgets"),)},
            "pitfall, restart: it forgets",
        ),
    ],
)
def test_what_a_model_that_codes_is_told(crew, changes, words):
    with serving(lambda request: {"text": "nothing to do"}) as server:
        crew(server.url).code(view(seeded=(DEFECT,), **changes))
    said = words_of(server.requests[0])
    assert words in said
    assert DEFECT not in said
    assert [one.text for one in rubric_of(GAME).criteria if one.text in said] == []


# --- playing ----------------------------------------------------------------------------------------------------------


class Page:
    """A page that notes what is done to it."""

    def __init__(self, tmp_path):
        self.done, self.folder = [], tmp_path

    def screenshot(self):
        path = self.folder / "page.png"
        Image.new("RGB", (1280, 900), (len(self.done) % 256, 0, 0)).save(path)
        return path.read_bytes()

    def click(self, x, y):
        self.done.append(("click", x, y))

    def key(self, key):
        from games.suite.page import PageFailure

        raise PageFailure("hung", "it hangs")


def played(crew, tmp_path, brain, actions=10):
    page = Page(tmp_path)
    with serving(brain) as server:
        found = crew(server.url, actions=actions).play(
            PlayView(1, "t", GAME, "A car park.", (), page, Build(GAME, (DEFECT,)))
        )
    return found, page, server


def test_a_model_plays_reports_and_remembers(crew, tmp_path):
    found, page, server = played(crew, tmp_path, brain)
    assert page.done == [("click", 640, 450)]
    assert (found.report.outcome, [one.about for one in found.report.findings]) == ("completed", ["bump"])
    assert [(one.owner, one.kind) for one in found.entries] == [("gui-player", "interaction_pattern")]
    assert (found.n_gestures, found.n_calls, len(found.usage)) == (1, 3, 3)
    assert found.screenshot.startswith(b"\x89PNG")
    assert all(pictures_of(request) for request in server.requests)
    said = "\n".join(map(words_of, server.requests))
    code = (tmp_path / "build", Build(GAME, (DEFECT,)).write(tmp_path / "build"))[1] / "games" / PATCH.file
    lines = [line.strip() for line in code.read_text().splitlines() if len(line.strip()) > 30]
    assert len(lines) > 20
    assert [line for line in lines if line in said] == [], "the player is shown no code"
    assert DEFECT not in said
    assert [one.text for one in rubric_of(GAME).criteria if one.text in said] == [], "the player knows no rubric"


def test_a_player_that_does_nothing_readable_comes_to_an_end(crew, tmp_path):
    def useless(request):
        return {"text": "no report" if "Write your report" in words_of(request) else "hm", "actions": [{"name": "fly"}]}

    found, page, server = played(crew, tmp_path, useless, actions=4)
    assert page.done == []
    assert found.report.signals[0] == UNREADABLE
    assert not found.report.accepts
    assert sum("Write your report" in words_of(one) for one in server.requests) == 2
    assert len(server.requests) == 6


def test_a_page_that_hangs_ends_the_play_and_not_the_attempt(crew, tmp_path):
    def presses(request):
        said = words_of(request)
        if "Write your report" in said:
            return {"text": json.dumps({**REPORT, "outcome": "blocked-by-bug", "retries": 2})}
        return {"text": "go", "actions": [{"name": "key", "key": "ArrowUp"}]}

    found, _, server = played(crew, tmp_path, presses)
    assert found.report.outcome == "blocked-by-bug"
    assert "The page does not answer any more" in words_of(server.requests[-1])


def test_a_report_that_breaks_a_rule_is_asked_for_once_more(crew, tmp_path):
    def hasty(request):
        said = words_of(request)
        if "Write your report" in said:
            wrong = {**REPORT, "outcome": "blocked-by-bug", "retries": 0}
            return {"text": json.dumps(REPORT if "could not be read" in said else wrong)}
        return {"text": "enough", "actions": [{"name": "answer", "text": "done"}]}

    found, _, server = played(crew, tmp_path, hasty)
    assert found.report.outcome == "completed"
    assert "blocked-by-bug after 0 retries, wanted 2 or more" in words_of(server.requests[-1])


def test_the_calls_of_a_round_are_counted_where_studies_are_added_up(crew, tmp_path):
    from diag.agents.models.accounting import usage_of_attempt

    found, _, server = played(crew, tmp_path, brain)
    log = tmp_path / "events.jsonl"
    lines = [{"data": {"usage": list(found.usage)}}, {"data": {"usage": {}}}, {"data": {}}]
    log.write_text("\n".join(map(json.dumps, lines)) + "\n")
    used = usage_of_attempt(log)
    assert (used.calls, used.output_tokens) == (3, 21)
    assert used.images == sum(len(pictures_of(request)) for request in server.requests)


@pytest.mark.parametrize("text", ["", "no braces", "{", "}{", "[1]", '{"a": }', '"{}"x'])
def test_what_is_no_object_is_said_so(text):
    data, fault = object_in(text)
    assert data == {}
    assert bool(fault) is (text != '"{}"x')


def test_memories_that_are_none_are_left_out():
    given = [MEMORY, {}, 7, {**MEMORY, "kind": "poem"}, {**MEMORY, "layer": "world"}, {"kind": "pitfall", "about": "x"}]
    assert [one.layer for one in memories_of(given, "game-agent", GAME, "t", 1)] == ["skill", "world"]
    assert list(memories_of("none", "game-agent", GAME, "t", 1)) == []


# --- the whole study --------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_model_goes_through_rounds_on_real_builds_and_its_repair_is_seen_by_the_oracle(diag, tmp_path, monkeypatch):
    from hydra import compose, initialize_config_dir

    from diag.app.setup import prepare
    from diag.config import CONF
    from diag.studies.registry import register

    words = (
        "+experiment=rq8", "agent=local", "agent.model=fake-1", "agent.simulated=true", "tracking=none",
        f"outputs={tmp_path}", "execution.n_jobs=1", "study.games=[truck_escape]", "study.orders=1",
        "study.defects=4", "study.rounds=2", "study.analysis.draws=100", "study.contrasts=[]",
        *(f"~study.arms.{arm}" for arm in ("episode", "skill", "full", "no_gui", "build_only", "direct")),
    )  # fmt: skip
    register()
    with initialize_config_dir(str(CONF), version_base=None):
        (task,) = prepare(compose("config", list(words)), cwd=tmp_path).executor.source.chosen
    assert isinstance(task, Task)
    patches = [defects_of(GAME)[name] for name in task.defects]
    repairs = [("replace_text", {"path": one.file, "find": one.replace, "replace": one.find}) for one in patches]
    repairs = [one for one in repairs if one[1]["find"]]

    def knowing(request):
        said = words_of(request)
        if "You are the game agent" in said and "Report of the playtester" in said:
            done = n_told(request, "written") + n_told(request, "Refused")
            return {"calls": [repairs[done] if done < len(repairs) else FINISH]}
        return brain(request)

    with serving(knowing) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert diag(*words) == 0
    (log,) = tmp_path.rglob("events.jsonl")
    outcome = json.loads((log.parent / "outcome.json").read_text())
    outcome = outcome.get("content", outcome)
    first, last = outcome["details"]["rounds"]
    assert outcome["endpoints"]["n_fixed"] == len(repairs) > 0
    assert (first["share"] < last["share"], outcome["endpoints"]["tokens"] > 0) == (True, True)
    assert re.search("truck", (log.parents[3] / "report.html").read_text())
