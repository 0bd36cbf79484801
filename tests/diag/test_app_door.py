"""The command line as users type it, in the form that Hydra understands."""

import subprocess
from pathlib import Path

import pytest

from diag.app.door import as_hydra_reads
from diag.errors import ConfigError


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("agent=null", "agent='null'"),
        ("agent=simulated/sol,null", "agent=simulated/sol,'null'"),
        ("agent=5", "agent='5'"),
        ("+intervention@study.arms.D=true", "+intervention@study.arms.D='true'"),
        ("agent=nullable", "agent=nullable"),
        ("agent='null'", "agent='null'"),
        ("agent.policy=null", "agent.policy=null"),
        ("study.limits.actions=null", "study.limits.actions=null"),
        ("catalog.levels=null", "catalog.levels=null"),
        ("outputs=/a/Mein Ordner", "outputs='/a/Mein Ordner'"),
        ("outputs=1e3", "outputs='1e3'"),
        ("study.title=it's", "study.title='it\\'s'"),
        ("study.cohorts=[D,N]", "study.cohorts=[D,N]"),
        ("study.sources=[ä b,c]", "study.sources=['ä b','c']"),
        ("agent=${oc.env:A}", "agent=${oc.env:A}"),
    ],
)
def test_option_names_stay_names_and_values_stay_values(typed, read):
    assert as_hydra_reads([typed]) == [read]


def test_options_come_first():
    assert as_hydra_reads(["a=1", "--config-dir", "x", "-m", "b=2"]) == ["--config-dir", "x", "-m", "a=1", "b=2"]


def test_a_bare_word_is_told_what_there_is():
    with pytest.raises(ConfigError, match=r"found 'lsit', wanted key=value, or first a command: list, "):
        as_hydra_reads(["lsit"])


REPOSITORY = Path(__file__).parent.parent.parent


@pytest.mark.skipif(not (REPOSITORY / ".venv" / ".ok").is_file(), reason="diag.sh would set .venv up first")
def test_diag_sh_keeps_the_callers_folder_through_a_link(tmp_path):
    own = tmp_path / "mein conf" / "experiment"
    own.mkdir(parents=True)
    (own / "mine.yaml").write_text("# My own question.\n")
    (tmp_path / "link.sh").symlink_to(REPOSITORY / "diag.sh")
    listed = subprocess.run(
        ["./link.sh", "list", "--config-dir", "mein conf"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "My own question." in listed.stdout, listed.stderr
    refused = subprocess.run(["./link.sh", "lits"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "did you mean list?" in refused.stderr
