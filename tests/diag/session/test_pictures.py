"""The picture store."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from diag.session.pictures import PictureError, PictureStore, pixel_digest


def png(colour: tuple[int, int, int], level: int = 6) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 3), colour).save(buffer, "PNG", compress_level=level)
    return buffer.getvalue()


def test_each_picture_is_stored_once_under_its_digest(tmp_path):
    store = PictureStore(tmp_path)
    names = [store.save(png((1, 2, 3))), store.save(png((1, 2, 3))), store.save(png((3, 2, 1)))]
    assert names[0] == names[1] != names[2]
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert files == sorted(f"{name[:2]}/{name}.png" for name in set(names))
    assert store.load(names[2]) == png((3, 2, 1))


def test_no_picture_has_no_name(tmp_path):
    assert PictureStore(tmp_path).save(b"") is None


def test_a_damaged_or_missing_picture_is_refused(tmp_path):
    store = PictureStore(tmp_path)
    name = store.save(png((1, 2, 3)))
    store.path(name).write_bytes(b"other")
    with pytest.raises(PictureError, match="damaged"):
        store.load(name)
    with pytest.raises(PictureError, match="not in the store"):
        store.load("0" * 64)


@pytest.mark.parametrize("left", [b"", b"\x89PNG", png((7, 7, 7))])
def test_a_file_in_a_pictures_place_is_not_trusted(tmp_path, left):
    store = PictureStore(tmp_path)
    name = store.save(png((1, 2, 3)))
    store.path(name).write_bytes(left)
    assert (store.fault(name), store.damaged()) == ("damaged", (name,))
    assert store.save(png((1, 2, 3))) == name
    assert store.load(name) == png((1, 2, 3))
    assert (store.fault(name), store.damaged()) == (None, ())
    store.path(name).unlink()
    assert (store.fault(name), store.damaged()) == ("missing", ())


def test_a_picture_is_on_the_disk_before_its_name_is_used(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr("os.fsync", synced.append)
    store = PictureStore(tmp_path)
    store.save(png((1, 2, 3)))
    store.save(png((1, 2, 3)))
    assert len(synced) == 1


def test_pixels_are_compared_decoded():
    assert png((9, 9, 9), level=0) != png((9, 9, 9), level=9)
    assert pixel_digest(png((9, 9, 9), level=0), {}) == pixel_digest(png((9, 9, 9), level=9), {})
    assert pixel_digest(png((9, 9, 9)), {}) != pixel_digest(png((9, 9, 8)), {})


def test_without_a_picture_the_visible_scene_counts_and_motion_does_not():
    still = {"board": 1, "motion": None, "seq": 1}
    assert pixel_digest(b"", still) == pixel_digest(b"", {"board": 1, "motion": {"duration_ms": 5}, "seq": 9})
    assert pixel_digest(b"", still) != pixel_digest(b"", {**still, "board": 2})
