"""Agents and arms whose names pandas takes for gaps and YAML for values stand as named everywhere."""

import re

import pytest

from diag.grading.table import read_table

ARMS = ("NA", "null", "nan", "None", "1e3", "true")
AGENTS = ("null", "NA")


OWN = """# @package _global_
# Odd names.
defaults:
  - rq2
{arms}
study:
  name: odd
"""
CONTRASTS = "study.contrasts=[{treatment: null, control: NA},{treatment: 1e3, control: true}]"


@pytest.fixture
def studied(diag, arguments, tmp_path):
    """A study of each of two agents with odd names, two contrasts over odd arms each."""
    own = tmp_path / "conf" / "experiment"
    own.mkdir(parents=True)
    arms = "\n".join(f"  - /intervention@study.arms.{arm}: ordinary" for arm in ARMS)
    (own / "odd.yaml").write_text(OWN.format(arms=arms))
    base = ["+experiment=odd", "--config-dir", str(own.parent), *arguments[4:]]
    left_out = [f"~study.arms.{arm}" for arm in "ABC"]
    for agent in AGENTS:
        words = [
            *base,
            *left_out,
            CONTRASTS,
            "study.cohorts=[N]",
            "study.control=NA",
            "study.max_units=24",
            "agent=null",
        ]
        assert diag(*words, f"agent.name={agent}") == 0
    return tmp_path / "out"


@pytest.mark.slow
def test_odd_names_are_names(diag, studied, capsys):
    folders = [studied / "odd" / f"{agent}-rules" for agent in AGENTS]
    n_blocks = 0
    for agent, folder in zip(AGENTS, folders, strict=True):
        table = read_table(folder / "tables" / "outcomes.csv")
        n_blocks = table["block_id"].nunique()
        assert (set(table["agent"]), set(table["arm"])) == ({agent}, set(ARMS))
        page = (folder / "report.html").read_text(encoding="utf-8")
        assert all(re.search(rf'class="chip"[^>]*>{arm}</span>', page) for arm in ARMS)
    capsys.readouterr()
    assert diag("panel", "study=odd", f"outputs={studied}", f"csv={studied / 'panel.csv'}") == 0
    panel = capsys.readouterr().out
    assert f"odd: 2 models ({', '.join(sorted(folder.name for folder in folders))})" in panel
    assert set(re.findall(r"same_level_win +N (\S+) +n +(\d+)", panel)) >= {
        ("null-NA", str(2 * n_blocks)), ("1e3-true", str(2 * n_blocks)),
    }  # fmt: skip
    assert {line.split(",")[0] for line in (studied / "panel.csv").read_text().splitlines()[1:]} == set(AGENTS)
    assert diag("compare", *map(str, folders[:2]), f"--json={studied / 'c.json'}") == 0
    compared = (studied / "c.json").read_text()
    assert set(re.findall(r'"n_pairs": (\d+)', compared)) == {str(n_blocks)}
