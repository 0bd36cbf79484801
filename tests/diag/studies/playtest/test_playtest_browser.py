"""A whole study on real builds in Chromium: the scripted playtester, both judges, screenshots in the report."""

import csv
import re

import pytest

from games.suite import browser


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_build_is_played_repaired_and_judged_on_its_page(diag, tmp_path):
    try:
        browser.ensure_driver()
        browser.find()
    except browser.BrowserMissing as error:
        pytest.skip(str(error))
    leave_out = [f"~study.arms.{arm}" for arm in ("episode", "skill", "full", "no_gui", "build_only", "direct")]
    knobs = [f"agent.knobs.{name}={value}" for name, value in (("fixes", 1), ("breaks", 0), ("brings_back", 0))]
    words = ("+experiment=rq8", "tracking=none", f"outputs={tmp_path}", "execution.n_jobs=1", "study.contrasts=[]",
             "study.games=[truck_escape]", "study.orders=1", "study.rounds=3", *leave_out, *knobs)  # fmt: skip
    assert diag(*words) == 0
    (study,) = (tmp_path / "rq8").iterdir()
    with (study / "tables" / "playtest_rounds.csv").open() as file:
        rounds = list(csv.DictReader(file))
    with (study / "tables" / "outcomes.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert len(rounds[0]["failing"].split()) == 4
    assert set(rounds[0]["found"].split()) | set(rounds[0]["missed"].split()) == set(rounds[0]["failing"].split())
    assert rounds[1]["failing"].split() == rounds[0]["missed"].split(), (
        "what it found is repaired, what it missed stays"
    )
    assert (float(row["n_invented"]), row["ending"]) == (0, "accepted" if len(rounds) == 2 else "rounds")
    assert float(row["n_gestures"]) > 50
    assert float(row["judges_agree"]) >= 0.8
    page = (study / "report.html").read_text()
    shown = set(re.findall(r'src="(pictures/\w\w/\w+\.png)"', page))
    assert {f"pictures/{one['picture'][:2]}/{one['picture']}.png" for one in rounds} <= shown
    assert all((study / one).is_file() for one in shown)
