"""The command line as users type it, in the form that Hydra understands."""

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
    ],
)
def test_option_names_stay_names_and_values_stay_values(typed, read):
    assert as_hydra_reads([typed]) == [read]


def test_options_come_first():
    assert as_hydra_reads(["a=1", "--config-dir", "x", "-m", "b=2"]) == ["--config-dir", "x", "-m", "a=1", "b=2"]


def test_a_bare_word_is_told_what_there_is():
    with pytest.raises(ConfigError, match=r"found 'lsit', wanted key=value, or first a command: list, "):
        as_hydra_reads(["lsit"])
