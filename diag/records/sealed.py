"""JSON files that know when they are damaged: content under a SHA-256 of its canonical form, written by rename."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diag.errors import CorruptRecord, StorageError
from games.digest import sha256_of

SCHEMA_VERSION = 1


def write_sealed(path: Path, content: Mapping[str, Any], *, durable: bool = True) -> None:
    """Write `content` with its schema version and digest; a reader sees the old file or the new, never a part."""
    body = {"schema_version": SCHEMA_VERSION, **content}
    text = json.dumps({**body, "sha256": sha256_of(body)}, indent=1, ensure_ascii=False, sort_keys=False)
    write_whole(path, (text + "\n").encode(), durable=durable)


def read_sealed(path: Path) -> dict[str, Any]:
    """Read a sealed file back, without its seal.

    Raises:
        CorruptRecord: the file is missing, is not JSON, has another schema version, or does not match its digest.
    """
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise CorruptRecord(f"{path}: there is no such file") from error
    except ValueError as error:
        raise CorruptRecord(f"{path}: damaged, not JSON: {error}") from error
    if not isinstance(data, dict) or "sha256" not in data:
        raise CorruptRecord(f"{path}: damaged, it has no digest")
    wanted = data.pop("sha256")
    found = sha256_of(data)
    if found != wanted:
        raise CorruptRecord(f"{path}: damaged, its content has digest {found[:12]}, wanted {str(wanted)[:12]}")
    version = data.pop("schema_version", None)
    if version != SCHEMA_VERSION:
        raise CorruptRecord(f"{path}: schema version {version!r}, wanted {SCHEMA_VERSION}")
    return data


def write_whole(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Write a file by rename; `durable` brings it to the disk first. Raises StorageError if the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise storage_error(path, error) from error


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes; of nothing if there is no such file."""
    return hashlib.sha256(path.read_bytes() if path.is_file() else b"").hexdigest()


def storage_error(path: Path | str, error: OSError) -> StorageError:
    """Say in one line why the disk did not take a file."""
    why = {errno.ENOSPC: "the disk is full", errno.EACCES: "no permission", errno.EROFS: "a read-only file system"}
    reason = why.get(error.errno or 0, error.strerror or str(error))
    return StorageError(f"cannot write {path}: {reason}; set outputs=FOLDER to write elsewhere")
