"""Files that follow from a study's records: damaged ones are made again and stop nothing."""

from pathlib import Path

import pytest

DAMAGE = {
    "empty": lambda _: b"",
    "half": lambda content: content[: len(content) // 2],
    "no text": lambda _: b"\xff\xfe\x00",
    "another shape": lambda _: b"[1]",
}


@pytest.fixture
def reported(diag, arguments, tmp_path) -> tuple[list[str], Path]:
    words = [*arguments, "study.max_units=4"]
    assert diag(*words, "mode=run") == 0
    assert diag(*words, "mode=report") == 0
    return words, tmp_path / "out" / "rq2" / "standin-rules"


def derived(folder: Path) -> list[Path]:
    """Everything that no record is: what the power is, tables, pages, figures."""
    pages = [path for path in folder.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg")]
    return [folder / "power.json", *sorted((folder / "tables").iterdir()), *sorted(pages)]


@pytest.mark.slow
def test_damaged_files_are_made_again(diag, reported, capsys):
    words, folder = reported
    whole = {path: path.read_bytes() for path in derived(folder)}
    assert {path.name for path in whole} >= {
        "power.json",
        "outcomes.csv",
        "effects.json",
        "analysis.json",
        "report.html",
    }
    ways = list(DAMAGE.values())
    for place, (path, content) in enumerate(whole.items()):
        path.write_bytes(ways[place % len(ways)](content))
    assert diag(*words, "mode=report") == 0, capsys.readouterr().err
    again = {path: path.read_bytes() for path in whole}
    assert [path.name for path in whole if again[path] != whole[path]] == ["power.json", "report.html"]  # made later
    for damage in ways:
        (folder / "power.json").write_bytes(damage(whole[folder / "power.json"]))
        assert diag(*words, "mode=run") == 0, capsys.readouterr().err
        assert (folder / "power.json").read_bytes() == again[folder / "power.json"]
    (folder / "tables" / "outcomes.csv").write_bytes(b"\xff\xfe")
    assert diag("compare", str(folder), str(folder)) == 3
    assert "mode=analyse writes it" in capsys.readouterr().err
