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
_SEAL = "# sha256: "


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


def read_marked(path: Path) -> tuple[dict[str, Any], bool]:
    """Read a JSON object and tell whether it is sealed; one without a seal may say what anybody wrote.

    Raises:
        CorruptRecord: it has a seal and does not match it, or it is no JSON object.
    """
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise CorruptRecord(f"{path}: damaged, not JSON: {error}") from error
    if not isinstance(data, dict):
        raise CorruptRecord(f"{path}: damaged, wanted a JSON object, got {type(data).__name__}")
    return (read_sealed(path), True) if "sha256" in data else (data, False)


def sealed_text(text: str) -> str:
    """Return a text whose last line, a comment in YAML, holds the digest of all before it."""
    return f"{text}{_SEAL}{hashlib.sha256(text.encode()).hexdigest()}\n"


def read_text(path: Path) -> tuple[str, bool]:
    """Read a text without its seal, and tell whether it had one.

    Raises:
        CorruptRecord: it is no UTF-8, or it is not the text that was sealed.
    """
    try:
        text, found, wanted = path.read_bytes().decode().rpartition(_SEAL)
    except UnicodeDecodeError as error:
        raise CorruptRecord(f"{path}: damaged: {error}") from error
    if not found:
        return wanted, False
    digest = hashlib.sha256(text.encode()).hexdigest()
    if wanted != f"{digest}\n":
        raise CorruptRecord(f"{path}: damaged, its text has digest {digest[:12]}, wanted {wanted.strip()[:12]!r}")
    return text, True


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
