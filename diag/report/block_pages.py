"""The page of a block and the pages of its continuations: `comparisons/<block>.html`, `continuations/<unit>.html`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from diag.grading.track import VerdictPoint
from diag.reading.study_files import StudyFiles, read_study
from diag.report.alignment import parting
from diag.report.arm_changes import BlockRecord, Started, read_block_record, spans
from diag.report.continuation import Continuation, read_continuation, with_faults
from diag.report.grid_steps import grid_play
from diag.report.overview import Facts, cell_marks, unit_line
from diag.report.page_files import file_name, report_environment, write_page
from diag.report.tallies import BlockRow, block_rows
from diag.report.track import track_svg, x_of
from diag.report.verdicts import Verdicts, no_verdicts, solver_verdicts
from diag.session.pictures import Fault, PictureStore


@dataclass(frozen=True)
class UnitTold:
    """What the overview takes from one unit's log."""

    started: Started
    track: tuple[VerdictPoint, ...]
    """Its certificates over time."""
    pictures: Mapping[str, Fault | None]
    """Every picture its log names, with what is wrong with it."""


@dataclass(frozen=True)
class BlockTold:
    """What the overview takes from one block's files."""

    record: BlockRecord | None
    """What was written before the block ran; None without a file."""
    units: Mapping[str, UnitTold]


@dataclass(frozen=True)
class Share:
    """The blocks whose pages one process writes: every `of`-th, from the `first` on."""

    folder: Path
    with_verdicts: bool
    levels: Path | None
    first: int
    of: int


def write_share(share: Share) -> dict[str, BlockTold]:
    """Write the pages of a share from the study's files alone; return block id -> what the overview takes from it.

    Raises:
        CorruptRecord: a file of the study is missing or damaged.
        StorageError: the disk refuses a page.
    """
    files = read_study(share.folder)
    verdicts = solver_verdicts(share.levels) if share.with_verdicts else no_verdicts
    pages = BlockPages(files, Facts.of(files), verdicts, block_rows(files))
    return {block.block_id: pages.write(block) for block in pages.blocks[share.first :: share.of]}


@dataclass(frozen=True)
class BlockPages:
    """Writes the pages of one study's blocks."""

    files: StudyFiles
    facts: Facts
    verdicts: Verdicts
    blocks: tuple[BlockRow, ...]
    """All blocks, in the order of the pages."""
    jinja: Environment = field(default_factory=report_environment)

    def write(self, block: BlockRow) -> BlockTold:
        """Write a block's page and those of its units."""
        record = read_block_record(self.files.folder, block.block_id)
        read: dict[str, Continuation] = {}
        told: dict[str, UnitTold] = {}
        for arm, unit_ids in block.units.items():
            for unit_id in unit_ids:
                events = self.files.events(unit_id)
                read[unit_id] = with_faults(read_continuation(events), PictureStore(self.files.folder / "pictures"))
                pictures = {frame.picture: frame.fault for frame in read[unit_id].frames if frame.picture is not None}
                told[unit_id] = UnitTold(read[unit_id].started, self.verdicts(events) if events else (), pictures)
                self._continuation_page(block, arm, unit_id, read[unit_id], told[unit_id].track, grid_play(events))
        self._block_page(block, record, read)
        return BlockTold(record, told)

    def _block_page(self, block: BlockRow, record: BlockRecord | None, read: Mapping[str, Continuation]) -> None:
        firsts = {arm: unit_ids[0] for arm, unit_ids in block.units.items()}
        control = self.files.control if self.files.control in firsts else next(iter(firsts))
        partings = [parting(read[firsts[control]], arm, read[unit]) for arm, unit in firsts.items() if arm != control]
        first_actions = {p.arm: p.action.index for p in partings if p.action is not None}
        sides = [
            {
                "arm": arm,
                "unit_id": unit_id,
                "c": read[unit_id],
                "summary": unit_line(self.files, unit_id),
                "parts_at": _frame_of_action(read[unit_id], first_actions.get(arm)),
            }
            for arm, unit_id in firsts.items()
        ]
        self._page(
            "block.html.j2",
            f"comparisons/{file_name(block.block_id)}.html",
            block=block,
            control=control,
            partings=partings,
            changes=_changes_of(block, record),
            sides=sides,
            n_repeats=max(len(units) for units in block.units.values()),
        )

    def _continuation_page(
        self,
        block: BlockRow,
        arm: str,
        unit_id: str,
        continuation: Continuation,
        track: Sequence[VerdictPoint],
        grid: Markup | None,
    ) -> None:
        end_s = max([continuation.end_clock_s or 0.0, *(frame.clock_s for frame in continuation.frames)])
        memory = dict(continuation.start.get("context") or {}).get("memory")
        self._page(
            "continuation.html.j2",
            f"continuations/{file_name(unit_id)}.html",
            unit={
                "unit_id": unit_id,
                "block_id": block.block_id,
                "arm": arm,
                "cluster": block.cluster,
                "checkpoint_id": self._checkpoints[unit_id],
            },
            row=cell_marks(self.files, unit_id),
            c=continuation,
            grid=grid,
            memory=str(memory) if memory else None,
            track=track_svg(continuation.progress, track, end_s),
            x_of=lambda clock_s: x_of(clock_s, end_s),
            previous=self._neighbour(unit_id, -1),
            following=self._neighbour(unit_id, +1),
        )

    @cached_property
    def _order(self) -> tuple[str, ...]:
        """Unit ids in the order of the pages."""
        return tuple(unit for block in self.blocks for units in block.units.values() for unit in units)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {unit_id: place for place, unit_id in enumerate(self._order)}

    @cached_property
    def _checkpoints(self) -> dict[str, str]:
        return {unit.unit_id: unit.checkpoint_id for unit in self.files.plan.units}

    def _neighbour(self, unit_id: str, step: int) -> str | None:
        """Return the unit before (-1) or after (+1); None at an end."""
        place = self._places[unit_id] + step
        return self._order[place] if 0 <= place < len(self._order) else None

    def _page(self, template: str, path: str, **values: Any) -> None:
        text = self.jinja.get_template(template).render(facts=self.facts, **values)
        write_page(self.files.folder / path, text)


def _changes_of(block: BlockRow, record: BlockRecord | None) -> list[tuple[str, str]]:
    """Return each arm with what it changes in this block, as text; none if the block has no file."""
    found = {} if record is None else record.changes
    return [
        (arm, "; ".join(spans([change]) for change in found[arm]) or "nothing in the context at the start")
        for arm in block.units
        if arm in found
    ]


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
