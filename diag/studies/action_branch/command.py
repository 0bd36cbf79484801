"""`python -m diag branches study=FOLDER [library=FOLDER] [game=maze_paint] [states=3]`: states for action branches.

Takes the costly moves that were really made in the study's episodes, chooses boards of different levels, certifies and
pictures them, and writes the library that `+experiment=action_branch study.states=FOLDER` continues from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from checkpoints.branch import build_branches, choose, costly_states
from checkpoints.build import Builder, browser_pages
from checkpoints.store import save_library
from diag.errors import ConfigError
from diag.grading.episodes.plays import plays_of_study
from diag.terminal import options, say
from games.catalogue import load_catalogue


def main(arguments: Sequence[str]) -> int:
    """Harvest, choose, build, write; print what was chosen."""
    given = options(
        arguments, {"study": "", "library": "action_branch", "game": "maze_paint", "states": "3", "levels": ""}
    )
    if not given["study"] or not given["states"].isdecimal() or int(given["states"]) < 1:
        raise ConfigError("branches wants study=FOLDER of a recorded study, and states= a number from 1")
    catalogue = load_catalogue(Path(given["levels"]) if given["levels"] else None)
    plays = [play for play in plays_of_study(Path(given["study"]), catalogue) if play.level.game == given["game"]]
    found = [state for play in plays for state in costly_states(catalogue, play)]
    chosen = choose(found, int(given["states"]))
    folder = Path(given["library"])
    with browser_pages(catalogue) as (open_page, build):
        library, pictures = build_branches(Builder(catalogue, open_page, build, say), chosen, folder.name, folder)
    save_library(library, pictures)
    for state in chosen:
        say(
            f"{state.play.level}: d = {state.distance} after {state.n_moves} moves; observed {state.costly} costs "
            f"{state.extra_cost} more than {state.shortest}"
        )
    say(f"{len(chosen)} of {len(found)} observed costly moves; {folder}")
    return 0
