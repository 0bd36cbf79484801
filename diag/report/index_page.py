"""The page over all studies below a folder: a line per study and agent, and a page per study that several agents ran.

    index.html  <study>/panel.html

Written from the studies' files alone; it links to their reports and estimates nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from diag.reading.effect_rows import EffectRow, interval_words
from diag.reading.markup import Section, joined, section, table
from diag.reading.study_files import StudyFiles, read_study
from diag.reading.style import DASH, signed, words
from diag.report.page_files import report_environment, report_style, write_page
from diag.report.panel_page import panel_sections
from diag.report.tallies import block_rows
from diag.summary.rows import study_labels

ORDER = ("rq1", "action_branch", "rq2", "rq2_followup", "rq3", "rq3_followup", "rq4", "rq4_followup")
"""The design's studies come first, in this order; others follow by name."""


def write_index(root: Path, folders: Sequence[Path]) -> tuple[Path, ...]:
    """Write the index over the given studies below `root` and the page of every study with several agents.

    Raises:
        CorruptRecord: a plan or a table is missing or damaged.
    """
    studies: dict[str, list[StudyFiles]] = {}
    everything = [read_study(folder) for folder in folders]
    trials = [files for files in everything if files.standing.apart]
    for files in everything:
        if not files.standing.apart:
            studies.setdefault(files.study, []).append(files)
    ordered = {name: studies[name] for name in sorted(studies, key=_place)}
    panels = {name: _panel(root, name, found) for name, found in ordered.items() if len(found) > 1}
    sections = [_study(root, name, found, panels.get(name)) for name, found in ordered.items()]
    sections += [_trials(root, trials)] if trials else []
    n_reports = len(everything) - len(trials)
    apart = f" {len(trials)} trial{'' if len(trials) == 1 else 's'} apart." if trials else ""
    lead = (
        f"{len(ordered)} stud{'y' if len(ordered) == 1 else 'ies'}, {n_reports} report{'' if n_reports == 1 else 's'}: "
        f"one for each agent that ran a study.{apart}"
    )
    return (_write(root / "index.html", "All studies", lead, sections, everything), *panels.values())


def _banners(studies: Sequence[StudyFiles]) -> tuple[tuple[str, str], ...]:
    """Return a word and a sentence for what some of the studies share and no reader may miss, `SIMULATED` apart."""
    n_trials, n_partial = (sum(getattr(one.standing, name) for one in studies) for name in ("trial", "partial"))
    n_rules = sum(one.identity("suite", "browser") is False for one in studies)
    all_of = f"of {len(studies)} studies"
    found = (
        ("TRIAL", n_trials, "hold the first units of their design alone; their numbers are no result."),
        ("PARTIAL", n_partial, "have units without a valid outcome; nothing of them is final."),
        ("RULES ONLY", n_rules, "were played on the rules without a browser: no pixels were seen."),
    )
    return tuple((word, f"{count} {all_of} {sentence}") for word, count, sentence in found if count)


def _place(name: str) -> tuple[int, str]:
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)


def _panel(root: Path, name: str, studies: Sequence[StudyFiles]) -> Path:
    lead = f"{studies[0].described('question')} {len(studies)} models, a report each; counts of all are summed below."
    return _write(root / name / "panel.html", f"{studies[0].title}: all models", lead, panel_sections(studies), studies)


def _study(root: Path, name: str, studies: Sequence[StudyFiles], panel: Path | None) -> Section:
    question = Markup('<p class="lead">{}</p>').format(studies[0].described("question"))
    rows = [
        (
            _link(root, files.folder / "report.html", files.agent),
            _labels(files),
            joined(map(_effect, _primary(files))) or _level(files),
            f"{files.n_valid} of {len(files.plan.units)}",
            str(sum(bool(block.missing) for block in block_rows(files))),
        )
        for files in studies
    ]
    head = ("Agent", "", "First endpoint: effect, 95 % interval", "Valid units", "Incomplete blocks")
    more = (Markup("<p>{}</p>").format(_link(root, panel, "All models side by side")),) if panel else ()
    return section(f"study-{name}", studies[0].title, question, table(head, rows, f"Study {name}.", words=3), *more)


def _trials(root: Path, studies: Sequence[StudyFiles]) -> Section:
    """Return the trials: that they ran, and no effect of theirs."""
    rows = [
        (
            _link(root, files.folder / "report.html", f"{files.study} {files.agent}"),
            _labels(files),
            f"{files.n_valid} of {len(files.plan.units)}",
        )
        for files in studies
    ]
    what = "The first units of a study alone, to try a set-up out, or units chosen by name."
    text = f"{what} They are no result and stand beside no whole study."
    return section(
        "trials", "Trials and selections", table(("Study and agent", "", "Valid units"), rows, text, words=2)
    )


def _link(root: Path, path: Path, text: str) -> Markup:
    if not path.is_file():
        return Markup('{} <small class="quiet">no report</small>').format(text)
    return Markup('<a href="{}">{}</a>').format(os.path.relpath(path, root).replace(os.sep, "/"), text)


def _labels(files: StudyFiles) -> str:
    return ", ".join(study_labels(files))


def _primary(files: StudyFiles) -> tuple[EffectRow, ...]:
    """Return the effects on the endpoint that the study names first."""
    endpoints: Sequence[str] = files.identity("study", "endpoints") or ()
    return tuple(row for row in files.effects if endpoints and row.endpoint == endpoints[0])


def _level(files: StudyFiles) -> str:
    """Return the mean of the first endpoint: what there is to say of a study without a contrast."""
    endpoint = next(iter(files.identity("study", "endpoints") or ()), "")
    if endpoint not in files.valid or files.valid[endpoint].isna().all():
        return DASH
    return f"no contrast; {words(endpoint)}: mean {float(files.valid[endpoint].mean()):.3f}"


def _effect(row: EffectRow) -> Markup:
    scale = 100.0 if row.is_share else 1.0
    span = interval_words(row.nested or row.percentile, scale)
    text = f"{row.cohort} {row.label}, {words(row.endpoint)}: "
    return Markup("<div>{}<b>{}</b> {}</div>").format(text, signed(row.estimate, 1, scale), span)


def _write(path: Path, title: str, lead: str, sections: Sequence[Section], studies: Sequence[StudyFiles]) -> Path:
    values: Mapping[str, Any] = {
        "title": title,
        "lead": lead,
        "sections": sections,
        "banners": _banners(studies),
        "simulated": any(files.simulated for files in studies),
        "all_simulated": all(files.simulated for files in studies),
        "css": report_style(),
    }
    write_page(path, report_environment().get_template("index.html.j2").render(values))
    return path
