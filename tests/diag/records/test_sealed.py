"""Sealed files: equal content back, any other byte refused, never half a file."""

import json

import pytest

from diag.errors import CorruptRecord, StorageError
from diag.records.sealed import read_sealed, write_sealed, write_whole

CONTENT = {"name": "ü", "numbers": [1, 2.5, None], "nested": {"a": True}}


def test_it_reads_back_equal(tmp_path):
    write_sealed(tmp_path / "a" / "x.json", CONTENT)
    assert read_sealed(tmp_path / "a" / "x.json") == CONTENT


def test_every_byte_counts(tmp_path):
    path = tmp_path / "x.json"
    write_sealed(path, CONTENT)
    whole = path.read_bytes()
    meaningful = [place for place, byte in enumerate(whole) if chr(byte) not in " \n"]
    for place in meaningful:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(CorruptRecord, match=r"x\.json"):
            read_sealed(path)


def test_a_cut_file_is_refused(tmp_path):
    path = tmp_path / "x.json"
    write_sealed(path, CONTENT)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(CorruptRecord, match="not JSON"):
        read_sealed(path)


def test_another_version_is_refused_by_number(tmp_path):
    path = tmp_path / "x.json"
    write_sealed(path, {**CONTENT, "schema_version": 99})
    with pytest.raises(CorruptRecord, match="schema version 99, wanted 1"):
        read_sealed(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(CorruptRecord, match="no such file"):
        read_sealed(tmp_path / "x.json")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "x.json"
    write_sealed(path, CONTENT)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("diag.records.sealed.os.fsync", full)
    with pytest.raises(StorageError, match="the disk is full"):
        write_whole(path, b"new")
    assert json.loads(path.read_bytes())["name"] == "ü"
    assert [one.name for one in tmp_path.iterdir()] == ["x.json"]
