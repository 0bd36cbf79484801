"""The schemas accept the shipped files and name a misspelt key."""

import json
from pathlib import Path

import pytest
import yaml

from diag.app.dispatch import run_command
from diag.commands.schema import schemas
from diag.config import CONF

EXPERIMENTS = sorted((CONF / "experiment").glob("*.yaml"))


@pytest.fixture(scope="module")
def written():
    return schemas()


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_every_shipped_experiment_has_known_keys(path, written):
    data = yaml.safe_load(path.read_text())
    whole = written["experiment"]
    assert set(data) <= set(whole["properties"])
    fitting = [one for one in whole["properties"]["study"]["anyOf"] if set(data["study"]) <= set(one["properties"])]
    assert fitting
    assert all("stduy" not in one["properties"] and one["additionalProperties"] is False for one in fitting)


def test_a_key_has_its_type_its_words_and_its_sentence(written):
    suite = written["experiment"]["properties"]["suite"]["properties"]
    assert suite["browser"]["description"].startswith("False plays the rules without a browser")
    assert suite["browser"]["anyOf"][0] == {"type": "boolean"}
    assert "plan" in written["experiment"]["properties"]["mode"]["enum"]
    limits = written["study_takeover"]["properties"]["limits"]["properties"]
    assert limits["actions"]["anyOf"][-1] == {"type": "null"}


def test_the_command_writes_them(tmp_path, capsys):
    assert run_command("schema", [str(tmp_path / "s")]) == 0
    said = capsys.readouterr().out
    assert f"yaml-language-server: $schema={(tmp_path / 's' / 'experiment.schema.json').as_uri()}" in said
    for path in Path(tmp_path / "s").iterdir():
        assert json.loads(path.read_text())["additionalProperties"] is False
