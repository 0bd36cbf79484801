"""What the report of a study shows of its own question, before what all studies share: the sections of its kind."""

from __future__ import annotations

from diag.reading.markup import Section, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, words
from diag.studies.registry import kind_of_record


def study_sections(files: StudyFiles) -> tuple[Section, ...]:
    """Return the sections of a study's own question; none without outcomes, or of an unknown kind."""
    if not files.n_valid:
        return ()
    kind = kind_of_record(str(files.identity("study", "kind")))
    shows = (*(() if kind is None else kind.sections), stability)
    return tuple(found for show in shows if (found := show(files)) is not None)


def stability(files: StudyFiles) -> Section | None:
    """Return how many repeated units kept their ending and their endpoints; None if none was repeated."""
    found = files.own_rows("stability.csv")
    rows = [
        (
            row["arm"] if row["arm"] == "all" else files.chip(row["arm"]),
            words(row["endpoint"]),
            row["n_repeated"],
            row["n_kept"],
            *(f"{100 * float(row[name]):.0f} %" if row[name] else DASH for name in ("share", "low", "high")),
        )
        for row in found
    ]
    if not rows:
        return None
    caption = (
        "Units that were run again with a valid outcome, and those of them whose later outcomes all equal the first. "
        "Repeats serve this table alone: every rate and effect is of the first valid run. Wilson intervals; units are "
        "taken as independent."
    )
    head = ("Arm", "Endpoint", "Repeated", "Kept", "Share", "95 % from", "to")
    return section("stability", "Endpoint stability", table(head, rows, caption, words=2), leads=False)
