import json

from games.suite.fonts.build import HERE, SOURCES, covered_characters, file_digests, needed_characters


def test_the_fonts_draw_every_character_of_every_text():
    missing = needed_characters() - covered_characters()
    assert not missing, f"{''.join(sorted(missing))} missing: rebuild with `python -m games.suite.fonts.build FOLDER`"


def test_the_record_of_characters_belongs_to_the_shipped_files():
    record = json.loads((HERE / "characters.json").read_text(encoding="utf-8"))
    assert record["files"] == file_digests()
    assert set(record["files"]) == set(SOURCES)


def test_the_licence_of_the_fonts_is_shipped():
    assert "SIL OPEN FONT LICENSE Version 1.1" in (HERE / "OFL.txt").read_text(encoding="utf-8")
