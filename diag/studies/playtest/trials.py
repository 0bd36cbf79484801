"""What the scripted playtester tries on every game: behaviours that the game guide promises, each in one or more ways.

These are the playtester's own; no judge uses them, and they were not made from the rubric. A way is a script of
`diag.studies.playtest.script` and what its looks should show: `same REGION i j`, `changed ...`, `inked REGION i`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """One way to bring a behaviour about."""

    script: tuple[str, ...]
    shows: tuple[str, ...]


@dataclass(frozen=True)
class Trial:
    """One behaviour; it fails when all its ways do."""

    about: str
    dimension: str
    guide: str
    """What the guide says of it."""
    fix: str
    ways: tuple[Way, ...]


def _seen(*looks: str) -> tuple[str, ...]:
    return ("enter", *looks)


START = Trial(
    "start", "interface", "a level opens from the home screen", "check the way from the home screen to a level",
    (Way(("look", *_seen("look")), ("changed board 0 1",)),),
)  # fmt: skip
WIN = Trial(
    "win", "progression", "a finished level says so", "check what happens after the last move",
    (
        Way(_seen("almost", "look", "win", "look"), ("changed bar 0 1",)),
        Way(_seen("moves 1", "press restart", "almost", "look", "win", "look"), ("changed bar 0 1",)),
        Way(_seen("press home", "enter", "almost", "look", "win", "look"), ("changed bar 0 1",)),
    ),
)  # fmt: skip
"""Two different retries, by Restart and by the home screen, before a level is called blocked."""
_OF_PAGE = (
    Trial(
        "restart", "controls", "Restart begins the level again", "check what the Restart button sets the board to",
        (
            Way(_seen("look", "moves 1", "press restart", "look"), ("same board 0 1",)),
            Way(_seen("look", "almost", "press restart", "look"), ("same board 0 1",)),
        ),
    ),
    Trial(
        "next", "progression", "Next level opens the level after it", "check which level follows",
        (Way(_seen("look", "win", "press close_dialog", "press next_level", "look"), ("changed board 0 1",)),),
    ),
    Trial(
        "count", "progression", "the home screen counts solved levels", "check what the home screen counts",
        (Way(("look", *_seen("win", "press close_dialog", "press home", "look")), ("changed count 0 1",)),),
    ),
    Trial(
        "legend", "interface", "the panel explains the game", "check the instructions of the panel",
        (Way(_seen("look"), ("inked legend 0",)),),
    ),
)  # fmt: skip
_REFUSED = {
    "bolt_unscrew": "tap 300 830",
    "color_connect": "tap 460 488",
    "maze_paint": "tap 400 400",
    "nut_and_bolt": "tap 560 500",
    "rush_hour": "tap 240 260",
    "truck_escape": "drag 440 850 580 850",
}
_BACK = "same board 0 2", "changed board 0 1"
_OF_GAME: Mapping[str, tuple[Trial, ...]] = {
    "bolt_unscrew": (
        Trial("put_back", "controls", "a lifted screw can be put back", "check a second click on a lifted screw",
              (Way(_seen("look", "tap 345 478", "look", "tap 345 478", "look"), _BACK),)),
        Trial("lifted", "visual feedback", "a lifted screw looks lifted", "check how a lifted screw is drawn",
              (Way(_seen("look", "tap 345 478", "look"), ("changed board 0 1",)),)),
        Trial("plate", "mechanics", "screws go into holes", "check how near to a hole a click must be",
              (Way(_seen("look", "tap 345 478", "tap 300 200", "look"), ("same board 0 1",)),)),
        Trial("swap", "controls", "another screw can be lifted instead", "check a click on a second screw",
              (Way(_seen("tap 345 478", "look", "tap 460 325", "look"), ("changed board 0 1",)),)),
    ),
    "color_connect": (
        Trial("ribbon", "visual feedback", "paths are drawn", "check how a path is drawn",
              (Way(_seen("look", "almost", "look"), ("changed 200,436,104,104 0 1",)),)),
        Trial("active", "visual feedback", "a chosen dot looks chosen", "check how the active dot is drawn",
              (Way(_seen("look", "tap 356 384", "look"), ("changed 304,332,104,104 0 1",)),)),
    ),
    "maze_paint": (
        Trial("keys", "controls", "arrow keys roll the ball", "check the table of keys",
              (Way(_seen("look", "key ArrowUp", "look"), ("changed board 0 1",)),)),
        Trial("diagonal", "controls", "only straight swipes count", "check which swipes are taken",
              (Way(_seen("look", "drag 420 620 520 520", "look"), ("same board 0 1",)),)),
        Trial("wall", "mechanics", "walls stop the ball", "check a swipe against a wall",
              (Way(_seen("look", "key ArrowDown", "look"), ("same board 0 1",)),)),
        Trial("ball", "visual feedback", "the ball is where it rolled to", "check where the ball is drawn",
              (Way(_seen("look", "moves 1", "look"), ("changed 655,371,26,26 0 1",)),)),
        Trial("trail", "visual feedback", "crossed cells are painted", "check how paint is drawn",
              (Way(_seen("look", "moves 1", "look"), ("changed 616,540,104,104 0 1",)),)),
    ),
    "nut_and_bolt": (
        Trial("undo", "controls", "Undo takes a move back", "check what Undo restores",
              (Way(_seen("look", "moves 1", "look", "press undo", "look"), _BACK),)),
        Trial("put_back", "controls", "lifted nuts can be put back", "check a second click on a bolt",
              (Way(_seen("look", "tap 208 500", "look", "tap 208 500", "look"), _BACK),)),
        Trial("lifted", "visual feedback", "lifted nuts look lifted", "check how lifted nuts are drawn",
              (Way(_seen("look", "tap 208 500", "look"), ("changed board 0 1",)),)),
        Trial("colours", "mechanics", "nuts go onto their colour only", "check what a nut may go onto",
              (Way(_seen("moves 1", "tap 208 500", "look", "tap 544 500", "look"), ("same board 0 1",)),)),
    ),
    "rush_hour": (
        Trial("block", "mechanics", "vehicles block each other", "check which cells are taken",
              (Way(_seen("look", "drag 640 370 640 140", "look"), ("same board 0 1",)),)),
        Trial("axis", "mechanics", "vehicles keep to their lane", "check drags across a vehicle",
              (Way(_seen("look", "drag 463 370 463 130", "look"), ("same board 0 1",)),)),
        Trial("short", "controls", "a slight drag moves nothing", "check how a drag is rounded to cells",
              (Way(_seen("look", "drag 463 370 440 370", "look"), ("same board 0 1",)),)),
        Trial("star", "interface", "the car that must get out has a star", "check how the car is marked",
              (Way(_seen("look"), ("inked 180,577,90,60 0",)),)),
    ),
    "truck_escape": (
        Trial("bump", "mechanics", "vehicles block each other", "check what is in a vehicle's way",
              (Way(_seen("look", "tap 408 436", "look"), ("same board 0 1",)),)),
        Trial("stray", "controls", "empty ground moves nothing", "check clicks beside the vehicles",
              (Way(_seen("look", "tap 620 340", "look"), ("same board 0 1",)),)),
        Trial("gone", "visual feedback", "vehicles that left are gone", "check which vehicles are drawn",
              (Way(_seen("look", "moves 1", "look"), ("changed 564,384,208,104 0 1",)),)),
    ),
}  # fmt: skip


def trials_of(game: str) -> tuple[Trial, ...]:
    """Return what is tried on a build of a game, the start and the win first."""
    message = Trial(
        "message", "visual feedback", "a refused input is answered", "check the message after a refused input",
        (Way(_seen("look", _REFUSED[game], "look"), ("changed message 0 1",)),),
    )  # fmt: skip
    return (START, WIN, *_OF_PAGE, message, *_OF_GAME[game])
