import copy
import importlib
import json
from pathlib import Path

import pytest

from games.catalogue import catalogue_of, check_pack, game_folder, load_catalogue
from games.contract import LevelError, LevelId
from games.registry import registered_games
from games.suite.controls import controls_of, next_level
from games.suite.state import SuiteState

REPOSITORY = Path(__file__).parents[2]
REAL = REPOSITORY.parent / "shared" / "real-levels"
PACK = {
    "schema_version": 1,
    "game": "maze_paint",
    "levels": [
        {
            "difficulty": "easy",
            "number": 1,
            "layout": {"rows": ["S..", "#.#"]},
            "optimum": 2,
            "exact": False,
            "provenance": {"source": "a test"},
        }
    ],
}


def changed(path, value):
    """Return the pack with one field replaced, or removed if the value is None."""
    pack = copy.deepcopy(PACK)
    *way, last = path
    place = pack
    for step in way:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return pack


def test_our_own_levels_load_and_every_layout_parses():
    catalogue = load_catalogue()
    for level in catalogue.entries:
        assert catalogue.layout(level.id) is catalogue.layout(level.id)
    assert {level.id.game for level in catalogue.entries} <= set(registered_games())
    assert catalogue.digest == load_catalogue().digest


def test_levels_come_in_menu_order():
    catalogue = load_catalogue()
    assert catalogue.difficulties("bolt_unscrew") == ("easy", "hard")
    assert [level.id.number for level in catalogue.levels("bolt_unscrew", "hard")] == list(range(1, 9))


def test_an_unknown_level_is_named():
    with pytest.raises(KeyError, match="maze_paint/easy/99"):
        load_catalogue().level(LevelId("maze_paint", "easy", 99))


def test_a_pack_is_a_folder_or_a_file(tmp_path):
    (tmp_path / "maze_paint.json").write_text(json.dumps(PACK))
    assert load_catalogue(tmp_path).digest == load_catalogue(tmp_path / "maze_paint.json").digest
    assert list(load_catalogue(tmp_path).games) == ["maze_paint"]
    assert check_pack(tmp_path) == ()


def test_the_digest_follows_the_layouts():
    other = changed(("levels", 0, "layout"), {"rows": ["S..", "##."]})
    assert catalogue_of([("a", PACK)]).digest != catalogue_of([("a", other)]).digest


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("schema_version",), 2, r"pack\.json: schema_version: wanted 1, got 2"),
        (("game",), "chess", r"pack\.json: game: wanted one of .*maze_paint.*, got 'chess'"),
        (("levels",), {}, r"pack\.json: levels: wanted a list"),
        (("levels", 0), 7, r"pack\.json: levels\[0\]: wanted an object, got 7"),
        (("levels", 0, "difficulty"), "odd", r"levels\[0\]: difficulty: wanted one of easy, medium, hard, got 'odd'"),
        (("levels", 0, "number"), 0, r"levels\[0\]: number: wanted an integer from 1, got 0"),
        (("levels", 0, "number"), True, r"levels\[0\]: number: wanted an integer from 1, got True"),
        (("levels", 0, "layout"), None, r"maze_paint/easy/1: layout: the field is missing"),
        (("levels", 0, "layout"), [], r"maze_paint/easy/1: layout: wanted an object, got \[\]"),
        (("levels", 0, "exact"), 1, r"maze_paint/easy/1: exact: wanted true or false, got 1"),
        (("levels", 0, "optimum"), 0, r"maze_paint/easy/1: optimum: wanted a positive integer or null, got 0"),
        (("levels", 0, "extra"), 1, r"maze_paint/easy/1: extra: unknown field"),
        (("levels", 0, "layout"), {"rows": ["S.", "#"]}, r"maze_paint/easy/1: layout: rows: got lengths \[2, 1\]"),
    ],
)
def test_a_fault_names_level_and_field(tmp_path, path, value, message):
    (tmp_path / "pack.json").write_text(json.dumps(changed(path, value)))
    with pytest.raises(LevelError, match=message):
        load_catalogue(tmp_path)


def test_a_pack_of_some_numbers_shows_and_opens_those(tmp_path):
    levels = [{**PACK["levels"][0], "number": number} for number in (8, 5, 7)]
    (tmp_path / "pack.json").write_text(json.dumps({**PACK, "levels": levels}))
    assert check_pack(tmp_path) == ()
    catalogue = load_catalogue(tmp_path)
    menu = SuiteState(screen="levels", game="maze_paint", difficulty="easy")
    buttons = [one for one in controls_of(catalogue, menu) if one.id.startswith("level:")]
    assert [(one.id, one.label) for one in buttons] == [("level:5", "5"), ("level:7", "7"), ("level:8", "8")]
    following = [next_level(catalogue, level.id) for level in catalogue.entries]
    assert [level and level.number for level in following] == [7, 8, None]


def test_a_level_defined_twice_is_refused(tmp_path):
    twice = {**PACK, "levels": PACK["levels"] * 2}
    (tmp_path / "pack.json").write_text(json.dumps(twice))
    with pytest.raises(LevelError, match="easy/1: the level is defined twice"):
        load_catalogue(tmp_path)


def test_what_is_no_pack_is_refused(tmp_path):
    assert "does not exist" in check_pack(tmp_path / "nowhere")[0]
    assert "no <game>.json" in check_pack(tmp_path)[0]
    (tmp_path / "broken.json").write_text("{")
    assert "broken.json: not readable as JSON" in check_pack(tmp_path)[0]


def test_check_pack_lists_every_fault(tmp_path):
    faulty = copy.deepcopy(PACK)
    second = {**copy.deepcopy(PACK["levels"][0]), "number": 2, "layout": {"rows": ["S."], "extra": 1}}
    third = {**copy.deepcopy(PACK["levels"][0]), "number": 3, "layout": {"rows": ["??"]}}
    faulty["levels"] += [second, third]
    faulty["levels"][0]["layout"] = {"rows": ["..", ".#"]}
    (tmp_path / "pack.json").write_text(json.dumps(faulty))
    assert [fault.split(":")[0] for fault in check_pack(tmp_path)] == ["maze_paint/easy/1", "maze_paint/easy/3"]


def test_the_published_schema_names_the_fields_the_loader_knows():
    schema = json.loads((REPOSITORY / "games" / "level-pack.schema.json").read_text())
    level = schema["properties"]["levels"]["items"]
    assert set(level["required"]) == set(PACK["levels"][0])
    for name in level["properties"]:
        pack = changed(("levels", 0, name), None) if name in level["required"] else PACK
        if name in level["required"]:
            with pytest.raises(LevelError, match=name):
                catalogue_of([("pack.json", pack)])
    with_certificate = changed(("levels", 0, "certificate"), {"kind": "solvable"})
    assert catalogue_of([("pack.json", with_certificate)]).entries[0].certificate == {"kind": "solvable"}


def test_every_game_has_a_view_in_its_own_folder():
    for game in registered_games().values():
        assert (game_folder(game) / "view" / "view.js").is_file()


@pytest.mark.skipif(not REAL.is_dir(), reason="the real benchmark files are not here")
def test_the_real_benchmark_files_load_and_can_be_played():
    catalogue = load_catalogue(REAL)
    assert check_pack(REAL) == ()
    assert {level.id.game for level in catalogue.entries} == {path.stem for path in REAL.glob("*.json")}
    for path in REAL.glob("*.json"):
        found = [level for level in catalogue.entries if level.id.game == path.stem]
        assert len(found) == len(json.loads(path.read_text())["levels"])
        assert not any(level.exact for level in found)


def test_a_game_from_an_entry_point_is_found_in_its_own_folder(tmp_path, monkeypatch):
    (tmp_path / "far_away_game.py").write_text('class Far:\n    name = "far_away"\n\n\nGAME = Far()\n')
    monkeypatch.syspath_prepend(tmp_path)
    assert game_folder(importlib.import_module("far_away_game").GAME) == tmp_path.resolve()
