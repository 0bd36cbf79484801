"""What `--help` and `list` say: every experiment, agent and intervention there is, each with a line of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from diag.app.explain import group_options
from diag.app.listing import listing
from diag.config import CONF


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["list"]], ids=" ".join)
def test_every_option_stands_there_with_a_description(
    words: list[str], diag: Callable[..., int], capsys: pytest.CaptureFixture[str]
):
    assert diag(*words) == 0
    described = dict(
        line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if len(line.split(maxsplit=1)) == 2
    )
    for group in ("experiment", "agent", "intervention"):
        for name in group_options(CONF, group):
            assert len(described.get(name, "")) > 10 or name in ("text",), name


def test_help_alone_is_short_and_names_every_mode(diag: Callable[..., int], capsys: pytest.CaptureFixture[str]):
    assert diag("--help") == 0
    said = capsys.readouterr().out
    assert len(said.splitlines()) - len(listing().splitlines()) < 30  # beside a line for every choice
    assert "$" not in said
    for mode in ("plan", "regrade", "analyse", "track", "report", "calibrate"):
        assert mode in said


def test_options_of_ones_own_folder_are_listed_after_the_shipped_ones(
    tmp_path: Path, diag: Callable[..., int], capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "intervention").mkdir()
    (tmp_path / "intervention" / "mine.yaml").write_text("description: One of mine\n")

    assert diag("list", "--config-dir", str(tmp_path)) == 0
    assert "  mine " in capsys.readouterr().out
    assert "One of mine" in listing(tmp_path)
    assert diag("list", "--config-dir", str(tmp_path / "nowhere")) == 2
