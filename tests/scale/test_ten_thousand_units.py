"""Ten thousand finished units: nothing runs again, the effects are those of the study that was copied, pages are small.

Slow: it builds the study from a real one first. Seconds and their table are `benchmarks/scale.py`'s.
"""

import json
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BENCHMARKS = HERE.parents[1] / "benchmarks"
COPIES = 105
MOST_MB = 1200
"""Resident memory of any mode: about 30 KB a unit above what a small study takes."""
LARGEST_PAGE_BYTES = 2_000_000

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with the small study and the enlarged one, after every offline mode has run on it."""
    sys.path.insert(0, str(BENCHMARKS))
    from enlarged_study import build

    folder = tmp_path_factory.mktemp("ten-thousand")
    build(["+experiment=rq2", "agent=simulated/sol"], "rq2", COPIES, folder)
    return folder


@pytest.fixture(scope="module")
def memory_mb(folder: Path) -> dict[str, float]:
    """Return the largest resident memory of each mode, all of which have run."""
    from enlarged_study import QUIET
    from scale import MODES, WORDS, measured

    words = [*WORDS, *QUIET]
    small = [*words, "catalog.library=rq2", f"outputs={folder / 'small'}"]
    measured(*small, "mode=analyse")
    large = [*words, f"catalog.library={folder / 'library'}", f"outputs={folder / 'large'}"]
    return {name: measured(*large, *mode)[1] for name, mode in MODES.items()}


def study(folder: Path, name: str) -> Path:
    (plan,) = (folder / name).glob("*/*/plan.json")
    return plan.parent


def test_memory_stays_small(memory_mb: dict[str, float]):
    assert set(memory_mb) == {"resume", "analyse", "track", "report"}
    assert max(memory_mb.values()) < MOST_MB, memory_mb


def test_nothing_is_run_again(folder: Path, memory_mb: dict[str, float]):
    units = list(os.scandir(study(folder, "large") / "units"))
    assert len(units) == 96 * COPIES
    assert all([one.name for one in os.scandir(unit.path)] == ["attempt-1"] for unit in units)


def test_the_effects_are_those_of_the_study_that_was_copied(folder: Path, memory_mb: dict[str, float]):
    def estimates(name: str) -> dict[str, float]:
        effects = json.loads((study(folder, name) / "tables" / "effects.json").read_text())["effects"]
        return {f"{one['cohort']} {one['treatment']} {one['outcome']}": one["estimate"] for one in effects}

    small, large = estimates("small"), estimates("large")
    assert small
    assert large == pytest.approx(small)


def test_no_page_is_large_and_every_unit_has_one(folder: Path, memory_mb: dict[str, float]):
    root = study(folder, "large")
    pages = [root / "report.html", *root.glob("lists/*.html"), *root.glob("comparisons/*.html")]
    assert max(page.stat().st_size for page in pages) < LARGEST_PAGE_BYTES
    assert len(list(root.glob("continuations/*.html"))) == 96 * COPIES
