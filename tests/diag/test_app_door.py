"""The command line as users type it, in the form that Hydra understands."""

import subprocess
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from diag.app.door import as_hydra_reads
from diag.config import CONF
from diag.errors import ConfigError
from diag.studies.registry import register


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
        ("study.name=1_1_1", "study.name='1_1_1'"),
        ("study.name=0.10,1_0,a", "study.name='0.10','1_0',a"),
        ("study.title=10 runs: 1, 2", "study.title=10 runs: 1,'2'"),
        ("study.seed=1_0", "study.seed=1_0"),
        ("tracking.uri=null", "tracking.uri=null"),
        ("study.cohorts=[D,1e3, null,'5']", "study.cohorts=[D,'1e3', 'null','5']"),
        ("study.contrasts=[{treatment: 1e3, control: NA}]", "study.contrasts=[{treatment: '1e3', control: NA}]"),
        ("++study.arms.NA.name=true", "++study.arms.NA.name='true'"),
        ("agent.model=1_0", "agent.model='1_0'"),
        ("agent.name=null", "agent.name='null'"),
        ("agent.record=null", "agent.record=null"),
        ("agent.temperature=0.10", "agent.temperature=0.10"),
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


@pytest.mark.parametrize(
    "name", ["1_1_1", "0.10", "1_0", "10", "1e3", "null", "true", "nan", "-.5", "1_0.5e1_0", "007"]
)
def test_a_name_is_the_word_as_typed(name):
    register()
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        typed = as_hydra_reads(["+experiment=rq2", "agent=null", f"study.name={name}", f"study.cohorts=[{name}]"])
        study = compose("config", overrides=typed).study
    assert (study.name, list(study.cohorts)) == (name, [name])


REPOSITORY = Path(__file__).parent.parent.parent


@pytest.mark.slow
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
