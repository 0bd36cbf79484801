"""What a report shows block by block: the outcome grid, the pairs, and what is missing.

A study of up to `ON_THE_OVERVIEW` blocks has it all on its overview; a larger one on pages of `PER_PAGE` blocks each,
`lists/<number>.html`, which the overview names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, contrast_words, words
from diag.report.tallies import BlockRow, Contrast, PairRow, contrasts, pair_rows

ON_THE_OVERVIEW = 300
PER_PAGE = 200
_WORDS = {"x": "no valid outcome", "n": "does not apply", "1": "yes", "0": "no"}
_CLASSES = {"x": "lost", "n": "na", "1": "yes", "0": "no"}


@dataclass(frozen=True)
class PairCounts:
    """How many pairs of a yes/no endpoint fell which way; with replicates a share of one half or more counts as yes."""

    endpoint: str
    n: int
    both: int
    up: int
    down: int
    neither: int


@dataclass(frozen=True)
class PairTable:
    """One contrast: counts over all its pairs, and the values of the blocks of this list."""

    cohort: str
    treatment: str
    control: str
    endpoints: tuple[str, ...]
    counts: tuple[PairCounts, ...]
    rows: tuple[tuple[BlockRow, tuple[str, ...]], ...]
    """A block with its values as text, one per endpoint."""

    @property
    def contrast(self) -> str:
        """The contrast in words."""
        return contrast_words(self.treatment, self.control)


@dataclass(frozen=True)
class BlockList:
    """What is shown of some blocks."""

    blocks: tuple[BlockRow, ...]
    endpoints: tuple[str, ...]
    """Yes/no endpoints of the grid, in the order of a cell's letters."""
    cells: Mapping[str, Mapping[str, str]]
    """Unit id -> `v` (a letter per endpoint), `cls` and `word` of the first, `title`."""
    endings: Mapping[str, str]
    """Unit id -> how its primary attempt ended."""
    why: Mapping[str, str]
    """Unit without a valid outcome -> why it has none."""
    pairs: tuple[PairTable, ...]

    @property
    def incomplete(self) -> tuple[BlockRow, ...]:
        """The blocks with a unit that has no valid outcome."""
        return tuple(block for block in self.blocks if block.missing)

    @property
    def by_cohort(self) -> dict[str, tuple[BlockRow, ...]]:
        """The blocks of each cohort, in order."""
        return {
            cohort: tuple(block for block in self.blocks if block.cohort == cohort)
            for cohort in dict.fromkeys(block.cohort for block in self.blocks)
        }

    @property
    def n_units(self) -> int:
        """Planned units of these blocks."""
        return len(self.cells)

    @property
    def span(self) -> str:
        """The first and the last block, in words."""
        first, last = self.blocks[0].block_id, self.blocks[-1].block_id
        return first if first == last else f"{first} to {last}"


def block_list(
    files: StudyFiles, blocks: tuple[BlockRow, ...], endpoints: Sequence[str], shown: Sequence[str]
) -> BlockList:
    """Return the list of all blocks.

    Args:
        files: the study.
        blocks: its blocks.
        endpoints: endpoints of the grid; those that are no truth values are left out.
        shown: endpoints of the pairs.
    """
    grid = tuple(name for name in endpoints if name in files.yes_no)
    units = [unit for block in blocks for unit_ids in block.units.values() for unit in unit_ids]
    return BlockList(
        blocks=blocks,
        endpoints=grid,
        cells={unit: _cell(files, unit, grid) for unit in units},
        endings={unit: _ending(files, unit) for unit in units},
        why={unit: _why(files, unit) for unit in units if not files.is_valid(unit)},
        pairs=_pair_tables(files, blocks, shown),
    )


def in_pages(whole: BlockList) -> tuple[BlockList, ...]:
    """Return the lists of a large study, page by page, cohorts apart; none for a study with room on its overview."""
    if len(whole.blocks) <= ON_THE_OVERVIEW:
        return ()
    return tuple(
        _part(whole, blocks[start : start + PER_PAGE])
        for blocks in whole.by_cohort.values()
        for start in range(0, len(blocks), PER_PAGE)
    )


def _part(whole: BlockList, blocks: tuple[BlockRow, ...]) -> BlockList:
    """Return the part of a list that is about some of its blocks; the counts of the pairs stay those of all."""
    ids = {block.block_id for block in blocks}
    units = [unit for block in blocks for unit_ids in block.units.values() for unit in unit_ids]
    tables = (replace(table, rows=tuple(row for row in table.rows if row[0].block_id in ids)) for table in whole.pairs)
    return replace(
        whole,
        blocks=blocks,
        cells={unit: whole.cells[unit] for unit in units},
        endings={unit: whole.endings[unit] for unit in units},
        pairs=tuple(table for table in tables if table.rows),
    )


def _cell(files: StudyFiles, unit_id: str, endpoints: tuple[str, ...]) -> dict[str, str]:
    """Return one grid cell: a letter per endpoint (1 yes, 0 no, n does not apply, x no valid outcome)."""
    row = files.rows.get(unit_id, {})
    if files.is_valid(unit_id):
        letters = "".join("n" if row[name] is None else str(int(row[name])) for name in endpoints)
    else:
        letters = "x" * len(endpoints)
    first = letters[:1] or "n"
    title = "; ".join(f"{words(name)}: {_WORDS[letter]}" for name, letter in zip(endpoints, letters, strict=True))
    ending = "never run" if row.get("ending") is None else words(str(row["ending"]))
    return {"v": letters, "cls": _CLASSES[first], "word": _WORDS[first], "title": f"{ending}. {title}"}


def _pair_tables(files: StudyFiles, blocks: Sequence[BlockRow], shown: Sequence[str]) -> tuple[PairTable, ...]:
    by_contrast: dict[Contrast, list[PairRow]] = {contrast: [] for contrast in contrasts(files)}
    for row in pair_rows(files):
        if row.endpoint in shown and row.contrast in by_contrast:
            by_contrast[row.contrast].append(row)
    by_id = {block.block_id: block for block in blocks}
    return tuple(_pair_table(files, contrast, rows, by_id) for contrast, rows in by_contrast.items() if rows)


def _pair_table(
    files: StudyFiles, contrast: Contrast, rows: Sequence[PairRow], by_id: Mapping[str, BlockRow]
) -> PairTable:
    endpoints = tuple(dict.fromkeys(row.endpoint for row in rows))
    found: dict[str, dict[str, PairRow]] = {}
    for row in rows:
        found.setdefault(row.block_id, {})[row.endpoint] = row
    return PairTable(
        *contrast,
        endpoints=endpoints,
        counts=tuple(_pair_counts(name, rows) for name in endpoints if name in files.yes_no),
        rows=tuple(
            (by_id[block_id], tuple(_pair_text(one.get(name)) for name in endpoints)) for block_id, one in found.items()
        ),
    )


def _pair_counts(endpoint: str, rows: Sequence[PairRow]) -> PairCounts:
    kinds = Counter(
        (row.treatment >= 0.5, row.control >= 0.5)
        for row in rows
        if row.endpoint == endpoint and row.treatment is not None and row.control is not None
    )
    return PairCounts(
        endpoint=endpoint,
        n=sum(kinds.values()),
        both=kinds[True, True],
        up=kinds[True, False],
        down=kinds[False, True],
        neither=kinds[False, False],
    )


def _pair_text(row: PairRow | None) -> str:
    if row is None or (row.control is None and row.treatment is None):
        return DASH
    difference = row.difference
    sign = "" if difference is None else " ▲" if difference > 0 else " ▼" if difference < 0 else " ="
    ends = [DASH if value is None else f"{value:.2f}".rstrip("0").rstrip(".") for value in (row.control, row.treatment)]
    return f"{ends[0]} → {ends[1]}{sign}"


def _why(files: StudyFiles, unit_id: str) -> str:
    row: Mapping[str, Any] = files.rows.get(unit_id, {})
    if row.get("ending") is None:
        return "never run"
    kind = row.get("failure_kind")
    return words(str(row["ending"])) + (f" ({kind})" if kind is not None else "")


def _ending(files: StudyFiles, unit_id: str) -> str:
    ending = files.rows.get(unit_id, {}).get("ending")
    return "never_run" if ending is None else str(ending)
