"""A folder conf/ where the user stands holds options of their own; one that would be hidden is refused."""

import pytest

from diag.app.command_line import main
from diag.config.own import with_own_conf

MINE = "# @package _global_\n# my own question\ndefaults:\n  - rq2\nstudy:\n  name: mine\n"


@pytest.fixture
def own(tmp_path, monkeypatch):
    folder = tmp_path / "conf" / "experiment"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "conf"


def test_it_is_found_and_listed(own, capsys):
    assert main(["+experiment=mine", "suite=rules", "mode=plan", "tracking=none", "outputs=here"]) == 0
    assert (own.parent / "here" / "mine" / "simulated-sol-rules" / "plan.json").is_file()
    assert main(["list"]) == 0
    assert "mine" in capsys.readouterr().out


def test_a_folder_that_is_named_comes_in_its_place(own, tmp_path):
    assert with_own_conf(["--config-dir", "other", "+experiment=x"], tmp_path) == [
        "--config-dir",
        "other",
        "+experiment=x",
    ]
    assert with_own_conf(["+experiment=x"], tmp_path) == ["--config-dir", str(own), "+experiment=x"]


@pytest.mark.parametrize("words", [[], ["--config-dir=conf"], ["-cd", "conf"]])
def test_a_name_that_is_shipped_is_refused(own, words, capsys):
    (own / "experiment" / "rq2.yaml").write_text(MINE)
    assert main([*words, "+experiment=rq2", "mode=plan"]) == 2
    assert "wanted a name of its own, as in experiment/my_rq2.yaml" in capsys.readouterr().err
