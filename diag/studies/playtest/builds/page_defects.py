"""Defects of the page around the board: the same patches fit the bundle of every game."""

from __future__ import annotations

from diag.studies.playtest.builds.defect import Defect

PAGE_DEFECTS = (
    Defect(
        "restart_dead",
        "restart",
        "suite/reducer.py",
        'return record(catalogue, replace(state, play=Play(level, Table(first)), message=None), "restart")',
        'return record(catalogue, replace(state, play=state.on_board, message=None), "restart")',
        "The Restart button does nothing.",
    ),
    Defect(
        "win_unnoticed",
        "win",
        "suite/reducer.py",
        "history=(*play.history, before), dialog=won)",
        "history=(*play.history, before), dialog=False)",
        "Nothing happens when the level is complete.",
    ),
    Defect(
        "next_stuck",
        "next",
        "suite/reducer.py",
        "following = next_level(catalogue, state.on_board.level)",
        "following = state.on_board.level",
        "Next level opens the same level again.",
    ),
    Defect(
        "count_frozen",
        "count",
        "suite/controls.py",
        "won = len(set(levels) & set(state.won_levels))",
        "won = 0",
        "The home screen counts no level as solved.",
    ),
    Defect(
        "legend_missing",
        "legend",
        "suite/picture.py",
        "return instructions_of(game_in_play(catalogue, state), state.language, state.instructions)",
        "return []",
        "There are no instructions.",
    ),
    Defect(
        "level_misnamed",
        "level_name",
        "suite/picture.py",
        "difficulty=label, number=level.number)",
        "difficulty=label, number=level.number + 1)",
        "The panel names the wrong level.",
    ),
    Defect(
        "message_missing",
        "message",
        "suite/reducer.py",
        "state = replace(state, message=_message(reaction), motion=reaction.motion)",
        "state = replace(state, message=None, motion=reaction.motion)",
        "A refused input is not answered.",
    ),
)
