"""Sections of a study of memory at retry (docs/studies/retry.md): endings, progress, the texts that were written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from diag.reading.markup import Section, folded, joined, quote, section, table, titled
from diag.reading.spread import spread_cells
from diag.reading.study_files import StudyFiles
from diag.reading.style import MATCHED_BY_RULES, number, words
from diag.studies.retry.grade import ENDINGS
from diag.studies.retry.tables import ALL

ALWAYS = ("completion", "recurrence", "other_failure")
"""Endings that are shown even where no retry came to them."""
CODES = {
    "blames_execution": "Failure Experience blames execution or observation",
    "names_holes": "Failure Experience names the exhausted holes",
    "resumes_plan": "Next Attempt resumes the failed plan",
    "different_plan": "Next Attempt proposes a different plan",
}
CAPACITY_SHARES = (("deadlocks", "moves"), ("predicts_release", "deadlocks"), ("first_deadlocks", "first"))
STATUSES = ("accepted", "cut", "malformed", "refused")


def endings_by_memory(files: StudyFiles) -> Section:
    """Return how the retries of each memory condition ended; every retry is in exactly one column."""
    shown = [name for name in ENDINGS if name in ALWAYS or files.valid[name].any()]
    rows = [
        (
            files.chip(arm),
            str(len(found)),
            *(_of(int(found[name].sum()), len(found)) for name in (*shown, "search_dead_end")),
        )
        for arm, found in files.by_arm()
    ]
    caption = (
        "Valid retries, each in exactly one column: the first of these that its log shows. Completion is primary. A "
        "recurrence is a board of the level that is certified dead by the mechanism of the source's own certificate; "
        "certified by another mechanism it is an other failure, however similar the board looks. In Bolt Unscrew the "
        "certificate is that no relocation remains; the last column, beside the endings, counts retries with a board "
        "that still had moves and, by exhausted search, no win."
    )
    head = ("Memory", "Retries", *(words(name) for name in shown), "Lost by search")
    return section("retry-endings", "How retries end, by memory condition", table(head, rows, caption))


def best_progress(files: StudyFiles) -> Section:
    """Return the best potential that the retries of each condition reached."""
    rows = [
        (files.chip(arm), str(len(found)), *spread_cells(found["best_progress"].dropna(), digits=3))
        for arm, found in files.by_arm()
    ]
    caption = (
        "Largest potential of a board of the level before the retry's end, from 0 (the restored board) to 1 (won). "
        "Differences between conditions, paired within the source, are among the paired effects, in points of 0.01."
    )
    head = ("Memory", "Retries", "Mean", "SD", "Median", "Least", "Most")
    return section("best-progress", "Best progress", table(head, rows, caption))


def written_texts(files: StudyFiles) -> Section | None:
    """Return what was written before the retries, and that no text is longer than the capacity that all share."""
    texts = files.own_rows("accounts.csv")
    if not texts:
        return None
    rows = [(files.chip(arm), *_written(found)) for arm, found in by_arm(texts).items()]
    caption = (
        "Tokens are counted the same way for everybody (a word, a number, a sign or one Chinese character). What is "
        "longer than the capacity is cut there and marked; grading counts again and refuses a log whose text is "
        "longer. The arms' capacities must be equal, or the study is refused before it is planned."
    )
    head = ("Memory", "Texts", "Capacity", "Written: mean", "Written: most", "Kept: most", *map(words, STATUSES))
    return section("texts", "Texts and their capacity", table(head, rows, caption))


def accounts(files: StudyFiles) -> Section | None:
    """Return the codes of the structured accounts, each with how often its retries recurred, and one text per arm."""
    texts = files.own_rows("accounts.csv")
    coded = [row for row in texts if row["blames_execution"]]
    if not coded:
        return None
    rows = [
        (label, *_coded([row for row in coded if row[code] == "True"], len(coded))) for code, label in CODES.items()
    ]
    rows.append(("all accounts", *_coded(coded, len(coded))))
    caption = (
        f"{MATCHED_BY_RULES} They read the two headings of each account (docs/studies/retry.md); tables/accounts.csv "
        "holds every text beside its codes for reading. An account may have several codes or none."
    )
    examples = [titled(f"{arm}: the first text", quote(found[0]["text"])) for arm, found in by_arm(texts).items()]
    return section(
        "accounts",
        "What the accounts say",
        table(("Code", "Accounts", "of them recur", "of them complete"), rows, caption),
        folded("One text per condition, as it was written", joined(examples)),
    )


def bolt_capacity(files: StudyFiles) -> Section | None:
    """Return what the moves of all retries do by the number of free holes; None for another game."""
    found = [row for row in files.own_rows("capacity.csv") if row["arm"] == ALL and int(row["moves"])]
    if not found:
        return None
    rows = [
        (
            *(row[name] for name in ("free_holes", "moves", "frees", "fills")),
            *(_of(int(row[count]), int(row[n])) for count, n in CAPACITY_SHARES),
            *(row[name] for name in ("decisions", "decisions_deadlocked")),
        )
        for row in found
    ]
    caption = (
        "For every decision the last settled board before it; consecutive distinct boards are a move. A move deadlocks "
        "if no relocation remains after it. A fatal move predicts a release if its stated reason mentions releasing, "
        "freeing, dropping or clearing a piece; reasons are matched by rules (docs/studies/retry.md). First moves are "
        "those from the restarted board. By condition: tables/capacity.csv."
    )
    head = (
        *("Free holes", "Moves", "Free a board", "Fill a hole", "Deadlock", "Fatal ones predict a release"),
        *("First moves that deadlock", "Decisions", "On a dead board"),
    )
    return section("capacity", "Bolt Unscrew by free holes", table(head, rows, caption))


def by_arm(rows: Sequence[Mapping[str, str]]) -> dict[str, list[Mapping[str, str]]]:
    """Return the rows of each arm, arms in name order."""
    return {arm: [row for row in rows if row["arm"] == arm] for arm in sorted({row["arm"] for row in rows})}


def _written(texts: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    written, kept = ([int(row[name]) for row in texts] for name in ("tokens_written", "tokens"))
    capacities = sorted({row["capacity_tokens"] for row in texts}, key=int)
    counts = (str(sum(row["status"] == status for row in texts)) for status in STATUSES)
    mean = number(sum(written) / len(written))
    return (str(len(texts)), ", ".join(capacities), mean, str(max(written)), str(max(kept)), *counts)


def _coded(texts: Sequence[Mapping[str, str]], n: int) -> tuple[Markup, ...]:
    ended = [row["ended"] for row in texts]
    shares = (_of(ended.count(how), len(texts)) for how in ("recurrence", "completion"))
    return (_of(len(texts), n), *shares)


def _of(count: int, n: int) -> Markup:
    share = f" <small>{100 * count / n:.0f} %</small>" if n else ""
    return Markup(f"<b>{count}</b> of {n}{share}")  # noqa: S704 - numbers
