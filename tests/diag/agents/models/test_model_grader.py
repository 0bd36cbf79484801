"""A model grades rule probes through a live client: verdicts, agreement, refusals to grade, what a second run asks."""

import csv
import json
import re

import pytest
from fake_server import Behaviour, serving, words_of

from diag.records.csv_text import csv_text
from diag.studies.knowledge_workflow.cards import card_of
from diag.studies.knowledge_workflow.model_grades import PROBE_COLUMNS
from diag.studies.knowledge_workflow.probes import grade_answer

MAZE = card_of("maze_paint")
ANSWERS = (
    "The ball rolls until it hits a wall.",
    "You win when all cells are painted.",
    MAZE.text("en"),
    "I do not know the rules yet.",
    "",
)


@pytest.fixture
def study(tmp_path):
    """A study's folder with five probes of one session, as the analysis writes them."""
    folder = tmp_path / "rq4" / "sol"
    rows = [
        {"unit_id": "u", "arm": "K0P0", "game": "maze_paint", "probe": place, "clock_s": 0.0, "status": "answered",
         "rule": rule, "stated": stated, "answer": answer}
        for place, answer in enumerate(ANSWERS, start=1)
        for rule, stated in grade_answer(answer, MAZE, "en").items()
    ]  # fmt: skip
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "probes.csv").write_text(csv_text(PROBE_COLUMNS, rows))
    (folder / "config.yaml").write_text("study: {language: en}\n")
    return folder


def reader(*, contrary=frozenset()):
    """A model that grades by the matcher, but says the contrary of it on some rules."""

    def brain(request):
        words = words_of(request)
        answer = json.loads(f'"{re.search(r"<answer>(.*?)</answer>", words, re.DOTALL)[1]}"').strip()
        verdicts = {rule: held != (rule in contrary) for rule, held in grade_answer(answer, MAZE, "en").items()}
        return {"text": f"Here: {json.dumps(verdicts)}", "actions": None}

    return brain


@pytest.fixture
def grade(diag, study, monkeypatch, capsys):
    def run(brain, *script, words=()):
        with serving(brain, *script) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            code = diag("grade-probes", f"study={study}", "agent=local", "agent.model=fake-1", *words)
        said = capsys.readouterr()
        return code, said.out + said.err, server.requests

    return run


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_a_model_of_the_matchers_mind_agrees_with_it_wholly(grade, study):
    code, said, requests = grade(reader())
    assert code == 0, said
    assert len(requests) == 4  # one a different answer; nothing is asked about the empty one
    assert all("tools" not in request or not request["tools"] for request in requests)
    n = 4 * len(MAZE.rules)
    assert f"all              {n}/{n} agree (100.0%), kappa 1.000" in said
    (in_game, in_all) = rows_of(study / "tables" / "agreement.csv")
    assert (in_game["game"], in_all["game"], in_all["n_unreadable"]) == ("maze_paint", "all", "0")
    exported = rows_of(study / "tables" / "probes-local-fake-1.csv")
    matched = [row for row in rows_of(study / "tables" / "probes.csv") if row["answer"]]
    assert [row["stated"] for row in exported] == [row["stated"] for row in matched]


def test_disagreement_on_one_rule_is_counted_verdict_by_verdict(grade, study):
    code, said, _ = grade(reader(contrary={"goal"}))
    assert code == 0, said
    stated = [row["stated"] == "True" for row in rows_of(study / "tables" / "probes.csv") if row["answer"]]
    n, n_rules = len(stated), len(MAZE.rules)
    assert f"all              {n - 4}/{n} agree" in said
    (row,) = [row for row in rows_of(study / "tables" / "agreement.csv") if row["game"] == "all"]
    model = [row["stated"] == "True" for row in rows_of(study / "tables" / "probes-local-fake-1.csv")]
    p_e = (sum(stated) * sum(model) + (n - sum(stated)) * (n - sum(model))) / n**2
    assert float(row["kappa"]) == pytest.approx((1 - 4 / n - p_e) / (1 - p_e))
    assert n == 4 * n_rules


def test_a_second_run_asks_nothing_again_and_a_stopped_one_goes_on(grade, study):
    code, said, _ = grade(reader(), Behaviour(), Behaviour(), Behaviour("status", status=401))
    assert code != 0
    assert "refuses" in said
    assert len((study / "grades" / "local-fake-1.jsonl").read_text().splitlines()) == 2
    code, said, requests = grade(reader())
    assert (code, len(requests)) == (0, 2)
    code, said, requests = grade(reader())
    assert (code, len(requests)) == (0, 0)
    assert "4 graded before" in said


def test_replies_without_verdicts_are_typed_asked_for_once_more_and_left_out(grade, study):
    code, said, requests = grade(lambda _: {"text": "All of them, I think.", "actions": None})
    assert (code, len(requests)) == (0, 8)
    assert "4 replies held no verdicts" in said
    assert rows_of(study / "tables" / "agreement.csv") == []
    (first, *_) = (study / "grades" / "local-fake-1.jsonl").read_text().splitlines()
    assert "no JSON object" in json.loads(first)["fault"]


def test_what_cannot_be_graded_is_refused_in_one_line(diag, study, tmp_path, capsys):
    assert diag("grade-probes", f"study={tmp_path}", "agent=local", "agent.model=m") == 2
    assert "no tables/probes.csv" in capsys.readouterr().err
    assert diag("grade-probes", f"study={study}", "agent=simulated/sol") == 2
    assert "grade-probes is for model agents" in capsys.readouterr().err
    assert diag("grade-probes", "agent=local", "agent.model=m") == 2
    assert "wants study=FOLDER" in capsys.readouterr().err
    (study / "grades").mkdir()
    (study / "grades" / "local-m.jsonl").write_text("{}\n")
    assert diag("grade-probes", f"study={study}", "agent=local", "agent.model=m") != 0
    assert "grade again" in capsys.readouterr().err
