"""A study with more blocks than an overview has room for: pages of blocks, each unit on one of them, nothing twice."""

import re
from pathlib import Path

import pytest
from study_on_disk import StudyOnDisk

from diag.report import block_lists, write_report


@pytest.fixture
def paged(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the report of a study of ten blocks where only four have room on a page."""
    monkeypatch.setattr(block_lists, "ON_THE_OVERVIEW", 9)
    monkeypatch.setattr(block_lists, "PER_PAGE", 4)
    return write_report(copy, with_verdicts=False)


def pages_of(report: Path) -> list[Path]:
    return sorted(report.parent.glob("lists/*.html"))


def cells(page: Path) -> list[str]:
    return re.findall(r'class="cell [a-z]+"[^>]* href="(?:\.\./)?continuations/([^"]+)\.html"', page.read_text())


def test_a_small_study_is_whole_on_its_overview(study: StudyOnDisk, report: Path):
    assert pages_of(report) == []
    assert sorted(cells(report)) == sorted(unit["unit_id"] for unit in study.units)


def test_every_unit_is_on_exactly_one_page(study: StudyOnDisk, paged: Path):
    pages = pages_of(paged)
    assert [page.name for page in pages] == ["1.html", "2.html", "3.html"]
    assert cells(paged) == []
    found = [unit for page in pages for unit in cells(page)]
    assert sorted(found) == sorted(unit["unit_id"] for unit in study.units)


def test_every_link_of_a_page_leads_somewhere(paged: Path):
    for page in [paged, *pages_of(paged)]:
        for link in re.findall(r'(?:href|src)="([^"#:]+)[#"]', page.read_text()):
            assert (page.parent / link).is_file(), (page.name, link)


def test_each_page_says_whose_numbers_these_are(paged: Path):
    assert all("SIMULATED" in page.read_text() for page in pages_of(paged))


def test_counts_stay_on_the_overview_and_pairs_move(report: Path, paged: Path):
    counts = r"<th>timely restart</th>(?:<td class=\"n\">\d+</td>){5}"
    assert re.findall(counts, paged.read_text()) == re.findall(counts, report.read_text())
    pair = r"<td>[01\u2013] → [01\u2013]"
    whole = len(re.findall(pair, report.read_text()))
    assert whole
    assert not re.findall(pair, paged.read_text())
    assert sum(len(re.findall(pair, page.read_text())) for page in pages_of(paged)) == whole


def test_an_incomplete_block_is_counted_on_the_overview_and_named_on_its_page(paged: Path):
    assert "1 of 10 blocks, named on the pages" in re.sub(r"\s+", " ", paged.read_text())
    naming = [page.name for page in pages_of(paged) if "infrastructure (browser)" in page.read_text()]
    assert naming == ["3.html"]


def test_pages_of_an_earlier_and_larger_report_go(paged: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(block_lists, "ON_THE_OVERVIEW", 300)
    stray = paged.parent / "continuations" / "gone.html"
    stray.write_text("of a plan that was replaced")
    write_report(paged.parent, with_verdicts=False)
    assert pages_of(paged) == []
    assert not stray.exists()
