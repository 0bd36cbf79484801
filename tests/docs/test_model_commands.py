"""Every study command that a page gives for a model plans: nothing of ours refuses what a page tells people to type."""

import re
import shlex
from pathlib import Path

import pytest

from diag.app.command_line import main

REPOSITORY = Path(__file__).parents[2]
COMMAND = re.compile(r"python -m diag (\+experiment=\w+ [^`\n|]*\.model=(?:NAME|MODEL)\b[^`\n|]*)")
PAGES = sorted((REPOSITORY / "docs").rglob("*.md"))


def model_commands() -> list[tuple[str, str]]:
    """Return (page, words) of each `python -m diag +experiment=... agent.model=NAME`, up to its comment."""
    return [
        (page.relative_to(REPOSITORY).as_posix(), re.split(r" #|\s{3,}", found)[0].strip())
        for page in PAGES
        for found in re.findall(
            r"python -m diag (\+experiment=\w+ [^`\n|]*\.model=(?:NAME|MODEL)\b[^`\n|]*)", page.read_text()
        )
    ]


FOUND = list(dict.fromkeys(model_commands()))


def test_the_pages_hold_such_commands() -> None:
    studies = {words.split()[0] for _, words in FOUND}
    assert {"+experiment=rq2", "+experiment=rq5", "+experiment=rq6", "+experiment=rq7", "+experiment=rq8"} <= studies


@pytest.mark.parametrize(("page", "text"), FOUND, ids=lambda value: value if value.endswith(".md") else value[:60])
def test_it_plans(
    page: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(key, "not-needed")
    code = main([*shlex.split(text), "mode=plan", f"outputs={tmp_path}", "execution.progress=false"])
    assert code == 0, f"{page}: {capsys.readouterr().err}"
    assert len(list(tmp_path.rglob("plan.json"))) == 1
