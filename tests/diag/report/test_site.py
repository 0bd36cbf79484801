"""The report's HTML: every number it owes its reader, no agent's text taken for markup, no outside address."""

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from study_on_disk import StudyOnDisk, write_study

from diag.errors import CorruptRecord
from diag.reading.style import MINUS, p_value, signed, words
from diag.report import read_study, site, write_report


def _text(path: Path) -> str:
    raw = re.sub(r"<(style|script|svg)[ >].*?</\1>", " ", path.read_text(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", raw)).split())


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.n_scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.n_scripts += tag == "script"
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def _links(path: Path) -> _Links:
    parser = _Links()
    parser.feed(path.read_text())
    return parser


def test_every_effect_is_there_with_all_its_numbers(study: StudyOnDisk, report: Path):
    text = _text(report)
    assert len(study.effects) >= 6
    for effect in study.effects:
        contrast = f"{effect['cohort']} {effect['treatment']} {MINUS} {effect['control']}"
        row = f"{contrast} {words(effect['outcome'])} {effect['n_pairs']}"
        start = text.index(row)
        after = text[start : start + 260]
        assert signed(effect["estimate"], 1, 100) in after
        assert f" {effect['up']} {effect['down']} " in after
        for name in ("percentile", "cr2"):
            low, high = effect[name]["low"], effect[name]["high"]
            wanted = "cannot say" if low is None else f"[{signed(low, 1, 100)}, {signed(high, 1, 100)}]"
            assert wanted in after, (row, name)
        if effect["loo_low"] is not None:
            assert f"{signed(effect['loo_low'], 1, 100)} to {signed(effect['loo_high'], 1, 100)}" in after
        assert p_value(effect["sign_flip_p"]) in after
        assert effect["sentence"] in text


def test_what_a_percentile_interval_covers_is_said_where_one_is_printed(report: Path):
    assert "a percentile interval covers" not in _text(report)  # three clusters have none


def test_counts_by_arm_have_their_denominators(study: StudyOnDisk, report: Path):
    text = _text(report)
    for arm in "ABC":
        rows = study.outcomes[(study.outcomes["cohort"] == "D") & (study.outcomes["arm"] == arm)]
        assert f"{int(rows['timely_restart'].sum())} of {len(rows)}" in text
    assert "26 of 27 planned" in text
    assert "Incomplete blocks 1" in text
    assert "N1-3-B-r1 infrastructure (browser)" in text


def test_the_arms_show_their_exact_texts_and_privilege(report: Path):
    text = _text(report)
    assert "No legal relocation remains on this board. The button labelled Restart resets the level." in text
    assert "This board can still be solved." in text
    assert "Privilege: evaluator state" in text


def test_a_simulated_agent_is_labelled_on_every_page(report: Path):
    pages = [report, *report.parent.glob("continuations/*.html"), *report.parent.glob("comparisons/*.html")]
    assert len(pages) == 1 + 27 + 10
    assert all("SIMULATED" in page.read_text() for page in pages)


def test_an_oracle_is_labelled(copy: Path):
    path = copy / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "agent": {"privilege": "solver_oracle"}}))
    assert "ORACLE" in _text(write_report(copy, with_verdicts=False))


def test_hostile_text_stays_text(study: StudyOnDisk, report: Path):
    page = report.parent / "continuations" / "D1-1-A-r1.html"
    assert study.hostile_reason in _text(page)
    assert "<script>document" not in page.read_text()
    assert _links(page).n_scripts == 1
    assert _links(report).n_scripts == 1


def test_no_page_reaches_outside_its_folder(report: Path):
    for page in [report, *report.parent.glob("continuations/*.html"), *report.parent.glob("comparisons/*.html")]:
        for link in _links(page).found:
            assert not re.match(r"[a-z]+:|//|/", link) or link == "data:,", (page.name, link)
    assert not re.search(r"url\((?!#)", (report.parent / "assets" / "report.css").read_text())


def test_every_link_leads_somewhere(report: Path):
    for page in [report, *report.parent.glob("continuations/*.html"), *report.parent.glob("comparisons/*.html")]:
        ids = set(re.findall(r'\bid="([^"]+)"', page.read_text()))
        for link in _links(page).found:
            target, _, anchor = link.partition("#")
            if link == "data:,":
                continue
            assert not target or (page.parent / target).is_file(), (page.name, link)
            assert target or anchor in ids, (page.name, link)


def test_pictures_are_referenced_and_lazy_never_embedded(study: StudyOnDisk, report: Path):
    page = (report.parent / "continuations" / "D1-1-B-r1.html").read_text()
    assert len(page) < 60_000
    assert "data:image" not in page
    shots = re.findall(r'<img data-shot loading="lazy"[^>]+src="\.\./pictures/(..)/([0-9a-f]{64})\.png"', page)
    assert shots
    assert all((study.folder / "pictures" / a / f"{b}.png").is_file() for a, b in shots)


def test_damaged_and_missing_pictures_are_named_in_their_place_and_on_the_overview(copy: Path):
    pictures = sorted((copy / "pictures").glob("*/*.png"))
    write_report(copy, with_verdicts=False)
    assert 'id="pictures"' not in (copy / "report.html").read_text()
    for picture in pictures[1:]:
        picture.write_bytes(b"")
    pictures[0].unlink()
    text = write_report(copy, with_verdicts=False).read_text()
    assert f"{len(pictures)} of the {len(pictures)} pictures" in text
    assert f"{pictures[0].stem}: missing" in text
    assert all(f"{picture.stem}: damaged" in text for picture in pictures[1:])
    page = (copy / "continuations" / "D1-1-B-r1.html").read_text()
    assert page.count("is damaged: its bytes are not") + page.count("is not in the folder") == page.count('id="step-')
    assert "../pictures/" not in page


def test_what_is_shown_and_not_sealed_is_marked_and_a_broken_seal_refused(copy: Path):
    from diag.records.sealed import sealed_text, write_sealed

    assert (
        "Not sealed: manifest.json, config.yaml, tables/outcomes.csv"
        in write_report(copy, with_verdicts=False).read_text()
    )
    write_sealed(copy / "manifest.json", {"code": {"commit": "0123abcd"}, "python": "3.12.1"})
    (copy / "config.yaml").write_text(sealed_text("study:\n  title: Dead-end takeover\n"))
    text = write_report(copy, with_verdicts=False).read_text()
    assert "Not sealed: tables/outcomes.csv." in text
    assert "0123abcd" in text
    for name, old, new in (("manifest.json", "3.12.1", "3.99.9"), ("config.yaml", "Dead-end", "Dread-end")):
        good = (copy / name).read_text()
        (copy / name).write_text(good.replace(old, new))
        with pytest.raises(CorruptRecord, match=name):
            write_report(copy, with_verdicts=False)
        (copy / name).write_text(good)


def test_a_unit_that_never_ran_has_a_page_that_says_so(copy: Path):
    import shutil

    shutil.rmtree(copy / "units" / "D1-2-B-r1")
    table = copy / "tables" / "outcomes.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "D1-2-B-r1" not in line) + "\n")
    write_report(copy, with_verdicts=False)
    text = _text(copy / "continuations" / "D1-2-B-r1.html")
    assert "never run" in text
    assert "no recorded continuation" in text


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_one_damaged_byte_in_a_log_is_refused(copy: Path, monkeypatch: pytest.MonkeyPatch, n_jobs: int):
    monkeypatch.setattr(site, "BLOCKS_PER_PROCESS", 2)
    log = copy / "units" / "D1-1-B-r1" / "attempt-1" / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b"click done", b"click dome", 1))
    with pytest.raises(CorruptRecord, match="line"):
        write_report(copy, with_verdicts=False, n_jobs=n_jobs)


def test_one_damaged_byte_in_the_plan_is_refused(copy: Path):
    plan = copy / "plan.json"
    plan.write_text(plan.read_text().replace('"repeat": 1', '"repeat": 2', 1))
    with pytest.raises(CorruptRecord, match="hash"):
        read_study(copy)


def test_a_study_without_tables_names_the_mode(copy: Path):
    (copy / "tables" / "outcomes.csv").unlink()
    with pytest.raises(CorruptRecord, match="mode=analyse"):
        read_study(copy)


def test_a_table_that_is_not_the_sealed_one_is_refused(copy: Path):
    from diag.records.sealed import file_sha256, write_sealed

    tables = copy / "tables"
    digests = {name: file_sha256(tables / name) for name in ("outcomes.csv", "effects.json")}
    write_sealed(tables / "analysis.json", {"tables": digests})
    read_study(copy)
    table = tables / "outcomes.csv"
    table.write_text(table.read_text().replace("stopped", "stoppee", 1))
    with pytest.raises(CorruptRecord, match="not what the analysis wrote"):
        read_study(copy)


def test_a_study_that_was_not_analysed_is_still_reported(copy: Path):
    (copy / "tables" / "effects.json").unlink()
    text = _text(write_report(copy, with_verdicts=False))
    assert "has not been analysed" in text
    assert "Outcomes by arm" in text


def test_equal_files_give_an_equal_report(study: StudyOnDisk, copy: Path, report: Path):
    write_report(copy, with_verdicts=False)
    for name in ("report.html", "figures/forest.svg", "continuations/D1-1-A-r1.html", "comparisons/D1-1.html"):
        assert (copy / name).read_bytes() == (study.folder / name).read_bytes(), name


def test_one_cluster_says_what_it_cannot_say(tmp_path: Path):
    study = write_study(tmp_path / "outputs" / "rq2" / "sol", level_blocks=(4,), n_blocks_n=0)
    text = _text(write_report(study.folder, with_verdicts=False))
    assert "cannot say" in text
    assert "no interval can be given" in (study.folder / "figures" / "forest.svg").read_text()


def test_two_processes_write_the_same_pages_as_one(report: Path, copy: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(site, "BLOCKS_PER_PROCESS", 2)
    for page in copy.rglob("*.html"):
        page.unlink()
    write_report(copy, with_verdicts=False, n_jobs=2)
    pages = {path.relative_to(copy): path.read_bytes() for path in copy.rglob("*.html")}
    assert pages == {path.relative_to(report.parent): path.read_bytes() for path in report.parent.rglob("*.html")}
    assert len(pages) == 1 + 27 + 10
