"""Scripted builders: world models whose every diagnostic is known beforehand. They prove wiring and arithmetic."""

from __future__ import annotations

import io
import json
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import games
import solvers
from diag.starts.suite_game import DEADLOCK_STATES

Builder = Literal["exact", "fault", "abstaining", "wrong_goal"]
BUILDERS = ("exact", "fault", "abstaining", "wrong_goal")
"""The exact rules; one cell wrong every `FAULT_EVERY` actions; no cell claimed and nothing foreseen;
right dynamics with a wrong goal."""
FAULT_EVERY = 4
GOAL_EVERY = 3
TEMPLATE = Path(__file__).parent / "simulators" / "model.py"
_STORED = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the archive: equal rules give equal bytes."""


def model_files(builder: str, game: Any, seed: int = 0) -> dict[str, bytes]:
    """Return the files of a builder's model of a game of the suite (`diag.starts.grid_games.GridGame`).

    Args:
        builder: one of `BUILDERS`.
        game: what is played.
        seed: shifts the actions at which the fault shows.

    Raises:
        ValueError: no such builder.
    """
    if builder not in BUILDERS:
        raise ValueError(f"builder: got {builder!r}, wanted one of {', '.join(BUILDERS)}")
    every = GOAL_EVERY if builder == "wrong_goal" else FAULT_EVERY
    settings = {
        "builder": builder,
        "every": every,
        "phase": seed % every,
        "game": game.name,
        "layouts": [entry.layout_json for entry in game.entries],
        "loss": list(game.rule.words),
        "deadlock_states": DEADLOCK_STATES,
    }
    return {
        "model.py": TEMPLATE.read_bytes(),
        "settings.json": json.dumps(settings).encode(),
        "simulator.zip": _rules(game.name),
    }


@lru_cache(maxsize=16)
def _rules(game: str) -> bytes:
    """Return the archive of the rules of one game and of its solver."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for package, folders in ((games, ("", "grid", "suite", game)), (solvers, ("", game))):
            root = Path(str(package.__file__)).parent
            for path in sorted(path for folder in folders for path in _modules(root / folder)):
                name = (Path(root.name) / path.relative_to(root)).as_posix()
                archive.writestr(zipfile.ZipInfo(name, _STORED), path.read_bytes())
    return buffer.getvalue()


def _modules(folder: Path) -> list[Path]:
    return list(folder.glob("*.py"))
