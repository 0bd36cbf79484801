"""What the report of a study shows of its own question, before what all studies share: the sections of its kind."""

from __future__ import annotations

from markupsafe import Markup

from diag.reading.markup import Section, folded, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, words
from diag.studies.registry import kind_of_record


def study_sections(files: StudyFiles) -> tuple[Section, ...]:
    """Return the sections of a study's own question; none without outcomes, or of an unknown kind."""
    if not files.n_valid:
        return ()
    kind = kind_of_record(str(files.identity("study", "kind")))
    shows = (*(() if kind is None else kind.sections), stability, order)
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


def order(files: StudyFiles) -> Section | None:
    """Return whether an outcome depends on the place of its arm or on the arm before it; None without a check."""
    rows = [
        (
            row["cohort"],
            words(row["endpoint"]),
            f"at place {row['level']}"
            if row["asks"] == "place"
            else Markup("after {}").format(files.chip(row["level"])),
            row["n"],
            *(f"{float(row[name]):{form}}" for name, form in (("deviation", "+.3f"), ("p", ".3f"), ("holm_p", ".3f"))),
        )
        for row in files.own_rows("order.csv")
    ]
    if not rows:
        return None
    caption = (
        "What is left of an outcome after its block's and its arm's mean, averaged by the arm's place in the plan and "
        "by the arm before it. p: the orders dealt anew to the blocks, 2,000 times; Holm over all these questions. A "
        "small p says that the order matters somewhere, a large one that no such thing is seen in these blocks. With "
        "several workers the arms of a block overlap in time: the plan's order is the order in which they began."
    )
    head = ("Cohort", "Endpoint", "Outcomes", "n", "Deviation", "p", "Holm p")
    shown = folded("Every place and neighbour", table(head, rows, caption, words=3))
    return section("order", "Order and carry-over", shown, leads=False)
