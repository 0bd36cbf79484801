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

ORDER = ("rq1", "action_branch", "rq2", "rq2_followup", "rq3", "rq3_followup", "rq4", "rq4_followup")
"""The design's studies come first, in this order; others follow by name."""


def write_index(root: Path, folders: Sequence[Path]) -> tuple[Path, ...]:
    """Write the index over the given studies below `root` and the page of every study with several agents.

    Raises:
        CorruptRecord: a plan or a table is missing or damaged.
    """
    studies: dict[str, list[StudyFiles]] = {}
    for folder in folders:
        files = read_study(folder)
        studies.setdefault(files.study, []).append(files)
    ordered = {name: studies[name] for name in sorted(studies, key=_place)}
    panels = {name: _panel(root, name, found) for name, found in ordered.items() if len(found) > 1}
    sections = [_study(root, name, found, panels.get(name)) for name, found in ordered.items()]
    everything = [files for found in ordered.values() for files in found]
    lead = f"{len(ordered)} studies, {len(everything)} reports: one for each agent that ran a study."
    return (_write(root / "index.html", "All studies", lead, sections, everything), *panels.values())


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
            f"{len(files.valid)} of {len(files.plan.units)}",
            str(sum(bool(block.missing) for block in block_rows(files))),
        )
        for files in studies
    ]
    head = ("Agent", "", "First endpoint: effect, 95 % interval", "Valid units", "Incomplete blocks")
    more = (Markup("<p>{}</p>").format(_link(root, panel, "All models side by side")),) if panel else ()
    return section(f"study-{name}", studies[0].title, question, table(head, rows, f"Study {name}.", words=3), *more)


def _link(root: Path, path: Path, text: str) -> Markup:
    if not path.is_file():
        return Markup('{} <small class="quiet">no report</small>').format(text)
    return Markup('<a href="{}">{}</a>').format(os.path.relpath(path, root).replace(os.sep, "/"), text)


def _labels(files: StudyFiles) -> str:
    from diag.summary.rows import study_labels

    return ", ".join(study_labels(files)).lower()


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
        "simulated": any(files.simulated for files in studies),
        "all_simulated": all(files.simulated for files in studies),
        "interim": [f"{files.title}, {files.agent}: {files.interim}" for files in studies if files.interim],
        "css": report_style(),
    }
    write_page(path, report_environment().get_template("index.html.j2").render(values))
    return path
