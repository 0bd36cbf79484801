"""Rebuilds the shipped fonts: cut down to the characters that the suite and all games can print.

    npm pack @fontsource/nunito@5 @fontsource/noto-sans-sc@5      (unpack both into one folder)
    pip install fonttools brotli
    python -m games.suite.fonts.build FOLDER

FOLDER holds the unpacked packages (searched by file name). Needed again whenever a text gains a new character; a test
fails then. `characters.json` records what the fonts cover and the digest of each file, so a check needs no tool.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from games.registry import registered_games
from games.suite.texts import LANGUAGES, read_texts

HERE = Path(__file__).parent
SOURCES = {
    "latin-400.woff2": "nunito-latin-400-normal.woff2",
    "latin-700.woff2": "nunito-latin-700-normal.woff2",
    "han-400.woff2": "noto-sans-sc-chinese-simplified-400-normal.woff2",
    "han-700.woff2": "noto-sans-sc-chinese-simplified-700-normal.woff2",
}
LATIN = "".join(map(chr, range(0x20, 0x7F))) + "\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u00b0"
PUNCTUATION = "\uff0c\u3002\uff01\uff1f\u3001\uff1b\uff1a\uff08\uff09\u300a\u300b"


def needed_characters() -> set[str]:
    """Return every character of every text of the suite and of all games, in both languages."""
    tables: list[Any] = [read_texts(HERE.parent, language) for language in LANGUAGES]
    tables += [game.texts(language) for game in registered_games().values() for language in LANGUAGES]
    return {character for table in tables for text in _strings(table) for character in text}


def covered_characters() -> set[str]:
    """Return what the shipped fonts can draw, as recorded when they were built."""
    return set(json.loads((HERE / "characters.json").read_text(encoding="utf-8"))["characters"])


def file_digests() -> dict[str, str]:
    """Return the SHA-256 of each shipped font file."""
    return {name: hashlib.sha256((HERE / name).read_bytes()).hexdigest() for name in SOURCES}


def build(folder: Path) -> None:
    """Write the four fonts and `characters.json`. Raises FileNotFoundError if a source is not under `folder`."""
    wanted = needed_characters() | set(LATIN) | set(PUNCTUATION)
    covered: set[str] = set()
    for name, source in SOURCES.items():
        found = next(folder.rglob(source), None)
        if found is None:
            raise FileNotFoundError(f"{source} is not under {folder}")
        covered |= _subset(found, HERE / name, wanted)
    record = {"characters": "".join(sorted(covered)), "files": file_digests()}
    (HERE / "characters.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _subset(source: Path, target: Path, wanted: set[str]) -> set[str]:
    from fontTools import subset  # type: ignore[import-untyped]  # it ships no types

    options = subset.Options(flavor="woff2", layout_features=["kern", "liga"], notdef_outline=True, hinting=False)
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[ord(character) for character in wanted])
    cutter.subset(font)
    subset.save_font(font, str(target), options)
    return {chr(code) for code in font.getBestCmap()}


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if hasattr(value, "values") else value if isinstance(value, list | tuple) else ()
    return [text for item in items for text in _strings(item)]


if __name__ == "__main__":
    build(Path(sys.argv[1]))
