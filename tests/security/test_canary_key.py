"""A key in the environment reaches the endpoint and nothing else: no record, manifest, report, tracker or message."""

from pathlib import Path

import pytest
from fake_server import Behaviour, serving

CANARY = "sk-canary-7f3a91c2d4"
CALL = (
    '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [1000, 1000]}}</tool_call>'
)


def files_with(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


@pytest.mark.browser
@pytest.mark.filterwarnings("ignore")  # of MLflow's own packages
@pytest.mark.parametrize(
    "script",
    [
        pytest.param([Behaviour("ok")], marks=pytest.mark.slow),
        [Behaviour("status", status=401, body=f'{{"error": {{"message": "bad key {CANARY}"}}}}')],
    ],
)
def test_a_key_is_in_nothing_that_a_study_leaves_behind(study, tmp_path, monkeypatch, capfd, script):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with serving(lambda request: {"text": f"The corner.\n{CALL}"}, *script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code = study(
            "agent=vllm_qwen3vl", "agent.model=fake-1", "agent.simulated=true", f"agent.record={tmp_path / 'record'}",
            "study.max_units=1", "study.limits.takeover_s=4", "tracking.traces=1", "execution.max_attempts=1",
            "mode=all",
        )  # fmt: skip
        assert server.headers[0]["authorization"] == f"Bearer {CANARY}"
    assert (code == 0) == (script[0].kind == "ok")
    if code == 0:
        names = {path.name for path in tmp_path.rglob("*")}
        assert {"manifest.json", "report.html", "mlflow.db", "events.jsonl", "config.yaml", "record"} <= names
    assert files_with(tmp_path, CANARY) == []
    assert files_with(tmp_path, "fake-1"), "the search finds what is there"
    said = capfd.readouterr()
    assert CANARY not in said.out + said.err
