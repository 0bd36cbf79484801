"""An agent's own files: what it writes, who may change the model among them, and their snapshots. Evidence is apart."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from games.digest import sha256_of

Files = Mapping[str, bytes]
"""Path below the workspace, with `/`, to content."""
MODEL = "model"
"""The folder of the model's files."""
MOST_FILES, MOST_BYTES = 300, 4 << 20
LONGEST_PATH = 200


class FileRefused(ValueError):
    """A path or a content that the workspace does not take; the message is public."""


@dataclass
class Workspace:
    """The files of one play."""

    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def model(self) -> dict[str, bytes]:
        """The model's files, by their path below its folder."""
        return {name.removeprefix(f"{MODEL}/"): data for name, data in self.files.items() if is_model(name)}

    @property
    def others(self) -> dict[str, bytes]:
        """All files but the model's."""
        return {name: data for name, data in self.files.items() if not is_model(name)}

    def write(self, path: str, content: bytes, *, may_edit_model: bool) -> None:
        """Write a file. Raises FileRefused."""
        name = checked_path(path)
        if is_model(name) and not may_edit_model:
            raise FileRefused(f"{name}: the files of the model are not yours to write")
        files = {**self.files, name: content}
        _check_size(files)
        self.files = files

    def take(self, files: Files, *, may_edit_model: bool) -> str:
        """Take what a script left behind; return what was not taken, in words, empty if all was."""
        wanted = dict(files)
        said = ""
        if not may_edit_model and {n: d for n, d in wanted.items() if is_model(n)} != {
            n: d for n, d in self.files.items() if is_model(n)
        }:
            said = "the files of the model are not yours to write: they are as they were"
            wanted = {n: d for n, d in wanted.items() if not is_model(n)} | {
                n: d for n, d in self.files.items() if is_model(n)
            }
        try:
            _check_size(wanted)
        except FileRefused as error:
            return f"{error}: your files are as they were"
        self.files = wanted
        return said


def is_model(path: str) -> bool:
    """Tell whether a file is one of the model's."""
    return path.startswith(f"{MODEL}/")


def checked_path(path: str) -> str:
    """Return a path below the workspace. Raises FileRefused."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or len(path) > LONGEST_PATH or "\0" in path:
        raise FileRefused(f"path {path[:60]!r}: wanted one below your folder, such as notes/level_0.md")
    return "/".join(parts)


def digest_of(files: Files) -> str:
    """Return the SHA-256 over names and contents."""
    return sha256_of([[name, sha256_of(data.hex())] for name, data in sorted(files.items())])


def write_folder(folder: Path, files: Files) -> None:
    """Write files into a folder. Raises OSError."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the regular files below a folder that no process writes to any more; a link is never followed."""
    found: dict[str, bytes] = {}
    total = 0
    for place, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not (Path(place) / name).is_symlink())
        for name in sorted(names):
            content = _content(Path(place) / name, 4 * MOST_BYTES - total)
            if content is not None and len(found) <= MOST_FILES:
                found[(Path(place) / name).relative_to(folder).as_posix()] = content
                total += len(content)
    return found


def _content(path: Path, room: int) -> bytes | None:
    """Return the content of a regular file that is small enough, whose name is text; None for anything else."""
    try:
        path.name.encode()
        known = path.lstat()
        if not stat.S_ISREG(known.st_mode) or known.st_size > room:
            return None
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            return file.read()
    except (OSError, UnicodeEncodeError):
        return None


def _check_size(files: Files) -> None:
    size = sum(map(len, files.values()))
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise FileRefused(f"{len(files)} files of {size} bytes, wanted at most {MOST_FILES} of {MOST_BYTES}")
