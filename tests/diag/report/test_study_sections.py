"""Each study's report answers its own question: the tables it shows are the ones that its outcomes give."""

import csv
import html
import io
import re
from pathlib import Path

import pandas as pd
import pytest

from diag.app.command_line import main
from diag.reading.study_files import read_study
from diag.report.index_page import write_index
from diag.report.study_sections import study_sections
from diag.studies.registry import kinds

pytestmark = pytest.mark.timeout(600)  # the fixture runs six small studies: seconds alone, minutes on a crowded machine
STEADY = ("skill=1.0", "misclick=0.0", "wander=0.0", "overreach=0.0", "forget=0.0")
STUDIES = {
    "rq3": ("study.sources=[F01]", "study.repeats=2", "study.limits.takeover_s=60"),
    "rq3_followup": ("study.sources=[F01]", "study.limits.takeover_s=60"),
    "rq4": (
        "study.objectives=[truck_escape/default]",
        *(f"agent.policy.propensities.{one}" for one in STEADY),
        "+agent.policy.propensities.lost_without_card=1.0",
    ),
    "rq2_followup": ("study.checkpoints=[D01,N01]", "study.cohorts=[D,N]"),
    "action_branch": ("study.repeats=1", "study.max_units=2"),
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few units of each study, analysed and reported; the RQ3 follow-up by two agents."""
    root = tmp_path_factory.mktemp("outputs")
    for name, words in STUDIES.items():
        for agent in ("sol", "luna") if name == "rq3_followup" else ("sol",):
            arguments = (
                f"+experiment={name}", f"agent=simulated/{agent}", "suite=rules", f"outputs={root}", *words,
                "execution.n_jobs=1", "execution.progress=false", "tracking=none", "study.analysis.draws=100",
            )  # fmt: skip
            assert main([*arguments, "mode=all"]) == 0
    return root


def folder_of(outputs: Path, study: str) -> Path:
    return outputs / study / "simulated-sol-rules"


def section_of(outputs: Path, study: str, anchor: str) -> str:
    """The text of a section, as its reader sees it."""
    found = {one.anchor: one.body for one in study_sections(read_study(folder_of(outputs, study)))}
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[anchor])).split())


def own(outputs: Path, study: str, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder_of(outputs, study) / "tables" / name).read_text())))


def test_every_kind_of_study_has_sections() -> None:
    assert [name for name, kind in kinds().items() if not kind.sections] == []


@pytest.mark.parametrize("study", STUDIES)
def test_the_report_holds_its_sections_and_links_to_each(outputs: Path, study: str) -> None:
    sections = study_sections(read_study(folder_of(outputs, study)))
    page = (folder_of(outputs, study) / "report.html").read_text()
    assert sections
    for one in sections:
        assert f'<h2 id="{one.anchor}">{one.title}</h2>' in page
        assert f'<a href="#{one.anchor}">' in page
        assert str(one.body) in page


def test_every_retry_is_in_one_ending_and_its_texts_are_within_their_capacity(outputs: Path) -> None:
    table = pd.read_csv(folder_of(outputs, "rq3") / "tables" / "outcomes.csv")
    text = section_of(outputs, "rq3", "retry-endings")
    for arm, rows in table.groupby("arm"):
        assert f"{arm} {len(rows)} {int(rows['completion'].sum())} of {len(rows)}" in text
    texts = own(outputs, "rq3", "accounts.csv")
    most = max(int(row["tokens"]) for row in texts if row["arm"] == "M2")
    assert f"M2 {sum(row['arm'] == 'M2' for row in texts)} 240" in section_of(outputs, "rq3", "texts")
    assert f" {most} {most} " in section_of(outputs, "rq3", "texts")


def test_the_accounts_are_counted_by_code_with_what_became_of_them(outputs: Path) -> None:
    coded = [row for row in own(outputs, "rq3", "accounts.csv") if row["blames_execution"]]
    recurred = sum(row["ended"] == "recurrence" for row in coded)
    text = section_of(outputs, "rq3", "accounts")
    assert f"all accounts {len(coded)} of {len(coded)} 100 % {recurred} of {len(coded)}" in text
    assert coded[0]["text"].split("\n")[1][:40] in text


def test_stability_says_how_many_repeated_units_kept_their_ending_or_that_none_was_repeated(outputs: Path) -> None:
    rows = own(outputs, "rq3", "stability.csv")
    text = section_of(outputs, "rq3", "stability")
    assert all(f"{row['arm']} {row['n_repeated']} {row['n_kept']}" in text for row in rows)
    assert "study.repeats=2" in section_of(outputs, "rq3_followup", "stability")


def test_the_cells_of_a_player_that_needs_the_card_show_what_was_planted(outputs: Path) -> None:
    cells = section_of(outputs, "rq4", "cells")
    assert "K0 0.0 % 0.0 % 0.0 % K1 100.0 % 100.0 % 100.0 %" in cells
    contrasts = section_of(outputs, "rq4", "contrasts")
    assert "LC ΔK(P0) 1 +100.0" in contrasts
    assert "interaction 1 0.0" in contrasts


def test_rules_controllers_and_graders_have_their_tables(outputs: Path) -> None:
    knowledge = own(outputs, "rq4", "rule_knowledge.csv")
    text = section_of(outputs, "rq4", "knowledge")
    for arm in ("K0P0", "K1P1"):
        shares = [f"{100 * float(row['share_correct']):.1f} %" for row in knowledge if row["arm"] == arm]
        assert f"{arm} 1 {' '.join(shares)}" in text
    table = pd.read_csv(folder_of(outputs, "rq4") / "tables" / "outcomes.csv").set_index("arm")
    entries, advances = (int(table[f"controller_{name}"]["K1P1"]) for name in ("entries", "advances"))
    assert f"{entries + advances} {entries} {advances} 0" in section_of(outputs, "rq4", "controllers")
    rules = {row["rule"] for row in own(outputs, "rq4", "probes.csv")}
    assert f"{len(rules)} rules" in section_of(outputs, "rq4", "rules")
    assert "Only the fixed matcher has graded" in section_of(outputs, "rq4", "graders")
    n_all = int(table["rules_all_correct_s"].notna().sum())
    last, lc = (100 * table[name].mean() for name in ("rules_last", "lc"))
    assert f"all 4 {last:.1f} % {lc:.1f} % {n_all} of 4" in section_of(outputs, "rq4", "knowledge-lc")
    (one,) = (row for row in own(outputs, "rq4", "rules_over_time.csv") if (row["arm"], row["probe"]) == ("K1P1", "5"))
    assert (one["stated"], one["sessions"]) == (one["also_at_last"], "1")
    assert f"5 1 {one['rules']} {one['stated']} {one['first_stated']}" in section_of(outputs, "rq4", "rules-over-time")


def test_the_agreement_with_a_models_grades_is_shown_once_there_are_some(outputs: Path) -> None:
    path = folder_of(outputs, "rq4") / "tables" / "agreement.csv"
    path.write_text(
        "game,n,n_agree,share,kappa,grader,n_unreadable\nall,40,30,0.75,0.5,openai-x,2\nmaze,4,4,1.0,,x,2\n"
    )
    try:
        text = section_of(outputs, "rq4", "graders")
    finally:
        path.unlink()
    assert "all 40 30 75.0 % 0.500" in text
    assert "maze 4 4 100.0 % undefined" in text
    assert "against openai-x" in text
    assert "2 answers had no readable verdicts" in text


def test_a_takeover_shows_what_followed_each_recovery_and_a_branch_what_it_cost(outputs: Path) -> None:
    table = pd.read_csv(folder_of(outputs, "rq2_followup") / "tables" / "outcomes.csv")
    dead = table[(table["cohort"] == "D") & (table["arm"] == "B")]
    recovered = int(dead["verified_recovery"].sum())
    assert f"D B 1 {recovered} of 1" in section_of(outputs, "rq2_followup", "recurrence")
    branch = pd.read_csv(folder_of(outputs, "action_branch") / "tables" / "outcomes.csv")
    state, extra = branch["checkpoint_id"].iloc[0], int(branch["extra_cost"].max())
    assert f"{state} {int(branch['distance_before'].iloc[0])} {extra}" in section_of(
        outputs, "action_branch", "branches"
    )


def test_one_index_links_to_every_report_and_a_panel_puts_models_beside_each_other(outputs: Path) -> None:
    assert main(["index", str(outputs)]) == 0
    page = (outputs / "index.html").read_text()
    for study in STUDIES:
        assert f'href="{study}/simulated-sol-rules/report.html"' in page
    assert page.count("<strong>SIMULATED</strong>") == 1
    assert page.count("panel.html") == 1
    panel = " ".join(re.sub(r"<[^>]+>", " ", (outputs / "rq3_followup" / "panel.html").read_text()).split())
    page = (outputs / "rq3_followup" / "panel.html").read_text()
    links = re.findall(r'href="([^"#]+report.html)"', page)
    assert links
    assert all((outputs / "rq3_followup" / link).is_file() for link in links)
    legend = page.partition('id="arms"')[2].partition("</ul>")[0]
    assert legend.count("<li>") == 3
    tables = [pd.read_csv(path) for path in (outputs / "rq3_followup").glob("*/tables/outcomes.csv")]
    together = pd.concat(tables)
    counts = [together[together["arm"] == arm]["recurrence"] for arm in ("M0", "M1", "M2")]
    assert f"all models {' '.join(f'{int(found.sum())} of {len(found)}' for found in counts)}" in panel


def test_the_index_leads_nowhere_else_and_says_where_a_report_is_missing(outputs: Path, tmp_path: Path) -> None:
    (written, *_) = write_index(outputs, [folder_of(outputs, "rq3")])
    for link in re.findall(r'href="([^"#]+)', written.read_text()):
        assert link == "data:," or (outputs / link).is_file()
    missing = folder_of(outputs, "rq3") / "report.html"
    moved = missing.rename(tmp_path / "report.html")
    try:
        write_index(outputs, [folder_of(outputs, "rq3")])
        assert "no report" in written.read_text()
    finally:
        moved.rename(missing)


def test_index_wants_one_folder_that_holds_studies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", str(tmp_path)]) == 2
    assert "holds no study" in capsys.readouterr().err
    assert main(["index", "a", "b"]) == 2
    assert "one folder" in capsys.readouterr().err
