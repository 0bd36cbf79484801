"""What the overview says of the arms: the legend on its first screen, and the section Design."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, PRIVILEGE_WORDS, words
from diag.report.alignment import added_lines
from diag.report.arm_changes import (
    BlockRecord,
    Change,
    Started,
    arm_settings,
    is_more_than_text,
    spans,
    written_words,
)
from diag.report.tallies import BlockRow

COHORT_WORDS = {
    "D": "dead end: no move from here completes the level without a restart or undo",
    "N": "solvable: the level can still be completed from here",
    "F": "source failure: the agent's own failed try, restarted",
    "S": "branch state: two legal first actions, one on a shortest path and one costlier",
    "uncertified": "uncertified: nothing is proven of whether it can still be completed",
    "E": "episode: a whole run from the start screen",
}
LEGEND_CHARACTERS = 100
EPISODE = "E"


@dataclass(frozen=True)
class ArmViews:
    """Everything needed to say what an arm changed: the blocks, their records, and what the units started with."""

    files: StudyFiles
    blocks: tuple[BlockRow, ...]
    records: Mapping[str, BlockRecord]
    """Block id -> what was written of it; a block without a file is absent."""
    starts: Mapping[str, Started]
    """Unit id -> what it started with; units that never ran are absent or empty."""

    @property
    def cohorts(self) -> tuple[str, ...]:
        """The study's cohorts in name order."""
        return tuple(sorted({block.cohort for block in self.blocks}))

    def legend(self) -> dict[str, Any]:
        """Return each cohort and each arm in one line."""
        arms = sorted({unit.arm for unit in self.files.plan.units})
        return {
            "cohorts": [(cohort, COHORT_WORDS.get(cohort, "as the study defines it")) for cohort in self.cohorts],
            "arms": [(arm, self._name(arm), self._gist(arm), self.privilege(arm)) for arm in arms],
        }

    def design(self) -> list[dict[str, Any]]:
        """Return each arm with what it changes, cohort by cohort."""
        arms = sorted({unit.arm for unit in self.files.plan.units})
        return [
            {
                "arm": arm,
                "name": self._name(arm),
                "description": self._said(arm, "description"),
                "privilege": self.privilege(arm),
                "n_units": sum(unit.arm == arm for unit in self.files.plan.units),
                "settings": arm_settings(self.files, arm),
                "texts": [self._in_cohort(arm, cohort) for cohort in self.cohorts if self._blocks(arm, cohort)],
            }
            for arm in arms
        ]

    def what_differs(self, design: Sequence[Mapping[str, Any]]) -> str:
        """Return the sentences on what the arms of a block share and what they do not."""
        texts = [text for arm in design for text in arm["texts"]]
        fields = sorted({name for text in texts for name in text["fields"]})
        beside = any(is_more_than_text(self.files, arm["arm"]) and arm["settings"] for arm in design)
        start = "start" if self.cohorts == (EPISODE,) else "restored board and screenshot"
        if beside or set(fields) - {"instruction"}:
            named = f" in the context ({', '.join(fields)})" if fields else ""
            rest = " and in how the unit is run" if named and beside else " in how the unit is run" if beside else ""
            return (
                f"Within a block every arm begins at the same {start}, with the same interface and limits. "
                f"The arms differ{named}{rest}, as listed below for each."
            )
        only = "Only the text below differs." if fields else "No arm changes anything."
        start = "start" if self.cohorts == (EPISODE,) else "restored board, screenshot"
        return f"Within a block every arm starts from the same {start}, history, interface and limits. {only}"

    def ordinary(self) -> str:
        """Return the ordinary instruction: of the first block's file, else as the control's first unit received it."""
        for record in self.records.values():
            return record.instruction
        units = (unit.unit_id for unit in self.files.plan.units if unit.arm == self.files.control)
        return next((found.instruction for unit in units if (found := self._start(unit)).instruction), "")

    def privilege(self, arm: str) -> str:
        """Return an arm's privilege in words."""
        found = self.files.identity("study", "arms", arm, "privilege")
        return PRIVILEGE_WORDS.get(str(found), str(found)) if found is not None else "not recorded"

    def _in_cohort(self, arm: str, cohort: str) -> dict[str, Any]:
        """Return what the arm changes in a cohort: `lines` as text, `quotes` as (what, lines)."""
        blocks = self._blocks(arm, cohort)
        recorded = [(block, self._changes(block, arm)) for block in blocks if block.block_id in self.records]
        by_field: dict[str, list[Change]] = {}
        for _, changes in recorded:
            for change in changes:
                by_field.setdefault(change.field, []).append(change)
        units = [self._start(unit) for block in blocks for unit in block.units[arm]]
        written = written_words((one for found in by_field.values() for one in found), units)
        lines = [spans(found) for name, found in by_field.items() if name != "instruction"]
        quotes = self._quotes(recorded) if recorded else self._quotes_of_logs(arm, blocks)
        fields = {*by_field, *(["memory"] if written else []), *(["instruction"] if quotes and not recorded else [])}
        return {
            "cohort": cohort,
            "lines": [*lines, *([written] if written else [])],
            "quotes": quotes,
            "fields": fields,
            "nothing": "" if fields else self._nothing(arm, cohort, recorded=bool(recorded)),
        }

    def _nothing(self, arm: str, cohort: str, *, recorded: bool) -> str:
        if is_more_than_text(self.files, arm):
            return f"Starts with the ordinary context in cohort {cohort}; the rest is said above."
        return f"Adds nothing in cohort {cohort}." if recorded else f"Adds no text in cohort {cohort}."

    def _quotes(self, recorded: Sequence[tuple[BlockRow, tuple[Change, ...]]]) -> list[tuple[str, tuple[str, ...]]]:
        """Return the text of the first block that has any; others may have other words (their game's rules)."""
        block, changes = next(((b, c) for b, c in recorded if any(one.added or one.removed for one in c)), (None, ()))
        quotes = []
        for change in changes:
            place = f"the {change.field}" + (
                "" if change.field == "instruction" else f" (block {block and block.block_id})"
            )
            quotes += [(f"Removed from {place}", change.removed)] if change.removed else []
            quotes += [(f"Added to {place}", change.added)] if change.added else []
        return quotes

    def _quotes_of_logs(self, arm: str, blocks: Sequence[BlockRow]) -> list[tuple[str, tuple[str, ...]]]:
        """Return what the first block in which the arm and the control ran shows."""
        for block in blocks:
            if self.files.control in block.units:
                own, ordinary = (self._start(block.units[name][0]).instruction for name in (arm, self.files.control))
                if own and ordinary:
                    found = added_lines(ordinary, own)
                    return [("Added to the instruction", found)] if found else []
        return []

    def _gist(self, arm: str) -> str:
        """Return the first characters of the arm's declared text, else of its description."""
        declared = [one.declared.get(arm, "") for one in self.records.values()]
        texts = list(dict.fromkeys(" ".join(text.split()) for text in declared if text.strip()))
        found = f"\u201c{_cut(texts[0])}\u201d" if texts else _cut(self._said(arm, "description"))
        return f"{found} (other words in other blocks)" if len(texts) > 1 else found or DASH

    def _changes(self, block: BlockRow, arm: str) -> tuple[Change, ...]:
        return self.records[block.block_id].changes.get(arm, ())

    def _blocks(self, arm: str, cohort: str) -> tuple[BlockRow, ...]:
        return tuple(block for block in self.blocks if block.cohort == cohort and arm in block.units)

    def _start(self, unit_id: str) -> Started:
        return self.starts.get(unit_id, Started())

    def _name(self, arm: str) -> str:
        return words(self._said(arm, "name"))

    def _said(self, arm: str, what: str) -> str:
        return str(self.files.identity("study", "arms", arm, what) or "")


def _cut(text: str) -> str:
    return textwrap.shorten(text, LEGEND_CHARACTERS, placeholder=" \u2026")
