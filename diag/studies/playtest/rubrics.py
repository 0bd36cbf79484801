"""The rubrics of the six games. Places are pixels of level 1 of each bundle."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from diag.studies.playtest.builds.bundle import bundle_catalogue
from diag.studies.playtest.rubric import Criterion, Rubric

_REFUSED = {
    "bolt_unscrew": "tap 230 820",
    "color_connect": "tap 356 488",
    "maze_paint": "tap 460 490",
    "nut_and_bolt": "tap 544 500",
    "rush_hour": "tap 227 252",
    "truck_escape": "drag 460 850 560 850",
}
"""A gesture that each game refuses at the start of level 1."""
_STAYS = ("same board 0 1",)
_RETURNS = ("changed board 0 1", "same board 0 2")


def _of_page(game: str) -> tuple[Criterion, ...]:
    return (
        Criterion(
            "restart",
            "controls",
            "Restart brings back the first board of the level.",
            ("enter", "look", "moves 1", "look", "press restart", "look"),
            _RETURNS,
            _RETURNS,
        ),
        Criterion(
            "win",
            "progression",
            "The last move of a level opens a dialog that says the level is complete.",
            ("enter", "almost", "look", "win", "look"),
            ("reference dialog.title",),
            ("changed bar 0 1",),
        ),
        Criterion(
            "next",
            "progression",
            "The button Next level opens the following level.",
            ("enter", "look", "win", "press close_dialog", "look", "press next_level", "look"),
            ("changed board 0 2", "changed board 1 2"),
            ("changed board 0 2", "changed board 1 2"),
        ),
        Criterion(
            "count",
            "progression",
            "The home screen counts a level as solved once it was completed.",
            ("look", "enter", "win", "press close_dialog", "press home", "look"),
            (f"reference controls.game:{game}.count",),
            ("changed count 0 1",),
        ),
        Criterion(
            "legend",
            "interface",
            "The panel beside the board tells the goal and the gestures of the game.",
            ("enter", "look"),
            ("reference instructions",),
            ("inked legend 0",),
        ),
        Criterion(
            "level_name",
            "interface",
            "The panel names the level that is being played.",
            ("enter", "look"),
            ("reference subtitle",),
            ("inked subtitle 0",),
        ),
        Criterion(
            "message",
            "visual feedback",
            "An input that the game refuses is answered by a message.",
            ("enter", "look", _REFUSED[game], "look"),
            ("present note 1",),
            ("changed message 0 1",),
        ),
    )


_BOLT_UNSCREW = (
    Criterion(
        "put_back",
        "controls",
        "A click on a lifted screw puts it back.",
        ("enter", "look", "tap 460 325", "look", "tap 460 325", "look"),
        _RETURNS,
        _RETURNS,
    ),
    Criterion(
        "swap",
        "controls",
        "A click on another screw lifts that one instead.",
        ("enter", "tap 460 325", "look", "tap 345 478", "look"),
        ("changed board 0 1",),
        ("changed board 0 1",),
    ),
    Criterion(
        "plate",
        "mechanics",
        "A click on the plate where there is no hole moves no screw.",
        ("enter", "look", "tap 460 325", "tap 300 200", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "lifted",
        "visual feedback",
        "A lifted screw is drawn above the board.",
        ("enter", "look", "tap 460 325", "look"),
        ("pixels board",),
        ("changed board 0 1",),
    ),
)
_YELLOW = ("tap 356 384", "tap 252 384", "tap 252 592", "tap 460 592")
"""Draws the yellow path of Color Connect along the left edge and through the row of its partner."""
_COLOR_CONNECT = (
    Criterion(
        "back",
        "controls",
        "A click on an earlier cell of the path being drawn goes back to it.",
        ("enter", "moves 2", "look", "moves 1", "look", "tap 252 280", "look"),
        _RETURNS,
        _RETURNS,
    ),
    Criterion(
        "cross",
        "mechanics",
        "A path cannot be drawn across another one.",
        ("enter", *_YELLOW, "tap 460 488", "tap 356 488", "look", "tap 356 696", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "remove",
        "controls",
        "A click on a dot of a finished path removes that path.",
        ("enter", "look", *_YELLOW, "look", "tap 356 384", "look"),
        _RETURNS,
        _RETURNS,
    ),
    Criterion(
        "ribbon",
        "visual feedback",
        "A path is drawn over the cells it runs through.",
        ("enter", "look", *_YELLOW, "look"),
        ("pixels 200,436,104,104",),
        ("changed 200,436,104,104 0 1",),
    ),
    Criterion(
        "active",
        "visual feedback",
        "A clicked dot shows that its path is being drawn.",
        ("enter", "look", "tap 356 280", "look"),
        ("pixels 304,228,104,104",),
        ("changed 304,228,104,104 0 1",),
    ),
)
_MAZE_PAINT = (
    Criterion(
        "keys",
        "controls",
        "An arrow key rolls the ball as a swipe does.",
        ("enter", "look", "key ArrowUp", "look"),
        ("changed board 0 1", "reference board.ball"),
        ("changed board 0 1",),
    ),
    Criterion(
        "diagonal",
        "controls",
        "A diagonal swipe does not move the ball.",
        ("enter", "look", "drag 400 600 500 500", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "wall",
        "mechanics",
        "A swipe against a wall leaves the ball where it is.",
        ("enter", "look", "drag 400 400 400 600", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "ball",
        "visual feedback",
        "The ball is drawn where it came to rest.",
        ("enter", "look", "moves 1", "look"),
        ("pixels 655,371,26,26",),
        ("changed 655,371,26,26 0 1",),
    ),
    Criterion(
        "trail",
        "visual feedback",
        "Crossed cells are drawn as painted.",
        ("enter", "look", "moves 1", "look"),
        ("pixels 616,540,104,104",),
        ("changed 616,540,104,104 0 1",),
    ),
)
_NUT_AND_BOLT = (
    Criterion(
        "undo",
        "controls",
        "Undo takes back the last transfer.",
        ("enter", "look", "moves 1", "look", "press undo", "look"),
        _RETURNS,
        _RETURNS,
    ),
    Criterion(
        "put_back",
        "controls",
        "A second click on a bolt puts its lifted nuts back.",
        ("enter", "look", "tap 208 500", "look", "tap 208 500", "look"),
        _RETURNS,
        _RETURNS,
    ),
    Criterion(
        "colours",
        "mechanics",
        "Nuts do not go onto a nut of another colour.",
        ("enter", "moves 1", "tap 208 500", "look", "tap 544 500", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "lifted",
        "visual feedback",
        "Lifted nuts are drawn above their bolt.",
        ("enter", "look", "tap 208 500", "look"),
        ("pixels board",),
        ("changed board 0 1",),
    ),
)
_RUSH_HOUR = (
    Criterion(
        "block",
        "mechanics",
        "A vehicle cannot slide through another one.",
        ("enter", "look", "drag 640 370 640 250", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "axis",
        "mechanics",
        "A drag across a vehicle's length does not move it.",
        ("enter", "look", "drag 463 370 463 252", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "short",
        "controls",
        "A drag of less than half a cell leaves the vehicle where it was.",
        ("enter", "look", "drag 463 370 428 370", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "star",
        "interface",
        "The car that must get out is marked by a star.",
        ("enter", "look"),
        ("pixels 109,547,236,118",),
        ("inked 109,547,236,118 0",),
    ),
    Criterion(
        "exit",
        "visual feedback",
        "The exit is marked on the right side.",
        ("enter", "look"),
        ("pixels 700,547,120,118",),
        ("inked 700,547,120,118 0",),
    ),
)
_TRUCK_ESCAPE = (
    Criterion(
        "bump",
        "mechanics",
        "A vehicle with another one in its way stays in the lot.",
        ("enter", "look", "tap 408 436", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "stray",
        "controls",
        "A click on an empty place moves no vehicle.",
        ("enter", "look", "tap 616 332", "look"),
        _STAYS,
        _STAYS,
    ),
    Criterion(
        "arrow",
        "visual feedback",
        "Every vehicle points the way it drives.",
        ("enter", "look"),
        ("pixels board",),
        ("inked board 0",),
    ),
    Criterion(
        "gone",
        "visual feedback",
        "A vehicle that has left is no longer drawn.",
        ("enter", "look", "moves 1", "look"),
        ("pixels 564,384,208,104",),
        ("changed 564,384,208,104 0 1",),
    ),
)
_OF_GAME: Mapping[str, tuple[Criterion, ...]] = {
    "bolt_unscrew": _BOLT_UNSCREW,
    "color_connect": _COLOR_CONNECT,
    "maze_paint": _MAZE_PAINT,
    "nut_and_bolt": _NUT_AND_BOLT,
    "rush_hour": _RUSH_HOUR,
    "truck_escape": _TRUCK_ESCAPE,
}


@cache
def rubric_of(game: str) -> Rubric:
    """Return the rubric of a game. Raises KeyError naming the games there are."""
    if game not in _OF_GAME:
        raise KeyError(f"no rubric of {game!r}; there are rubrics of {', '.join(_OF_GAME)}")
    return Rubric(game, prompt_of(game), (*_of_page(game), *_OF_GAME[game]))


def prompt_of(game: str) -> str:
    """Return the generation prompt of a game: what it should be, in the words of its own instructions."""
    texts = bundle_catalogue(game).games[game].texts("en")
    return (
        f"Make {texts['title']}, a browser puzzle of 1280 x 900 pixels with a home screen, levels, Restart and a "
        f"dialog when a level is complete. {' '.join(texts['instructions'])}"
    )
