"""The report says of each arm what it really changed: a history, a memory, a text, who acts first, or nothing."""

import html
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from diag.arms.difference import arm_difference
from diag.arms.text import Text
from diag.records.sealed import write_sealed
from diag.report import StudyFiles, write_report
from diag.report.arm_changes import BlockRecord, Change, Started, spans, started_difference
from diag.report.arm_views import ArmViews
from diag.report.tallies import block_rows
from diag.session.contract import Privilege, PublicContext, Turn
from diag.studies.action_branch.first_action import FirstAction
from diag.studies.retry.memory import Memory


@dataclass(frozen=True)
class HalfPrefix:
    """An outsider's own class: the agent remembers the later half of what it did."""

    name: str = "half_prefix"
    privilege: Privilege = "public_history"
    description: str = "The later half of the history"

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        del cohort
        return replace(context, prefix=context.prefix[len(context.prefix) // 2 :])

    def covers(self, cohort: str) -> bool:
        del cohort
        return True


TURN = Turn(({"name": "click", "x": 1, "y": 2},), 'done\n  "actions": [', "why", None)
BASE = PublicContext(instruction="Finish the level.", prefix=(TURN,) * 26)
FACT = "This board cannot be solved."
ORDINARY = Text("ordinary", {"any": ""})
TEXT = Text("fact", sentences={"D": FACT, "N": FACT}, privilege="evaluator_state")


def record(arms: Mapping[str, Any], cohort: str = "D") -> dict[str, Any]:
    differences = {name: arm_difference(arm, BASE, cohort) for name, arm in arms.items()}
    return {"base_context": asdict(BASE), "by_arm": differences}


def views(files: StudyFiles, arms: Mapping[str, Any], starts: Mapping[str, Started], cohort: str = "D") -> ArmViews:
    """Return the views of the fixture's study as if its arms A, B, C were these; cohort D only."""
    known = {name: {"kind": type(arm).__name__, **vars(arm)} for name, arm in arms.items()}
    identity = {**files.plan.identity, "study": {**files.plan.identity["study"], "arms": known}}
    units = tuple(replace(u, cohort=cohort) for u in files.plan.units if u.cohort == "D" and u.arm in arms)
    found = replace(files, plan=replace(files.plan, identity=identity, units=units))
    blocks = block_rows(found)
    made = BlockRecord.of(record(arms, cohort))
    return ArmViews(found, blocks, {block.block_id: made for block in blocks}, starts)


def test_an_arm_that_halves_the_history_says_from_how_many_turns_to_how_many(files: StudyFiles):
    found = views(files, {"A": ORDINARY, "B": HalfPrefix()}, {})
    control, half = found.design()
    assert control["texts"][0]["nothing"] == "Adds nothing in cohort D."
    assert half["texts"][0]["lines"] == ["prefix: 26 → 13 turns"]
    assert not half["texts"][0]["nothing"]
    said = found.what_differs(found.design())
    assert "differ in the context (prefix)" in said
    assert "Only the text" not in said


def test_the_memory_arms_say_what_becomes_of_the_history_and_how_much_was_written(files: StudyFiles):
    cleared = Memory("none", keeps_history=False, privilege="none")
    written = Memory("native", keeps_history=True, request="Write.", capacity_tokens=240)
    starts = {
        unit.unit_id: Started("Finish the level.", "one two three", "", 12)
        for unit in files.plan.units
        if unit.arm == "B"
    }
    found = views(files, {"A": cleared, "B": written}, starts, cohort="F")
    m0, m1 = found.design()
    assert m0["texts"][0]["lines"] == ["prefix: 26 → 0 turns"]
    assert m1["texts"][0]["lines"] == ["memory, written as the unit started: 0 → 3 words"]
    assert "capacity_tokens = 240" in m1["settings"]
    assert not m0["texts"][0]["nothing"] + m1["texts"][0]["nothing"]


def test_a_text_arm_and_a_placebo_are_what_they_were(files: StudyFiles):
    found = views(files, {"A": ORDINARY, "B": TEXT, "C": Text("placebo", {"any": ""})}, {})
    control, fact, placebo = found.design()
    assert fact["texts"][0]["quotes"] == [("Added to the instruction", (FACT,))]
    assert [one["texts"][0]["nothing"] for one in (control, placebo)] == ["Adds nothing in cohort D."] * 2
    assert found.what_differs(found.design()).endswith("history, interface and limits. Only the text below differs.")


def test_who_acts_first_is_no_text_and_is_not_called_nothing(files: StudyFiles):
    arms = {"A": FirstAction("shortest", "shortest"), "B": FirstAction("costly", "costly")}
    found = views(files, arms, {}, cohort="S")
    assert [arm["settings"] for arm in found.design()] == ["branch = shortest", "branch = costly"]
    assert all("Adds nothing" not in arm["texts"][0]["nothing"] for arm in found.design())
    assert "differ in how the unit is run" in found.what_differs(found.design())


def test_the_legend_has_every_cohort_and_arm_in_a_line(files: StudyFiles):
    long = Text("long", sentences={"D": "word " * 60, "N": "other"}, privilege="evaluator_state")
    legend = views(files, {"A": ORDINARY, "B": long, "C": HalfPrefix()}, {}).legend()
    assert [name for name, _ in legend["cohorts"]] == ["D"]
    gists = {arm: (gist, privilege) for arm, _, gist, privilege in legend["arms"]}
    assert gists["B"][0].startswith("“word word")
    assert len(gists["B"][0]) < 110 + len(" (other words in other blocks)")
    assert gists["B"][1] == "evaluator state"
    assert gists["C"] == ("The later half of the history", "public history")


def test_a_text_is_counted_in_words_and_a_history_in_turns():
    changes = BlockRecord.of(record({"B": HalfPrefix(), "C": TEXT})).changes
    assert changes["B"] == (Change("prefix", 26, 13),)
    assert changes["C"] == (Change("instruction", 3, 8, (FACT,)),)
    assert spans([Change("memory", 0, 40), Change("memory", 0, 61)]) == "memory: 0 → 40 to 61 words"
    assert spans([Change("prefix", 5, 5)]) == "prefix: 5 turns, other content"


@pytest.mark.parametrize(
    ("other", "wanted"),
    [
        (Started("x", "", "", 26), ""),
        (Started("x", "", "", 13), "history: 26 → 13 turns"),
        (Started("x", "a b", "", 26), "memory: 0 → 2 words"),
    ],
)
def test_two_starts_are_compared_beside_the_instruction(other: Started, wanted: str):
    assert started_difference(Started("y", "", "", 26), other) == wanted


def test_the_pages_show_it(copy: Path, files: StudyFiles):
    for block in block_rows(files):
        arms = {"A": ORDINARY, "B": TEXT, "C": HalfPrefix()}
        made = record({arm: arms[arm] for arm in block.units}, block.cohort)
        write_sealed(copy / "blocks" / f"{block.block_id}.json", made)
    report = write_report(copy, with_verdicts=False)
    text, page = _text(report), _text(copy / "comparisons" / "D1-1.html")
    assert text.index("Cohort D : dead end") < text.index("Paired effects Treatment minus")
    assert "In cohort D prefix: 26 → 13 turns." in text
    assert "Added to the instruction in cohort N: " + FACT in text
    assert "prefix: 26 → 13 turns" in page
    assert "(ended)" not in page


def _text(path: Path) -> str:
    raw = re.sub(r"<(style|script|svg)[ >].*?</\1>", " ", path.read_text(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", raw)).split())
