"""A study of thousands of finished units, made from the records of a small one that was really run.

Every checkpoint of the small study's library gets copies under names of their own; the plan of the enlarged study is
made by the program; and every unit's record is the record of the unit it was copied from, under the new names and
sealed again. So all files are such as a run writes, and no number in them is invented; as results they mean nothing.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from checkpoints.store import Library, load_library, save_library
from diag.records import Event, Unit
from diag.records.event_log import EventLog
from diag.records.study_folder import AttemptStatus, StudyFolder

COPY = re.compile(r"x\d{4}")
QUIET = ("suite=rules", "execution.progress=false", "tracking.enabled=false")


class StoredTimes:
    """The times of a stored log, one event after the other."""

    def __init__(self) -> None:
        self.stored = ("", 0.0)

    def monotonic_s(self) -> float:
        """Return the stored monotonic time."""
        return self.stored[1]

    def utc(self) -> str:
        """Return the stored time of day."""
        return self.stored[0]


def enlarged_library(name: str, copies: int, folder: Path) -> None:
    """Write a library with `copies` of every checkpoint of another; copies share the pictures of the first."""
    library = load_library(name)
    many = tuple(
        replace(one, checkpoint_id=f"{one.checkpoint_id}x{number:04d}")
        for number in range(copies)
        for one in library.checkpoints
    )
    pictures = {digest: library.picture_png(digest) for digest in library.frames}
    save_library(Library(f"{library.name}-enlarged", many, folder), pictures)


def enlarge(source: StudyFolder, target: StudyFolder) -> int:
    """Fill the planned, empty study `target` from the finished `source`; return how many units it has."""
    plan = target.read_plan()
    by_source = sorted(plan.units, key=lambda unit: COPY.sub("", unit.unit_id))
    with patch("os.fsync"):  # nothing here has to survive a power cut
        for original, units in itertools.groupby(by_source, key=lambda unit: COPY.sub("", unit.unit_id)):
            status = source.primary(original)
            assert status is not None, f"{original}: the small study is not finished"
            events = source.read_events(status)
            for unit in units:
                _copy_unit(source, status, events, target, unit, plan.plan_hash)
    shutil.copy(source.root / "manifest.json", target.root / "manifest.json")
    if source.pictures.is_dir():
        shutil.copytree(source.pictures, target.pictures, copy_function=os.link, dirs_exist_ok=True)
    return len(plan.units)


def _copy_unit(
    source: StudyFolder, status: AttemptStatus, events: Sequence[Event], target: StudyFolder, unit: Unit, plan_hash: str
) -> None:
    partial = target.begin_attempt(unit.unit_id, 1, plan_hash=plan_hash, browser=status.browser)
    times = StoredTimes()
    names = {
        "unit_id": unit.unit_id,
        "block_id": unit.block_id,
        "checkpoint_id": unit.checkpoint_id,
        "plan_hash": plan_hash,
    }
    with EventLog(partial / "events.jsonl", times) as log:
        for event in events:
            times.stored = (event.utc, event.monotonic_s)
            data = {**event.data, **names} if event.kind == "episode_start" else event.data
            log.append(event.kind, event.clock_s, data)
    outcome = source.read_outcome(status)
    target.finish_attempt(partial, replace(outcome, unit_id=unit.unit_id, attempt=1, plan_hash=plan_hash))


def diag(*words: str) -> None:
    """Run `python -m diag` and show nothing unless it fails."""
    done = subprocess.run([sys.executable, "-m", "diag", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"python -m diag {' '.join(words)}\n{done.stdout}{done.stderr}")


def build(words: Sequence[str], library: str, copies: int, folder: Path) -> list[str]:
    """Run the small study, make the enlarged one, and return the words that `python -m diag` takes for it.

    Args:
        words: experiment and agent.
        library: the small study's checkpoints.
        copies: of every checkpoint.
        folder: where everything goes.
    """
    small = [*words, *QUIET, f"catalog.library={library}", f"outputs={folder / 'small'}"]
    diag(*small, "mode=run")
    enlarged_library(library, copies, folder / "library")
    large = [*words, *QUIET, f"catalog.library={folder / 'library'}", f"outputs={folder / 'large'}"]
    diag(*large, "mode=plan")
    (source,), (target,) = ((folder / name).glob("*/*/plan.json") for name in ("small", "large"))
    enlarge(StudyFolder(source.parent), StudyFolder(target.parent))
    return large


def facts(folder: Path) -> dict[str, float]:
    """Return how many units an enlarged study has, and the size of their records, MB."""
    (plan,) = (folder / "large").glob("*/*/plan.json")
    records = sum(path.stat().st_size for path in plan.parent.glob("units/*/*/*"))
    return {"units": len(json.loads(plan.read_text())["units"]), "records_mb": records / 1e6}
