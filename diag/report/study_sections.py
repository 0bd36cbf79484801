"""What the report of a study shows of its own question, before what all studies share: the sections of its kind."""

from __future__ import annotations

from diag.reading.markup import Section
from diag.reading.study_files import StudyFiles
from diag.studies.registry import kind_named


def study_sections(files: StudyFiles) -> tuple[Section, ...]:
    """Return the sections of a study's own question; none for a kind that has none, or without outcomes."""
    if not len(files.valid):
        return ()
    kind = kind_named(str(files.identity("study", "kind")))
    return tuple(found for show in kind.sections if (found := show(files)) is not None)
