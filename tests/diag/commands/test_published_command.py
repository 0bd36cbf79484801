"""The published figures: ours, from the counts, beside theirs; the documentation's page is what the command prints."""

from dataclasses import replace
from pathlib import Path

import pytest

from diag.commands import published
from diag.commands.published_rows import MISSING, SIZES, Row, rows, takeover_table

PAGE = Path(__file__).parents[3] / "docs" / "published.md"


@pytest.fixture(scope="module")
def found() -> tuple[Row, ...]:
    return rows()


def test_every_figure_of_ours_rounds_to_theirs(found):
    assert [row.what for row in found if not row.agrees] == []
    assert {row.table.split(",")[0] for row in found} == {"RQ1", "RQ2", "RQ3", "RQ4", "World models", "Playtesting"}


def test_a_figure_that_differs_is_told(found, monkeypatch, capsys):
    wrong = replace(found[0], theirs=(20, 1))
    monkeypatch.setattr(published, "rows", lambda: (wrong, *found[1:]))
    assert published.main([]) == 1
    shown = capsys.readouterr().out
    assert shown.count("DIFFERS") == 1
    assert f"{len(found) - 1} of {len(found)} round" in shown


def test_the_page_is_what_the_command_prints(found):
    assert PAGE.read_text() == published.page(found)


def test_the_table_has_the_published_counts():
    table = takeover_table()
    assert tuple(table[table["arm"] == "A"]["cluster"].value_counts()) == SIZES
    counts = table.groupby("arm")[["timely_restart", "verified_recovery"]].sum()
    assert counts["timely_restart"].to_dict() == {"A": 1, "B": 22, "C": 22}
    assert counts["verified_recovery"].to_dict() == {"A": 8, "B": 23, "C": 22}


def test_p_is_given_over_all_placements_of_the_pairs_that_do_not_change(found):
    """Nine unchanged pairs can fill four levels of two: three levels are left, and the least p is 2 / 2^3."""
    timely, verified = found[:2]
    assert "sign-flip p 0.0156 to 0.0312 (new levels)" in timely.more
    assert "sign-flip p 0.0156 to 0.25 (new levels)" in verified.more


def test_what_cannot_be_reproduced_has_its_reason():
    assert len(MISSING) >= 10
    assert all(one.why and one.theirs for one in MISSING)
