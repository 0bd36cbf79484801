"""What a level pack may hold: layouts far beyond our own can be read, lie apart on the screen, and can be played."""

from __future__ import annotations

import io
import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from far_layouts import FAR, STRANGE, colour_names
from PIL import Image
from playwright.sync_api import Browser

from games import colours
from games.catalogue import Catalogue, catalogue_of, load_catalogue
from games.colours import MARKS, MOST_COLOURS, PALETTE, looks, swatch
from games.contract import BOARD, Game, LevelError, LevelId, Rect, Table
from games.nut_and_bolt.layout import parse_layout as nuts_of
from games.nut_and_bolt.stage import nut_size, slots
from games.registry import registered_games
from games.suite.page import SuitePage
from games.suite.server import SuiteServer

REPOSITORY = Path(__file__).parents[2]
SCHEMA = json.loads((REPOSITORY / "games" / "level-pack.schema.json").read_text(encoding="utf-8"))["$defs"]
REAL = REPOSITORY.parent / "shared" / "real-levels"
ROUNDS = 12
every_game = pytest.mark.parametrize("name", sorted(FAR))


def game_of(name: str) -> Game:
    return registered_games()[name]


def layouts(name: str, count: int = ROUNDS) -> list[Any]:
    rng = random.Random(name)
    return [game_of(name).parse_layout(FAR[name](rng)) for _ in range(count)]


def test_every_game_has_far_layouts_and_a_schema() -> None:
    assert set(FAR) == set(registered_games())
    assert set(FAR) <= set(SCHEMA)


@every_game
def test_far_layouts_are_played_by_what_can_be_seen_of_them(name: str) -> None:
    game, rng = game_of(name), random.Random(1)
    for layout in layouts(name, 6):
        state = game.initial_state(layout)
        for _ in range(3):
            moves = game.legal_moves(state)
            seen = [option.move for option in game.options(game.scene(Table(state)))]
            assert sorted(map(str, seen)) == sorted(str(game.move_to_json(move)) for move in moves)
            assert game.state_from_json(layout, game.state_to_json(state)) == state
            if not moves:
                break
            state = played(game, state, rng.choice(moves))


@pytest.mark.skipif(not REAL.is_dir(), reason="the real benchmark files are not here")
def test_real_layouts_are_played_by_what_can_be_seen_of_them() -> None:
    catalogue = load_catalogue(REAL)
    for level in catalogue.entries:
        game = catalogue.games[level.id.game]
        state = game.initial_state(catalogue.layout(level.id))
        moves = game.legal_moves(state)
        seen = [option.move for option in game.options(game.scene(Table(state)))]
        assert sorted(map(str, seen)) == sorted(str(game.move_to_json(move)) for move in moves), level.id
        played(game, state, moves[-1])


def played(game: Game, state: Any, move: Any) -> Any:
    """Return the state after the gestures of a move, each of which lies on the board."""
    table = Table(state)
    for gesture in game.gestures(table, move):
        found = game.react(table, gesture)
        table = Table(state, found.held)
    assert found.move == move
    return game.step(state, move)


@every_game
def test_the_pieces_of_far_layouts_lie_apart_on_the_board(name: str) -> None:
    for layout in layouts(name):
        for piece in pieces_of(name, game_of(name).scene(Table(game_of(name).initial_state(layout)))):
            assert min(piece.width, piece.height) >= 12
            assert BOARD.x <= piece.x <= piece.x + piece.width <= BOARD.x + BOARD.width
            assert BOARD.y <= piece.y <= piece.y + piece.height <= BOARD.y + BOARD.height


def pieces_of(name: str, scene: Any) -> list[Rect]:
    """Return the corner tiles of a grid, the bolts, the holes of a plate: what must have room."""
    if name == "nut_and_bolt":
        return [Rect(*bolt["slot"]) for bolt in scene["bolts"]]
    if name == "bolt_unscrew":
        return [Rect(one["x"] - 14, one["y"] - 14, 28, 28) for one in (*scene["holes"], *scene["screws"])]
    if name == "clue_house":
        return []
    grid = scene.get("frame") or {**scene["grid"], "tile": scene["grid"]["cell"]}
    tile, right, bottom = grid["tile"], grid["columns"] - 1, grid["rows"] - 1
    return [Rect(grid["x"] + c * tile, grid["y"] + r * tile, tile, tile) for r in (0, bottom) for c in (0, right)]


@pytest.mark.parametrize(("n_bolts", "capacity"), [(17, 3), (17, 10), (24, 4), (24, 24), (33, 7), (48, 2), (48, 24)])
def test_bolts_and_nuts_have_room(n_bolts: int, capacity: int) -> None:
    layout = nuts_of(FAR["nut_and_bolt"](random.Random(2), n_bolts=n_bolts, capacity=capacity))
    found, (width, height) = slots(layout), nut_size(layout)
    assert len(found) == n_bolts
    assert height >= 12
    assert 22 <= width < found[0].width
    for one, other in combinations(found, 2):
        apart = abs(one.x - other.x) >= one.width or abs(one.y - other.y) >= one.height
        assert apart, (one, other)


def limits_of(name: str) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return (what, a layout at the limit of the schema, one just beyond it)."""
    known = SCHEMA[name]["properties"]
    if name == "nut_and_bolt":
        most, capacity = known["bolts"]["maxItems"], known["capacity"]["maximum"]
        rng = random.Random(3)
        return [
            ("bolts", *(FAR[name](rng, n_bolts=most + k, capacity=2) for k in (0, 1))),
            ("capacity", *(FAR[name](rng, n_bolts=3, capacity=capacity + k) for k in (0, 1))),
        ]
    if name == "maze_paint":
        most = known["rows"]["maxItems"]
        return [("rows", *({"rows": ["S." + "." * (most - 2 + k)]} for k in (0, 1)))]
    if name == "clue_house":
        most = known["rows"]["maximum"]
        rooms = {"start": [0, 0], "treasure": [0, 1], "doors": [{"room": [0, 0], "side": "right", "kind": "open"}]}
        rest: dict[str, Any] = {**rooms, "keys": [], "cards": [], "locks": [], "columns": 2}
        return [("rows", *({**rest, "rows": most + k} for k in (0, 1)))]
    if name == "bolt_unscrew":
        return [_anchor_at(side, known) for side in "xy"]
    if name == "agi_maze":
        most, things = known["rows"]["maximum"], {"start": [0, 0], "key": [0, 1], "treasure": [1, 0], "exit": [1, 1]}
        steps = known["soft_good_steps"]["maximum"]
        return [
            ("rows", *(_open_maze(most + k, 1, things) for k in (0, 1))),
            ("soft_good_steps", *(_open_maze(3, steps + k, things) for k in (0, 1))),
        ]
    most = SCHEMA["side"]["maximum"]
    content: dict[str, dict[str, Any]] = {
        "color_connect": {"pairs": [{"color": "red", "a": [0, 0], "b": [0, 1]}]},
        "rush_hour": {
            "vehicles": [{"row": 0, "column": 0, "length": 2, "axis": "h", "target": True}],
            "blockers": [],
        },
        "truck_escape": {"trucks": [{"row": 0, "column": 0, "direction": "right"}]},
    }
    return [("rows", *({**content[name], "rows": most + k, "columns": 3} for k in (0, 1)))]


def _open_maze(rows: int, steps: int, things: dict[str, Any]) -> dict[str, Any]:
    walls = {"right_walls": ["0"] * rows, "down_walls": ["00"] * (rows - 1)}
    return {"rows": rows, "columns": 2, **walls, **things, "soft_good_steps": steps}


def _anchor_at(side: str, known: Any) -> tuple[str, dict[str, Any], dict[str, Any]]:
    most = known["anchors"]["items"]["properties"][side]["maximum"]
    found = []
    for value in (most, most + 1):
        place = {"x": 200, "y": 300, side: value}
        board = {"shape": "disc", "radius": 24, "holes": [[0, 0]], **place}
        found.append({"anchors": [{**place, "screw": True}, {"x": 100, "y": 500, "screw": False}], "boards": [board]})
    return side, found[0], found[1]


@every_game
def test_the_schema_states_the_limits_that_are_kept(name: str) -> None:
    for what, at_it, beyond in limits_of(name):
        game_of(name).parse_layout(at_it)
        with pytest.raises(LevelError, match=what):
            game_of(name).parse_layout(beyond)


def test_the_schema_states_how_many_colours_and_how_long_their_names_may_be() -> None:
    assert SCHEMA["color_connect"]["properties"]["pairs"]["maxItems"] == MOST_COLOURS
    assert SCHEMA["colour"]["maxLength"] == colours.LONGEST_NAME
    assert colours.read_colour("nut", "x" * colours.LONGEST_NAME)
    for wrong in ("", " ", "x" * (colours.LONGEST_NAME + 1), "a\nb", None, 7):
        with pytest.raises(LevelError, match=r"nut: got .* wanted a colour's name, 1 to 24 printable characters"):
            colours.read_colour("nut", wrong)


# --- colours ---------------------------------------------------------------------------------------------------------


def test_any_names_of_one_board_get_swatches_and_marks_of_their_own() -> None:
    for n_names in (2, 15, 24, MOST_COLOURS):
        names = colour_names(n_names, random.Random(n_names))
        found = looks(names)
        drawn = [(found[name].split(":") if name not in PALETTE else PALETTE[name]) for name in names]
        assert len({fill for fill, _ in drawn}) == len({mark for _, mark in drawn}) == n_names
        assert {mark for _, mark in drawn} <= set(MARKS)
        assert looks(reversed(names)) == found
    with pytest.raises(ValueError, match="got 91 colours, wanted at most 90"):
        looks(f"shade {k}" for k in range(91))


def test_a_name_looks_the_same_on_every_board_where_nothing_is_drawn_like_it() -> None:
    assert looks(["charcoal", "red"])["charcoal"] == looks(["charcoal", "white", "teal"])["charcoal"]
    assert looks(["charcoal"])["charcoal"].startswith("#36454f:")
    assert (swatch("Dark Blue"), swatch("gray"), swatch("peach")) == ("#00008b", PALETTE["grey"][0], "#ffcba4")


def test_the_page_and_the_rules_know_one_palette() -> None:
    page = (REPOSITORY / "games" / "suite" / "view" / "paint.js").read_text(encoding="utf-8")
    for name, (fill, mark) in PALETTE.items():
        line = next(line for line in page.splitlines() if line.strip().startswith(f"{name}:"))
        assert f'fill: "{fill}"' in line
        assert f'mark: "{mark}"' in line
    for frame in colours.FRAMES[1:]:
        assert f"  {frame[1:]}: (c) =>" in page


# --- the picture -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def far_catalogue() -> Catalogue:
    files = []
    for name, make in FAR.items():
        rng = random.Random(f"{name}, drawn")
        level = {"number": 1, "layout": make(rng), "optimum": None, "exact": False, "provenance": {}}
        difficulty = game_of(name).difficulties[0]
        files.append((name, {"schema_version": 1, "game": name, "levels": [{"difficulty": difficulty, **level}]}))
    bolts = FAR["nut_and_bolt"](random.Random(7), n_bolts=26, capacity=3)
    files[list(FAR).index("nut_and_bolt")][1]["levels"][0]["layout"] = bolts  # type: ignore[index]
    return catalogue_of(files)


@pytest.mark.browser
def test_far_layouts_are_drawn(chromium: Browser, far_catalogue: Catalogue) -> None:
    """Every game's view draws its layout without a fault, and every nut wears its own swatch."""
    with SuiteServer(far_catalogue) as server:
        session = server.open(animate=False)
        with SuitePage(chromium, server, session, deadline_s=20) as page:
            for level in far_catalogue.entries:
                game = far_catalogue.games[level.id.game]
                state = game.initial_state(far_catalogue.layout(level.id))
                session.place(level.id, game.state_to_json(state))
                page.settle()
                if level.id.game == "nut_and_bolt":
                    assert_nuts_wear_their_swatches(level.id, game.scene(Table(state)), page.screenshot())


def assert_nuts_wear_their_swatches(level: LevelId, scene: Any, png: bytes) -> None:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for bolt in scene["bolts"]:
        for place, look in enumerate(bolt["nuts"]):
            fill = PALETTE[look][0] if look in PALETTE else look.split(":")[0]
            x = round(bolt["x"] - scene["nut"]["width"] * 0.22)
            y = round(bolt["floor"] - (place + 0.5) * scene["nut"]["height"])
            wanted = tuple(int(fill[k : k + 2], 16) for k in (1, 3, 5))
            assert max(abs(a - b) for a, b in zip(picture.getpixel((x, y)), wanted, strict=True)) <= 3, (level, look)


def test_strange_names_are_among_the_far_ones() -> None:
    names = {nut for bolt in FAR["nut_and_bolt"](random.Random(7), n_bolts=48, capacity=2)["bolts"] for nut in bolt}
    assert set(STRANGE) & names
