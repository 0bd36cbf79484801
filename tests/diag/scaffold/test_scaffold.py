"""Every example is generated, its own tests run, and the commands of its README are run as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from diag.app.command_line import main
from diag.config import CHECKOUT as REPOSITORY
from diag.errors import ConfigError
from diag.scaffold.write import write_example

ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def readme_commands(folder: Path) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    found = subprocess.run(
        command, shell=True, cwd=folder, env=ENVIRONMENT | environment, text=True, capture_output=True, check=False
    )
    assert found.returncode == 0, f"{command}\n{found.stdout[-3000:]}\n{found.stderr[-3000:]}"
    return found


@pytest.mark.parametrize(
    ("kind", "n_commands"),
    [
        pytest.param("intervention", 2, marks=pytest.mark.slow),
        pytest.param("agent", 2, marks=pytest.mark.slow),
        ("study", 3),
    ],
)
def test_the_readme_of_an_example_can_be_followed(kind: str, n_commands: int, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert main(["new", kind, "kind_words", "--folder", str(folder)]) == 0

    commands = readme_commands(folder)
    for command in commands:
        run(command, folder)

    assert len(commands) == n_commands
    (table,) = folder.glob("outputs/trial/*/tables/outcomes.csv")
    rows = pd.read_csv(table)
    assert rows["validity"].tolist() == ["valid", "valid"]
    if kind == "intervention":
        assert set(rows["arm"]) == {"A", "P"}
        blocks = [path.read_text() for path in folder.glob("outputs/trial/*/blocks/*.json")]
        assert blocks
        assert all(re.search(r"[1-9]\d* actions led to this screen", block) for block in blocks)
    if kind == "agent":
        assert set(rows["agent"]) == {"kind_words"}
    if kind == "study":
        assert rows["prompt_start"].isin([True, False]).all()
        assert "(SIMULATED)" in (folder / "kind_words.svg").read_text()


def test_a_game_passes_its_own_tests_and_the_suite_finds_it_once_installed(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write_example("game", "lamp_row", folder)
    for command in readme_commands(folder):
        run(command, folder)

    installed = folder / "lamp_row-0.1.0.dist-info"  # what `pip install` would leave: name and entry points
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: lamp-row\nVersion: 0.1.0\n")
    entries = re.findall(r'\."(diag\.\w+)"\]\n(\w+) = "([^"]+)"', (folder / "pyproject.toml").read_text())
    (installed / "entry_points.txt").write_text("".join(f"[{group}]\n{name} = {at}\n" for group, name, at in entries))
    seen = run(
        f'{sys.executable} -c "'
        "from games.catalogue import load_catalogue; from solvers.registry import solver_for\n"
        "levels = load_catalogue().levels('lamp_row', 'easy'); print(len(levels), solver_for('lamp_row').game)\"",
        folder,
        PYTHONPATH=str(folder),
    )
    assert seen.stdout.split() == ["2", "lamp_row"]
    contract = REPOSITORY / "tests" / "games" / "test_contract.py"
    run(
        f"{sys.executable} -m pytest -q -p no:cacheprovider -k lamp_row {contract}",
        REPOSITORY,
        PYTHONPATH=os.pathsep.join((str(folder), str(REPOSITORY))),
    )


@pytest.mark.parametrize("name", ["Kind", "2nd", "class", "json", "diag", "a-b", "", "x" * 41])
def test_a_name_that_python_cannot_import_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="name: "):
        write_example("agent", name, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_nothing_is_written_over_or_into_the_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept.txt").write_text("mine")

    assert main(["new", "study", "mine_too", "--folder", str(tmp_path)]) == 2
    assert main(["new", "study", "mine_too", "--folder", str(REPOSITORY / "examples" / "mine_too")]) == 2
    said = capsys.readouterr().err
    assert "not empty; nothing was written" in said
    assert "inside the repository" in said
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
    assert not (REPOSITORY / "examples").exists()
