"""Four times the units are four times the work, not sixteen: counted in files opened and folder entries read."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from checkpoints.store import Library, save_library
from diag.records.study_folder import StudyFolder

HERE = Path(__file__).parent
for folder in (HERE.parents[1] / "benchmarks", HERE.parent / "diag"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))  # `enlarged_study` and `standin` are imported by name

_counting: list[dict[str, int]] = []


def _hook(event: str, arguments: tuple) -> None:
    if event == "open" and _counting:
        _counting[-1]["opened"] += 1


class Work:
    """Counts what this process asks of the disk while it is entered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.counts = {"opened": 0, "listed": 0}
        self._patch = monkeypatch

    def __enter__(self) -> dict[str, int]:
        real = os.listdir

        def listdir(path="."):
            found = real(path)
            self.counts["listed"] += len(found)
            return found

        self._patch.setattr(os, "listdir", listdir)
        _counting.append(self.counts)
        return self.counts

    def __exit__(self, *_) -> None:
        _counting.pop()
        self._patch.undo()


sys.addaudithook(_hook)


def words(folder: Path, name: str) -> list[str]:
    return [
        "+experiment=rq2", "--config-dir", str(HERE.parent / "diag" / "standin_conf"), "agent=standin", "suite=rules",
        "execution.n_jobs=1", "execution.progress=false", "tracking=none",
        f"catalog.library={folder / name}", f"outputs={folder / 'out' / name}",
    ]  # fmt: skip


def study_of(folder: Path, name: str) -> StudyFolder:
    (plan,) = (folder / "out" / name).glob("*/*/plan.json")
    return StudyFolder(plan.parent)


@pytest.fixture(scope="module")
def studies(tmp_path_factory) -> tuple[Path, dict[str, int]]:
    """A real study of 16 units, and copies of it with 80 and 320."""
    from enlarged_study import enlarge, enlarged_library
    from standin import standin_library

    from diag.app.command_line import main

    folder = tmp_path_factory.mktemp("scale")
    full = standin_library(folder / "small")
    few = (*full.checkpoints[:4], *full.checkpoints[-2:])
    save_library(Library("small", tuple(replace(one) for one in few), folder / "small"), {})
    assert main([*words(folder, "small"), "mode=run"]) == 0
    sizes = {}
    for name, copies in (("five", 5), ("twenty", 20)):
        enlarged_library(str(folder / "small"), copies, folder / name)
        assert main([*words(folder, name), "mode=plan"]) == 0
        sizes[name] = enlarge(study_of(folder, "small"), study_of(folder, name))
    return folder, sizes


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["run", "analyse"])
def test_work_grows_with_the_number_of_units(studies, monkeypatch, mode):
    from diag.app.command_line import main

    folder, sizes = studies
    assert sizes == {"five": 80, "twenty": 320}
    found = {}
    for name in sizes:
        line = words(folder, name)
        main([*line, f"mode={mode}"])  # imports and caches
        with Work(monkeypatch) as counts:
            assert main([*line, f"mode={mode}"]) == 0
        found[name] = counts
    assert found["five"]["opened"] > sizes["five"]
    assert found["twenty"]["opened"] < 4.6 * found["five"]["opened"]
    assert found["twenty"]["listed"] < 4.6 * found["five"]["listed"]
