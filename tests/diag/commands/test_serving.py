"""Contrasts among pairs that one serving endpoint answered, counted by hand."""

from diag.commands.serving import Served, lines_of, served_by
from diag.records import Event


def unit(block, arm, served, timely, cohort="D"):
    return Served(cohort, (block, 1), arm, served, {"timely_restart": timely, "restart_s": 5.0 if timely else None})


def decision(endpoint):
    return Event(0, "decision", 1.0, 1.0, "2026-01-01T00:00:00", {"usage": {"endpoint": endpoint}})


def test_pairs_that_share_an_endpoint_and_those_that_span_two():
    units = [
        unit("1", "A", "x", False), unit("1", "B", "x", True),
        unit("2", "A", "y", False), unit("2", "B", "y", True),
        unit("3", "A", "y", True), unit("3", "B", "y", True),
        unit("4", "A", "x", False), unit("4", "B", "y", True),  # spans
        unit("5", "A", None, False), unit("5", "B", None, True),  # several addresses answered: shares nothing
        unit("6", "A", "x", False),  # no B
        unit("7", "A", "x", False, cohort="N"), unit("7", "B", "x", False, cohort="N"),
    ]  # fmt: skip
    found = {(one["cohort"], one["endpoint"], one["served_by"]): one for one in lines_of(units, {"D": [("B", "A")]})}
    line = {"cohort": "D", "contrast": "B-A", "endpoint": "timely_restart", "spanning": 2}
    assert found["D", "timely_restart", "shared"] == {
        **line, "served_by": "shared", "pairs": 3, "control": 1.0, "treatment": 3.0, "up": 2, "down": 0
    }  # fmt: skip
    assert found["D", "timely_restart", "x"]["pairs"] == 1
    assert (found["D", "timely_restart", "y"]["control"], found["D", "timely_restart", "y"]["up"]) == (1.0, 1)
    assert found["D", "restart_s", "shared"]["pairs"] == 1  # an endpoint that one side has not is no pair


def test_an_attempt_is_served_by_one_endpoint_or_by_none():
    assert served_by([decision("x"), decision("x")]) == "x"
    assert served_by([decision("x"), decision("y")]) is None
    assert served_by([Event(0, "decision", 1.0, 1.0, "2026-01-01T00:00:00", {"usage": {}})]) is None


def test_a_study_without_a_model_is_refused_in_one_line(diag, library_folder, tmp_path, capsys):
    words = ("+experiment=rq2", "agent=null", "suite=rules", f"outputs={tmp_path}", f"catalog.library={library_folder}",
             "execution.n_jobs=1", "execution.progress=false", "tracking=none", "mode=run",
             "study.max_units=1")  # fmt: skip
    diag(*words)
    (study,) = (tmp_path / "rq2").iterdir()
    capsys.readouterr()
    assert diag("serving", str(study)) != 0
    assert "no decision names the endpoint" in capsys.readouterr().err
