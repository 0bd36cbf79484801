"""Writes a study's report: one overview page, a page per block, a page per continuation, and the figures.

    report.html  figures/  comparisons/<block>.html  continuations/<unit>.html  assets/

All of it is made from the study's files, works from file://, and makes no request beyond the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from diag.errors import StorageError
from diag.report.alignment import parting
from diag.report.arm_changes import Started, block_changes, block_records, spans
from diag.report.continuation import Continuation, read_continuation
from diag.report.episodes import episode_section
from diag.report.figures import inline_svg, write_figures, write_live_curves
from diag.report.overview import Facts, cell_marks, overview, unit_line
from diag.report.study_files import StudyFiles, read_study
from diag.report.study_sections import study_sections
from diag.report.style import counted, number, p_value, signed, words
from diag.report.tallies import BlockRow, block_rows
from diag.report.track import VerdictPoint, track_svg, x_of
from diag.report.verdicts import Verdicts, no_verdicts, solver_verdicts
from diag.sealed import write_whole

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class _Site:
    files: StudyFiles
    facts: Facts
    jinja: Environment
    verdicts: Verdicts
    order: tuple[str, ...]
    """Unit ids in the order of the pages."""
    records: Mapping[str, Mapping[str, Any]]
    """Block id -> what was written of the block before it ran; a block without a file is absent."""
    tracks: dict[str, Sequence[VerdictPoint]] = field(default_factory=dict)
    """Unit id -> its certificates over time, filled while its page is written."""

    @cached_property
    def places(self) -> dict[str, int]:
        """Unit id -> its place in the order."""
        return {unit_id: place for place, unit_id in enumerate(self.order)}

    @cached_property
    def checkpoints(self) -> dict[str, str]:
        """Unit id -> its checkpoint."""
        return {unit.unit_id: unit.checkpoint_id for unit in self.files.plan.units}

    def neighbour(self, unit_id: str, step: int) -> str | None:
        """Return the unit before (-1) or after (+1); None at an end."""
        place = self.places[unit_id] + step
        return self.order[place] if 0 <= place < len(self.order) else None

    def page(self, template: str, path: str, **values: Any) -> None:
        """Render a page into the study's folder; a reader sees the old page or the new one."""
        text = self.jinja.get_template(template).render(facts=self.facts, **values)
        write_page(self.files.folder / path, text)


def write_report(study_folder: Path, *, with_verdicts: bool = True, levels: Path | None = None) -> Path:
    """Write the whole report and return the path of `report.html`.

    Args:
        study_folder: the study; only its files are read.
        with_verdicts: ask the solvers for the certificate of every board, for the track under each continuation.
        levels: folder of a level pack; None for the shipped levels.

    Raises:
        CorruptRecord: the plan, the outcome table or an event log is missing or damaged.
    """
    files = read_study(study_folder)
    verdicts = solver_verdicts(levels) if with_verdicts else no_verdicts
    blocks = block_rows(files)
    order = tuple(unit_id for block in blocks for unit_ids in block.units.values() for unit_id in unit_ids)
    records = block_records(study_folder, (block.block_id for block in blocks))
    site = _Site(files, Facts.of(files), report_environment(), verdicts, order, records)
    for name in ("report.css", "report.js"):
        write_page(study_folder / "assets" / name, (TEMPLATES / name).read_text())
    figures = {path.name: path for path in write_figures(files, study_folder / "figures")}
    starts: dict[str, Started] = {}
    for block in blocks:
        starts.update(_block_pages(site, block))
    live = write_live_curves(files, site.tracks, study_folder / "figures")
    _overview_page(site, figures | {path.name: path for path in live}, starts)
    return study_folder / "report.html"


def require_place(study_folder: Path) -> None:
    """Check that a report can be written, before anything is worked out for it.

    Raises:
        StorageError: the disk does not take a file there, or something else stands where a page or a folder goes.
    """
    for name in ("assets", "comparisons", "continuations", "figures"):
        path = study_folder / name
        if path.exists() and not path.is_dir():
            raise StorageError(f"cannot write the report: {path} is a file, wanted a folder")
        write_whole(path / ".place", b"", durable=False)
        (path / ".place").unlink()
    page = study_folder / "report.html"
    if page.is_dir():
        raise StorageError(f"cannot write the report: {page} is a folder, wanted a file")
    write_whole(study_folder / ".place", b"", durable=False)
    (study_folder / ".place").unlink()


def file_name(name: str) -> str:
    """Return a unit's or block's id as a file name: anything but letters, digits, `.`, `_`, `-` becomes `_`."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


def report_environment() -> Environment:
    """Return the templates with the filters that they use."""
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(("html", "j2"), default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    jinja.filters.update(words=words, signed=signed, number=number, p=p_value, file_name=file_name, counted=counted)
    return jinja


def report_style() -> Markup:
    """Return the style sheet of every page, for use inside one."""
    return Markup((TEMPLATES / "report.css").read_text())  # noqa: S704 - our own


def _overview_page(site: _Site, figures: Mapping[str, Path], starts: Mapping[str, Started]) -> None:
    values = overview(site.files, site.facts, starts, site.records)
    drawn = {
        name: Markup(inline_svg(figures[file], name)) if file in figures else None  # noqa: S704 - our own SVG
        for name, file in (
            ("forest", "forest.svg"),
            ("curves", "recovery-curves.svg"),
            ("live", "live-curves.svg"),
        )
    }
    js = Markup((TEMPLATES / "report.js").read_text())  # noqa: S704 - our own
    values |= {"episodes": episode_section(site.files), "sections": study_sections(site.files)}
    site.page("report.html.j2", "report.html", css=report_style(), js=js, **drawn, **values)


def _block_pages(site: _Site, block: BlockRow) -> dict[str, Started]:
    """Write a block's page and those of its units; return what each unit started with."""
    read: dict[str, Continuation] = {}
    for arm, unit_ids in block.units.items():
        for unit_id in unit_ids:
            read[unit_id] = _continuation_page(site, block, arm, unit_id)
    firsts = {arm: unit_ids[0] for arm, unit_ids in block.units.items()}
    control = site.files.control if site.files.control in firsts else next(iter(firsts))
    partings = [parting(read[firsts[control]], arm, read[unit]) for arm, unit in firsts.items() if arm != control]
    first_actions = {p.arm: p.action.index for p in partings if p.action is not None}
    sides = [
        {
            "arm": arm,
            "unit_id": unit_id,
            "c": read[unit_id],
            "summary": unit_line(site.files, unit_id),
            "parts_at": _frame_of_action(read[unit_id], first_actions.get(arm)),
        }
        for arm, unit_id in firsts.items()
    ]
    site.page(
        "block.html.j2",
        f"comparisons/{file_name(block.block_id)}.html",
        block=block,
        control=control,
        partings=partings,
        changes=_changes_of(site, block),
        sides=sides,
        n_repeats=max(len(units) for units in block.units.values()),
    )
    return {unit_id: one.started for unit_id, one in read.items()}


def _changes_of(site: _Site, block: BlockRow) -> list[tuple[str, str]]:
    """Return each arm with what it changes in this block, as text; none if the block has no file."""
    found = block_changes(site.records[block.block_id]) if block.block_id in site.records else {}
    return [
        (arm, "; ".join(spans([change]) for change in found[arm]) or "nothing in the context at the start")
        for arm in block.units
        if arm in found
    ]


def _continuation_page(site: _Site, block: BlockRow, arm: str, unit_id: str) -> Continuation:
    events = site.files.events(unit_id)
    continuation = read_continuation(events)
    end_s = max([continuation.end_clock_s or 0.0, *(frame.clock_s for frame in continuation.frames)])
    site.tracks[unit_id] = site.verdicts(events) if events else ()
    track = track_svg(continuation.progress, site.tracks[unit_id], end_s)
    memory = dict(continuation.start.get("context") or {}).get("memory")
    site.page(
        "continuation.html.j2",
        f"continuations/{file_name(unit_id)}.html",
        unit={
            "unit_id": unit_id,
            "block_id": block.block_id,
            "arm": arm,
            "cluster": block.cluster,
            "checkpoint_id": site.checkpoints[unit_id],
        },
        row=cell_marks(site.files, unit_id),
        c=continuation,
        memory=str(memory) if memory else None,
        track=track,
        x_of=lambda clock_s: x_of(clock_s, end_s),
        previous=site.neighbour(unit_id, -1),
        following=site.neighbour(unit_id, +1),
    )
    return continuation


def _frame_of_action(continuation: Continuation, action: int | None) -> int | None:
    """Return the index of the frame that holds the action of this index; None if there is none."""
    if action is None:
        return None
    return next((index for index, place in _action_places(continuation) if place == action), None)


def _action_places(continuation: Continuation) -> Iterator[tuple[int, int]]:
    place = 0
    for frame in continuation.frames:
        for _ in frame.actions:
            yield frame.index, place
            place += 1


def write_page(path: Path, text: str) -> None:
    """Write a page; a reader sees the old one or the new one. Raises StorageError if the disk refuses."""
    write_whole(path, text.encode(), durable=False)
