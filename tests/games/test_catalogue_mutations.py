"""A level pack with anything at all in it is either read or refused as a `LevelError`; it never fails any other way."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

import games
from games.catalogue import load_catalogue
from games.contract import LevelError

PACKS = sorted(Path(games.__file__).parent.glob("*/levels.json"))
JUNK = (None, True, -1, 0, 1e9, "", "x" * 50, [], {}, [[]], {"a": 1}, "<script>", 10**30, [None], "\u00e9\x00")


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of everything inside a JSON value, the value itself left out."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [(*path, key) for key, _ in inner]
    return found + [deeper for key, one in inner for deeper in places(one, (*path, key))]


def mutated(pack: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return one level of the pack with a value replaced, nudged or removed."""
    changed = {**pack, "levels": [{**copy.deepcopy(chance.choice(pack["levels"])), "number": 1}]}
    *way, last = chance.choice(places(changed))
    holder: Any = changed
    for key in way:
        holder = holder[key]
    old = holder[last]
    if isinstance(old, int) and chance.random() < 0.5:
        holder[last] = old + chance.choice((-1, 1, 100, -100))
    elif isinstance(old, list) and chance.random() < 0.5:
        holder[last] = old[:-1] if chance.random() < 0.5 else old + old[-1:]
    elif chance.random() < 0.2:
        del holder[last]
    else:
        holder[last] = chance.choice(JUNK)
    return changed


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.parent.name)
def test_a_damaged_pack_is_read_or_refused(path: Path, tmp_path: Path):
    pack, chance, target = json.loads(path.read_text()), random.Random(path.parent.name), tmp_path / "pack.json"
    n_refused = 0
    for _ in range(500):
        target.write_text(json.dumps(mutated(pack, chance)))
        try:
            load_catalogue(target)
        except LevelError:
            n_refused += 1
    assert n_refused > 150
