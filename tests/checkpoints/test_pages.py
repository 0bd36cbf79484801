"""States of somebody else's page: read on the evaluator's side, reached twice, and handed over like any checkpoint."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from checkpoints.pages import UnsteadyPage, harvest
from checkpoints.store import load_library
from diag.app.command_line import main
from games.suite.page import PageFailure
from games.web import Web
from games.web.adapter import AdapterError

HERE = Path(__file__).parent
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
    report = (sliding.parent.parent / "outputs/web/greedy/report.html").read_text()
    assert "nothing is proven of whether it can still be completed" in report
