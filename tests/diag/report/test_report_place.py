"""A report that cannot be written is told before anything is worked out for it or printed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from diag.errors import StorageError
from diag.report import require_place


def test_what_stands_in_the_way_is_named(tmp_path: Path):
    require_place(tmp_path)
    assert not list(tmp_path.rglob(".place"))

    (tmp_path / "report.html").mkdir()
    with pytest.raises(StorageError, match=r"report\.html is a folder"):
        require_place(tmp_path)
    (tmp_path / "report.html").rmdir()
    (tmp_path / "figures").rmdir()
    (tmp_path / "figures").write_text("mine")
    with pytest.raises(StorageError, match="figures is a file"):
        require_place(tmp_path)


def test_no_table_is_printed_before_the_error(
    diag: Callable[..., int], arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert diag(*arguments, "study.max_units=2", "mode=run") == 0
    (folder,) = (path.parent for path in (tmp_path / "out").rglob("plan.json"))
    (folder / "report.html").mkdir()
    capsys.readouterr()

    assert diag(*arguments, "study.max_units=2", "mode=report") == 4

    said = capsys.readouterr()
    assert "report.html is a folder" in said.err
    assert said.out == ""
    assert not (folder / "tables").exists()
