"""What the report of each kind of study shows of its own question, before what all studies share.

A section is a pure function from a study's tables to HTML, or None where the study has nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diag.report.markup import Section
from diag.report.retry_sections import accounts, best_progress, ending_stability, endings_by_memory, written_texts
from diag.report.study_files import StudyFiles
from diag.report.takeover_sections import after_recovery, branches_by_state
from diag.report.workflow_sections import (
    cells,
    contrasts,
    controllers,
    grader_agreement,
    knowledge,
    knowledge_and_completion,
    rule_by_rule,
)

Show = Callable[[StudyFiles], Section | None]
SECTIONS: Mapping[str, tuple[Show, ...]] = {
    "TakeoverStudy": (after_recovery,),
    "PanelTakeoverStudy": (after_recovery,),
    "ActionBranchStudy": (branches_by_state,),
    "RetryStudy": (endings_by_memory, best_progress, written_texts, accounts, ending_stability),
    "WorkflowStudy": (
        cells, contrasts, knowledge, knowledge_and_completion, rule_by_rule, controllers, grader_agreement,
    ),
}  # fmt: skip
"""Kind of study, as its plan names it -> its sections in order."""


def study_sections(files: StudyFiles) -> tuple[Section, ...]:
    """Return the sections of a study's own question; none for a kind of study that has none, or without outcomes."""
    shows = SECTIONS.get(str(files.identity("study", "kind")), ())
    if not len(files.valid):
        return ()
    return tuple(found for show in shows if (found := show(files)) is not None)
