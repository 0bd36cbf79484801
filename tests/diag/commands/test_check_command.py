"""`python -m diag check`: a good file is planned and played, a wrong one is named with its reason, nothing stays."""

import pytest

from diag.app.dispatch import run_command
from diag.errors import ConfigError

MINE = "# @package _global_\ndefaults:\n  - rq2\nstudy:\n  name: mine\n"
KIND = "defaults:\n  - text\nname: kind\nsentences:\n  {cohort}: Be kind.\n"


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            path = tmp_path / "conf" / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".yaml").write_text(text)
        return tmp_path / "conf"

    return write


@pytest.mark.slow
def test_every_file_has_a_line_and_the_exit_code_tells(own, tmp_path, capsys):
    own(
        experiment__mine=MINE,
        experiment__wrong=MINE.replace("name:", "nmae:"),
        intervention__kind=KIND.format(cohort="any"),
        intervention__lost=KIND.format(cohort="Q"),
        agent__broken="a: [1\n",
        sweets__x="a: 1\n",
    )
    assert run_command("check", []) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("BAD   agent/broken.yaml: ")
    assert "line 2" in lines[0]
    assert lines[1] == "good  experiment/mine.yaml: 96 units planned, 2 ran on the rules"
    assert lines[2].startswith("BAD   experiment/wrong.yaml: unknown key 'study.nmae'")
    assert lines[3] == "good  intervention/kind.yaml: as an arm of rq2; 132 units planned, 2 ran on the rules"
    assert "kind covers none of D, N" in lines[4]
    assert lines[5].startswith("BAD   sweets/x.yaml: found the group 'sweets', wanted one of agent, ")
    assert lines[6].startswith("2 of 6 files are good")
    assert [path.name for path in tmp_path.iterdir()] == ["conf"]


def test_a_folder_without_options_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"found no GROUP/NAME\.yaml in it, wanted a folder as for --config-dir"):
        run_command("check", [str(tmp_path)])
