import pytest

from games.contract import BOARD, Drag, Gesture, KeyPress, Table, Tap
from games.rush_hour.layout import Slide
from games.rush_hour.rules import legal_moves, step
from games.rush_hour.sight import options
from games.rush_hour.stage import gestures, grid_of, react, scene

from .boards import board

STATE = board("aa...b", "...#.b", "TT.c.b", "...c..", "ddd...")
TABLE = Table(STATE)
GRID = grid_of(STATE.layout)


def pixel(row: float, column: float) -> tuple[float, float]:
    return GRID.x + (column + 0.5) * GRID.cell, GRID.y + (row + 0.5) * GRID.cell


def drag(start: tuple[float, float], end: tuple[float, float], *, finished: bool = True) -> Drag:
    return Drag(*pixel(*start), *pixel(*end), finished=finished)


def test_every_move_has_a_drag_that_makes_it() -> None:
    for move in legal_moves(STATE):
        (gesture,) = gestures(TABLE, move)
        assert react(TABLE, gesture).move == move


@pytest.mark.parametrize(
    ("gesture", "move"),
    [
        (drag((0, 0), (0, 2.4)), Slide(0, 2)),
        (drag((0, 0), (0, 2.6)), Slide(0, 3)),
        (drag((0, 1), (0, 5)), Slide(0, 3)),  # from its second cell, into b: as far as it goes
        (drag((0, 5), (4, 2)), Slide(1, 2)),  # only the part along the axis counts
        (drag((4, 0), (4, 0.6)), Slide(4, 1)),
    ],
)
def test_a_drag_settles_on_the_nearest_cell_it_can_reach(gesture: Drag, move: Slide) -> None:
    assert react(TABLE, gesture).move == move


@pytest.mark.parametrize(
    ("gesture", "note"),
    [
        (drag((0, 0), (2, 0)), "other_axis"),
        (drag((2, 3), (0, 3)), "in_the_way"),
        (drag((0, 0), (0, -3)), "in_the_way"),
        (drag((1, 3), (1, 5)), "grab_a_vehicle"),
        (Tap(*pixel(2, 0)), "drag_it"),
        (drag((0, 0), (0, 0.3)), None),
        (drag((1, 0), (1, 3)), None),  # an empty cell
        (Tap(*pixel(1, 0)), None),
        (Tap(BOARD.x, BOARD.y), None),
        (KeyPress("ArrowRight"), None),
    ],
)
def test_what_moves_nothing_says_why_or_is_quiet(gesture: Gesture, note: str | None) -> None:
    reaction = react(TABLE, gesture)
    assert reaction.move is None
    assert reaction.held is None
    assert (reaction.note.key if reaction.note else None) == note


def test_an_unfinished_drag_shows_the_slide_up_to_the_obstacle_and_moves_nothing() -> None:
    reaction = react(TABLE, drag((2, 0), (2, 4), finished=False))
    assert reaction.move is None
    shown = scene(Table(STATE, reaction.held))
    assert [one["shift"] for one in shown["vehicles"]] == [0, 0, GRID.cell, 0, 0]
    assert {tuple(option.move) for option in options(shown)} == {tuple(move) for move in legal_moves(STATE)}


def test_a_drag_back_to_where_it_began_drops_the_preview() -> None:
    held = react(TABLE, drag((2, 0), (2, 1), finished=False)).held
    reaction = react(Table(STATE, held), drag((2, 0), (2, 0)))
    assert (reaction.move, reaction.held) == (None, None)


def test_the_target_drives_wholly_out_of_the_picture_when_it_wins() -> None:
    won = step(board("....", "TT..", "...."), Slide(0, 2))
    (target,) = scene(Table(won))["vehicles"]
    grid = grid_of(won.layout)
    assert target["x"] >= BOARD.x + BOARD.width
    assert options(scene(Table(won))) == ()
    assert react(Table(won), Drag(grid.x + 3 * grid.cell, grid.y + 1.5 * grid.cell, grid.x, grid.y)).move is None


@pytest.mark.parametrize(
    "rows", [("TT...", *(["....."] * 4)), ("TT......", *(["........"] * 7)), ("TT.", "...", "...")]
)
def test_the_drawing_stays_inside_the_board(rows: tuple[str, ...]) -> None:
    grid = grid_of(board(*rows).layout)
    assert grid.x >= BOARD.x + 20
    assert grid.y >= BOARD.y + 20
    assert grid.x + grid.cell * len(rows[0]) + 100 <= BOARD.x + BOARD.width
    assert grid.y + grid.cell * len(rows) + 20 <= BOARD.y + BOARD.height


def test_freeing_the_lane_looks_better_than_other_slides_and_blocking_it_worst() -> None:
    appeal = {tuple(option.move): option.appeal for option in options(scene(TABLE))}
    assert appeal[3, 1] > appeal[4, 1] > appeal[1, 2]  # c leaves the lane, d has nothing to do with it, b stays in it
    assert appeal[2, 1] > appeal[4, 1]  # the target comes nearer
