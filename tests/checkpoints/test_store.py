"""A library reads back as it was written, and one wrong byte is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from checkpoints.store import (
    LIBRARY_FILE,
    Checkpoint,
    CheckpointError,
    Library,
    PrefixTurn,
    load_library,
    save_library,
    strip_path,
)
from games.contract import LevelId
from games.digest import state_digest
from games.picture import decoded_digest

LEVEL = LevelId("bolt_unscrew", "hard", 2)


def picture(colour: tuple[int, int, int]) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (7, 5), colour).save(buffer, "PNG")
    return buffer.getvalue()


def checkpoint(name: str, picture_digest: str | None) -> Checkpoint:
    state = {"screws": [1, 2], "poses": [[0.5, 1.25]]}
    return Checkpoint(
        checkpoint_id=name,
        cohort="D",
        level=LEVEL,
        layout={"anchors": []},
        state=state,
        state_digest=state_digest(LEVEL, state),
        moves=([0, 1],),
        prefix=(
            PrefixTurn({"name": "click", "x": 0, "y": 899}, "executed", None),
            PrefixTurn({"name": "click", "x": 1, "y": 2}, "executed", picture_digest),
        ),
        certificate={"claim": "dead_end", "mechanism": "no_available_hole", "states_closed": 1},
        restart_solution=([0, 1], [1, 0]),
        pixels={"shell-1": "ab"},
        provenance={"simulated": True},
    )


@pytest.fixture
def library(tmp_path: Path) -> Library:
    png = picture((1, 2, 3))
    written = Library("mine", (checkpoint("D01", decoded_digest(png)), checkpoint("D02", None)), tmp_path)
    save_library(written, {decoded_digest(png): png})
    return written


def test_a_library_reads_back_equal(library: Library) -> None:
    again = load_library(library.folder)
    assert again == library
    assert again.digest == library.digest


def test_a_picture_reads_back_with_the_same_pixels(library: Library) -> None:
    digest = library.checkpoints[0].prefix[1].picture
    assert digest is not None
    assert decoded_digest(load_library(library.folder).picture_png(digest)) == decoded_digest(picture((1, 2, 3)))


def test_the_digest_covers_every_field(library: Library) -> None:
    one = library.checkpoints[0]
    changes = {
        "checkpoint_id": "D99", "cohort": "N", "level": LevelId("bolt_unscrew", "hard", 3), "layout": {}, "state": {},
        "state_digest": "x", "moves": (), "prefix": (), "certificate": {}, "restart_solution": (), "pixels": {},
        "provenance": {},
    }  # fmt: skip
    assert set(changes) == set(one.__dataclass_fields__)
    values = {name: getattr(one, name) for name in changes}
    for name, value in changes.items():
        assert Checkpoint(**{**values, name: value}).digest != one.digest, name


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
def test_one_changed_character_is_refused(library: Library, share: float) -> None:
    path = library.folder / LIBRARY_FILE
    text = path.read_text()
    place = next(k for k in range(int(len(text) * share), len(text)) if text[k].isdecimal())
    path.write_text(text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :])
    with pytest.raises(CheckpointError):
        load_library(library.folder)


def test_reordered_checkpoints_are_refused(library: Library) -> None:
    path = library.folder / LIBRARY_FILE
    data = json.loads(path.read_text())
    data["checkpoints"].reverse()
    path.write_text(json.dumps(data))
    with pytest.raises(CheckpointError, match="library digest"):
        load_library(library.folder)


def test_a_checkpoint_that_stands_twice_is_refused(library: Library) -> None:
    path = library.folder / LIBRARY_FILE
    data = json.loads(path.read_text())
    data["checkpoints"].append(data["checkpoints"][0])
    path.write_text(json.dumps(data))
    with pytest.raises(CheckpointError, match="twice, wanted each once"):
        load_library(library.folder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema_version": 99}', b"\xff\xfe"])
def test_what_is_no_library_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / LIBRARY_FILE).write_bytes(content)
    with pytest.raises(CheckpointError):
        load_library(tmp_path)


def test_an_exchanged_picture_is_refused(library: Library) -> None:
    digest = library.checkpoints[0].prefix[1].picture
    assert digest is not None
    with Image.open(io.BytesIO(picture((1, 2, 4)))) as other:
        other.save(strip_path(library.folder, "D01"), "WEBP", lossless=True)
    with pytest.raises(CheckpointError, match="the pixels of frame 0 have digest"):
        library.picture_png(digest)


def test_a_truncated_or_missing_picture_is_refused(library: Library) -> None:
    digest = library.checkpoints[0].prefix[1].picture
    assert digest is not None
    path = strip_path(library.folder, "D01")
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(CheckpointError, match="cannot be read"):
        library.picture_png(digest)
    path.unlink()
    with pytest.raises(CheckpointError, match="cannot be read"):
        library.picture_png(digest)


def test_a_name_that_leaves_the_folder_is_refused(library: Library) -> None:
    with pytest.raises(CheckpointError, match="belongs to no checkpoint"):
        library.picture_png("../../library")
    with pytest.raises(CheckpointError, match="wanted letters"):
        strip_path(library.folder, "../../library")


def test_pictures_are_stored_once_and_found_by_frame(tmp_path: Path) -> None:
    first, second = picture((1, 2, 3)), picture((9, 2, 3))
    one, two = checkpoint("D01", decoded_digest(first)), checkpoint("D02", decoded_digest(first))
    three = checkpoint("D03", decoded_digest(second))
    written = Library("mine", (one, two, three), tmp_path)
    save_library(written, {decoded_digest(first): first, decoded_digest(second): second})
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["D01.webp", "D03.webp"]
    for png in (first, second):
        assert decoded_digest(load_library(tmp_path).picture_png(decoded_digest(png))) == decoded_digest(png)


def test_an_unknown_library_or_checkpoint_names_the_known(library: Library) -> None:
    with pytest.raises(CheckpointError, match="D01, D02"):
        library.checkpoint("D77")
    with pytest.raises(CheckpointError, match="no checkpoint library 'nowhere'"):
        load_library("nowhere")


def test_saving_replaces_a_library_whole(library: Library) -> None:
    png = picture((5, 5, 5))
    smaller = Library("mine", (checkpoint("D07", decoded_digest(png)),), library.folder)
    save_library(smaller, {decoded_digest(png): png})
    assert load_library(library.folder) == smaller
    assert [path.name for path in (library.folder / "pictures").iterdir()] == ["D07.webp"]


def test_a_failed_save_leaves_the_old_library(library: Library) -> None:
    broken = Library("mine", (checkpoint("D07", "0" * 64),), library.folder)
    with pytest.raises(KeyError):
        save_library(broken, {})
    assert load_library(library.folder) == library


def test_saving_spares_a_folder_that_is_no_library(library: Library, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("mine")
    (folder / "thesis.txt").write_text("keep me")
    with pytest.raises(CheckpointError, match="holds files but no"):
        save_library(Library("mine", library.checkpoints, folder), {})
    assert (folder / "thesis.txt").read_text() == "keep me"
