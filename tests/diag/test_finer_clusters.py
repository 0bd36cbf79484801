"""Clusters finer than the design's own are refused unless said twice, and then marked wherever numbers are shown."""

from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["study.cluster=checkpoint"],
            "found 'checkpoint', which takes 36 as independent where the design has 8 (source_level)",
        ),
        (["study.independent=source_level"], "study.independent: found 'source_level'; wanted nothing, or"),
        (["study.cluster=checkpoint", "study.independent=source_level"], "study.independent: found 'source_level'"),
    ],
)
def test_a_finer_cluster_is_refused_unless_it_is_said_again(diag, arguments, capsys, words, told):
    assert diag(*arguments, *words, "mode=plan") == 2
    assert told in capsys.readouterr().err


def test_clusters_that_are_no_finer_need_no_second_word(diag, arguments):
    """Each of the states of an action branch comes from a level of its own."""
    assert (
        diag(
            *(one for one in arguments if "rq2" not in one and "library" not in one),
            "+experiment=action_branch",
            "mode=plan",
        )
        == 0
    )


def test_said_twice_it_runs_and_every_number_is_marked(diag, arguments, capsys, tmp_path: Path):
    words = [*arguments, "study.cohorts=[D]", "study.cluster=checkpoint", "study.independent=checkpoint"]
    assert diag(*words, "study.limits.takeover_s=30", "mode=run") == 0
    assert diag(*words, "study.limits.takeover_s=30", "mode=report") == 0
    assert "FINER: checkpoint is taken as independent, finer than the design's own unit" in capsys.readouterr().out
    folder = tmp_path / "out" / "rq2" / "standin-rules"
    assert "finer than the design" in (folder / "report.html").read_text()
    assert diag("summary", str(folder), "--output", str(tmp_path / "summary")) == 0
    assert "FINER: clusters finer" in capsys.readouterr().out
    assert "FINER checkpoint" in (tmp_path / "summary" / "summary.csv").read_text()
