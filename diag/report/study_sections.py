"""What the report of a study shows of its own question, before what all studies share: the sections of its kind."""

from __future__ import annotations

from diag.reading.markup import Section
from diag.reading.study_files import StudyFiles
from diag.studies.registry import kind_of_record


def study_sections(files: StudyFiles) -> tuple[Section, ...]:
    """Return the sections of a study's own question; none without outcomes, or of an unknown kind."""
    if not len(files.valid):
        return ()
    kind = kind_of_record(str(files.identity("study", "kind")))
    shows = () if kind is None else kind.sections
    return tuple(found for show in shows if (found := show(files)) is not None)
