"""Corrupt bytes: one at a time, in every kind of file of a finished study; no mode may believe a changed one.

After each byte a mode reads the study. Either it refuses with a documented exit code and one line, or it ends with 0
and what it shows is what it showed before, or says of the damaged file that it is damaged or not sealed.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chaos.promise import study_folder
from chaos.victim import run_victim

DATABASE = "mlflow.db"
DOCUMENTED = (0, 2, 3, 4, 5, 6)
READERS = ("analyse", "regrade", "report")
_WRITTEN_ANEW = re.compile(r"(?:report\.html|(?:assets|figures|comparisons|continuations|lists)/.*|\.lock|.*\.place)$")


@dataclass
class Bytes:
    """What became of corrupt bytes, by kind of file."""

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    broken_in: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def complain(self, kind: str, text: str) -> None:
        """Note a broken promise."""
        self.broken_in[kind] += 1
        self.broken.append(text)


@dataclass(frozen=True)
class Finished:
    """A finished study: its command line without a mode, and its outputs."""

    words: Sequence[str]
    outputs: Path

    def files(self) -> dict[str, list[Path]]:
        """Return its files that a mode reads, by kind."""
        root, kinds = study_folder(self.outputs).root, dict[str, list[Path]]()
        logs = "".join(path.read_text() for path in root.glob("units/*/*/events.jsonl"))
        for path in sorted(path for path in root.rglob("*") if path.is_file() and path.stat().st_size):
            name = path.relative_to(root).as_posix()
            unread = path.suffix == ".png" and path.stem not in logs
            if not _WRITTEN_ANEW.match(name) and not unread:
                kinds.setdefault(_kind(name), []).append(path)
        database = self.outputs / DATABASE
        return kinds | ({"the tracker's database": [database]} if database.is_file() else {})


def corrupt(study: Finished, n_bytes: int, seed: int, scratch: Path) -> Bytes:
    """Change so many bytes, one after the other, each put back; equal seeds change equal bytes.

    Raises:
        RuntimeError: the study cannot be read even undamaged.
    """
    found, rng = Bytes(), random.Random(f"{seed}/bytes")
    kinds = study.files()
    right = {mode: _read(study, mode) for mode in READERS}
    if any(code for code, _, _ in right.values()):
        raise RuntimeError(f"the undamaged study ends with {right}")
    whole = {path: path.read_bytes() for paths in kinds.values() for path in paths}
    for number in range(n_bytes):
        kind = sorted(kinds)[number % len(kinds)]
        path = rng.choice(kinds[kind])
        with _one_byte_changed(path, whole[path], rng) as place:
            _look(study, kind, path, rng, right, found, f"{path.name} byte {place}", scratch)
        _put_back(study, whole)
    return found


def _look(
    study: Finished, kind: str, path: Path, rng: random.Random,
    right: dict[str, tuple[int | None, str, str]], found: Bytes, where: str, scratch: Path,
) -> None:  # fmt: skip
    """Let a mode read the damaged study, and note what is wrong with what it says."""
    found.tried[kind] += 1
    if path.name == DATABASE:
        ended = run_victim([*study.words, "mode=track"], mark=str(scratch), folder=scratch, limit_s=120)
        code, said, shown, mode = ended.code, ended.errors, "", "track"
    else:
        mode = "report" if path.suffix == ".png" else rng.choice(READERS)
        code, said, shown = _read(study, mode)
    if code is None or code not in DOCUMENTED or "Traceback" in said:
        found.complain(kind, f"{where}, mode={mode}: ended with {code}: {' '.join(said.split())[-200:]}")
    elif code:
        found.refused[kind] += 1
        if len(said.strip().splitlines()) != 1 and mode != "track":
            found.complain(kind, f"{where}, mode={mode}: not one line: {said[:200]!r}")
    elif mode != "track" and shown != right[mode][2] and not _is_named(path, shown):
        found.complain(kind, f"{where}, mode={mode}: shows something else and does not say why")
    elif path.suffix == ".png" and not _is_named(path, shown):
        found.complain(kind, f"{where}: nothing names the damaged picture")


def _is_named(path: Path, shown: str) -> bool:
    """Tell whether what is shown names the file as damaged, as made again or as not sealed."""
    words = shown.partition("Not sealed: ")[2].partition("</p>")[0]
    again = f"{path.name} was missing or damaged" in shown
    return again or path.name in words or (path.suffix == ".png" and path.stem[:12] in shown)


def _read(study: Finished, mode: str) -> tuple[int | None, str, str]:
    """Run a mode in this process; return its exit code (None: a traceback), its errors, and the numbers it wrote."""
    from diag.app.command_line import main

    said, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(said):
        try:
            code: int | None = main([*study.words, f"mode={mode}"])
        except Exception as error:  # what a user would see as a traceback
            return None, repr(error), ""
    damaged = "".join(line for line in told.getvalue().splitlines() if line.startswith("damaged pictures"))
    return code, said.getvalue(), "".join(_shown(study, mode)) + damaged if code == 0 else ""


def _shown(study: Finished, mode: str) -> Iterator[str]:
    folder = study_folder(study.outputs)
    if mode == "report":
        yield (folder.root / "report.html").read_text()
    for name in ("outcomes.csv", "effects.json"):
        yield (folder.tables / name).read_text()


@contextlib.contextmanager
def _one_byte_changed(path: Path, whole: bytes, rng: random.Random) -> Iterator[int]:
    place = rng.randrange(len(whole))
    other = whole[place] ^ rng.randrange(1, 256)
    path.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
    yield place


def _put_back(study: Finished, whole: dict[Path, bytes]) -> None:
    for path, data in whole.items():
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    for path in study.outputs.glob(f"{DATABASE}.*"):  # what was set aside
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _kind(name: str) -> str:
    """Return the kind of a file by its name, numbers and digests left out."""
    if name.endswith(".png"):
        return "pictures"
    if name.startswith("blocks/"):
        return "blocks/*.json"
    return re.sub(r"units/[^/]+/attempt-\d+/", "units/*/", re.sub(r"units/[^/]+/(?!attempt)", "units/*/", name))
