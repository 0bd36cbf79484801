"""The reference pages are what the records say, and every study's page has the common outline."""

from pathlib import Path

import pytest

from diag.app.explain import known_keys
from diag.commands.reference import PLACE, pages

REPOSITORY = Path(__file__).parents[2]
OUTLINE = [
    "Question", "Design", "Arms", "Endpoints", "Estimand", "Published figures", "What a simulated run shows", "Limits",
]  # fmt: skip
STUDIES = [page for page in sorted((REPOSITORY / "docs" / "studies").glob("*.md")) if page.name != "index.md"]


@pytest.mark.parametrize("name", pages())
def test_a_page_is_what_the_records_say(name: str) -> None:
    shipped = (REPOSITORY / PLACE / name).read_text()

    assert shipped == pages()[name], "run: python -m diag reference"


def test_the_keys_are_all_there() -> None:
    text = pages()["configuration.md"]

    assert [key for key in known_keys() if not key.endswith("_target_") and f"`{key}`" not in text] == []


@pytest.mark.parametrize("page", STUDIES, ids=lambda page: page.stem)
def test_a_study_has_the_common_outline(page: Path) -> None:
    found = [line.removeprefix("## ") for line in page.read_text().splitlines() if line.startswith("## ")]

    assert [one for one in found if one in OUTLINE] == OUTLINE
