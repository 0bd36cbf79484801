"""The page of questions quotes the program's errors as users meet them."""

from pathlib import Path

import pytest

from diag.app.command_line import main

REPOSITORY = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (["+experiment=rq9"], "no experiment 'rq9'; wanted one of"),
        (["+experiment=rq2", "study.repeat=2"], "unknown key 'study.repeat'; did you mean 'study.repeats'?"),
        (["summary", "NOWHERE"], "holds no study: wanted a plan.json in it"),
    ],
)
def test_the_questions_quote_errors_as_users_meet_them(
    words: list[str], quoted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2

    assert quoted in capsys.readouterr().err
    assert quoted in (REPOSITORY / "docs" / "how-to" / "faq.md").read_text()


@pytest.mark.parametrize("quoted", ["holds another study: ", "is being run by ", "is not what the analysis wrote"])
def test_the_questions_quote_messages_that_the_program_has(quoted: str) -> None:
    sources = "".join(path.read_text() for path in (REPOSITORY / "diag").rglob("*.py"))

    assert quoted in sources
    assert quoted in (REPOSITORY / "docs" / "how-to" / "faq.md").read_text()
