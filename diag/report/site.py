"""Writes a study's report: one overview page, a page per block, a page per continuation, and the figures.

    report.html  figures/  comparisons/<block>.html  continuations/<unit>.html  assets/
    lists/<number>.html: a large study's blocks, which have no room on the overview

All of it is made from the study's files, works from file://, and makes no request beyond the folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from diag.errors import StorageError
from diag.reading.drawing import inline_svg
from diag.reading.study_files import StudyFiles, read_study
from diag.records.sealed import write_whole
from diag.report.block_pages import Share, UnitTold, write_share
from diag.report.figures import write_figures, write_live_curves
from diag.report.harness import harness_rows
from diag.report.overview import Facts, overview
from diag.report.page_files import TEMPLATES, file_name, report_environment, report_style, write_page
from diag.report.study_sections import study_sections
from diag.report.tallies import BlockRow, block_rows
from diag.running.spread import spread

BLOCKS_PER_PROCESS = 60
"""Fewer are written before another process has started."""


def write_report(
    study_folder: Path, *, with_verdicts: bool = True, levels: Path | None = None, n_jobs: int = 1
) -> Path:
    """Write the whole report and return the path of `report.html`.

    Args:
        study_folder: the study; only its files are read.
        with_verdicts: ask the solvers for the certificate of every board, for the track under each continuation.
        levels: folder of a level pack; None for the shipped levels.
        n_jobs: processes that may write pages; a small study takes one.

    Raises:
        CorruptRecord: the plan, the outcome table or an event log is missing or damaged.
        StorageError: the disk refuses a page.
    """
    files = read_study(study_folder)
    for name in ("report.css", "report.js", "grid.js"):
        write_page(study_folder / "assets" / name, (TEMPLATES / name).read_text())
    figures = write_figures(files, study_folder / "figures")
    blocks = block_rows(files)
    n_shares = max(1, min(n_jobs, len(blocks) // BLOCKS_PER_PROCESS))
    shares = [Share(study_folder, with_verdicts, levels, first, n_shares) for first in range(n_shares)]
    told = {block_id: one for share in spread(write_share, shares, n_shares) for block_id, one in share.items()}
    units = {unit_id: one for block in told.values() for unit_id, one in block.units.items()}
    live = write_live_curves(files, {name: one.track for name, one in units.items()}, study_folder / "figures")
    values = overview(
        files,
        Facts.of(files),
        {name: one.started for name, one in units.items()},
        {block.block_id: record for block in blocks if (record := told[block.block_id].record) is not None},
    )
    values["pictures"] = _picture_faults(units.values())
    _overview_pages(files, values, {path.name: path for path in (*figures, *live)})
    _remove_others(study_folder, blocks, len(values["pages"]))
    return study_folder / "report.html"


def _picture_faults(units: Iterable[UnitTold]) -> dict[str, Any]:
    """Return how many pictures the logs name, and those that are missing or damaged, each with its fault."""
    found = {name: fault for unit in units for name, fault in unit.pictures.items()}
    return {"total": len(found), "faults": sorted((name, fault) for name, fault in found.items() if fault)}


def require_place(study_folder: Path) -> None:
    """Check that a report can be written, before anything is worked out for it.

    Raises:
        StorageError: the disk does not take a file there, or something else stands where a page or a folder goes.
    """
    for name in ("assets", "comparisons", "continuations", "figures", "lists"):
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


def _overview_pages(files: StudyFiles, values: dict[str, Any], figures: Mapping[str, Path]) -> None:
    jinja = report_environment()
    drawn = {
        name: Markup(inline_svg(figures[file], name, words)) if file in figures else None  # noqa: S704 - our own SVG
        for name, file, words in (
            ("forest", "forest.svg", "Paired effects with their intervals"),
            ("curves", "recovery-curves.svg", "Share of units that had reached each event, over time"),
            ("live", "live-curves.svg", "Share of boards that can still be won, over time"),
            ("harness", "harness.svg", "The harness's share of each unit's time"),
        )
    }
    js = Markup((TEMPLATES / "report.js").read_text())  # noqa: S704 - our own
    values |= {"harness_rows": harness_rows(files)}
    values |= {"sections": study_sections(files), "contrasted": bool(files.effects) or _declares_contrasts(files)}
    pages = values["pages"]
    for number, listed in enumerate(pages, start=1):
        text = jinja.get_template("list.html.j2").render(
            facts=values["facts"], list=listed, number=number, n_pages=len(pages)
        )
        write_page(files.folder / "lists" / f"{number}.html", text)
    text = jinja.get_template("report.html.j2").render(css=report_style(), js=js, **drawn, **values)
    write_page(files.folder / "report.html", text)


def _declares_contrasts(files: StudyFiles) -> bool:
    """Tell whether the plan declares anything to estimate; a study of one arm does not."""
    return bool(files.planned.groupby("cohort")["arm"].nunique().gt(1).any())


def _remove_others(folder: Path, blocks: Sequence[BlockRow], n_lists: int) -> None:
    """Remove the pages of an earlier report that this one does not have: its plan was another."""
    pages = {
        "comparisons": {file_name(block.block_id) for block in blocks},
        "continuations": {file_name(unit) for block in blocks for units in block.units.values() for unit in units},
        "lists": {str(number + 1) for number in range(n_lists)},
    }
    for name, own in pages.items():
        for path in (folder / name).glob("*.html"):
            if path.stem not in own:
                path.unlink()
