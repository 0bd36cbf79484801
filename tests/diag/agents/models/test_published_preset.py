"""The published settings of the controlled diagnostics are a preset."""

from pathlib import Path

from hydra import compose, initialize_config_dir

from diag.app.setup import prepare
from diag.studies.registry import register

CONF = Path(__file__).parents[4] / "conf"


def test_the_published_agent_of_rq2_has_medium_effort_at_temperature_0(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    register()
    with initialize_config_dir(str(CONF), version_base=None):
        config = compose("config", ["+experiment=rq2", "agent=published_sol", f"outputs={tmp_path}"])
    identity = prepare(config, cwd=tmp_path).plan.identity["agent"]
    assert (identity["sampling.model"], identity["sampling.temperature"]) == ("gpt-5.6-sol", 0.0)
    assert identity["sampling.reasoning_effort"] == "medium"
    assert identity["continuation_prompts"] == 0
