"""A text key of a YAML file of one's own keeps the word as typed, whatever value YAML would make of it."""

import io

from hydra import compose, initialize_config_dir

from diag.agents.models.pricing import load_price
from diag.config import CONF
from diag.config.words import load_words
from diag.studies.registry import register

WORDS = (
    "0.10",
    "1_0",
    "1e5",
    "0x1F",
    "0o7",
    "010",
    "1:30",
    ".5",
    "on",
    "Yes",
    "~",
    "null",
    "nan",
    ".inf",
    "2026-01-01",
    "=",
    "=1",
)
EXPERIMENT = """# @package _global_
defaults:
  - rq2
  - /intervention@study.arms.Z: 0.10
study:
  name: 0.10
  title: on
  cohorts: [{items}]
  contrasts: [{contrasts}]
  analysis: {{planned_rates: {{1_0: 1e-1}}, draws: 1_0}}
"""
ARM = "_target_: diag.arms.Text\nname: 0x1F\nsentences: {{{pairs}, any: {{en: Yes, zh: ~}}}}\n"
AGENT = "defaults: [local]\nmodel: 1e5\nname: null\nseed: 1_0\nclient: {{base_url: ~}}\n"


def test_names_in_files_are_the_words_as_typed(tmp_path):
    for place, text in (("experiment/odd", EXPERIMENT), ("intervention/0.10", ARM), ("agent/1_0", AGENT)):
        path = tmp_path / f"{place}.yaml"
        path.parent.mkdir()
        pairs = ", ".join(f"{word}: {word}" for word in WORDS)
        contrasts = ", ".join(f"{{treatment: {word}, control: {word}}}" for word in WORDS)
        path.write_text(text.format(items=", ".join(WORDS), pairs=pairs, contrasts=contrasts))
    register()
    with initialize_config_dir(str(CONF), version_base="1.3"):
        found = compose("config", ["+experiment=odd", "agent='1_0'", f"hydra.searchpath=[file://{tmp_path}]"])
    study, agent = found.study, found.agent
    assert (study.name, study.title, tuple(study.cohorts)) == ("0.10", "on", WORDS)
    assert [(one.treatment, one.control) for one in study.contrasts] == [(word, word) for word in WORDS]
    assert (study.analysis.planned_rates, study.analysis.draws) == ({"1_0": 0.1}, 10)
    assert study.arms.Z.name == "0x1F"
    assert study.arms.Z.sentences == {**{word: word for word in WORDS}, "any": {"en": "Yes", "zh": "~"}}
    assert (agent.model, agent.name, agent.seed, agent.client.base_url) == ("1e5", "null", 10, None)


def test_models_of_a_price_table_keep_their_names(tmp_path):
    table = tmp_path / "prices.yaml"
    table.write_text("currency: NO\nmodels:\n  1.10: {input: 1_0, output: 2}\n  on: {input: 1, output: 2}\n")
    assert load_price(table, "1.10").input == 10
    assert load_price(table, "on").currency == "NO"


def test_values_stay_values_and_merges_merge():
    found = load_words(io.StringIO("a: &a {1: on, n: ~}\nb: {<<: *a, x: 0x1F}"), text_keys={"b.x": False})
    assert found == {"a": {"1": True, "n": None}, "b": {"1": True, "n": None, "x": "0x1F"}}
