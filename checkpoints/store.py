"""Checkpoints on disk: one JSON file for a library, pictures beside it, every part under a digest.

A library is a folder with `library.json` and `pictures/<checkpoint>.webp`, a strip without loss that holds, frame by
frame, the pictures first used by that checkpoint (neighbouring frames differ little, so a strip is hardly larger than a
picture). A picture is named by the SHA-256 of its decoded RGB, so that its name is checked by decoding it. A
checkpoint's own digest covers every field; the library's digest covers all checkpoints in order. One wrong byte is a
`CheckpointError`, never a checkpoint.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from PIL import Image, ImageSequence, UnidentifiedImageError

from games.contract import JsonObject, JsonValue, LevelId
from games.digest import canonical_json, sha256_of, state_digest
from games.once import once
from games.picture import pixels_digest

SCHEMA_VERSION = 1
SHIPPED = Path(__file__).parent / "library"
LIBRARY_FILE = "library.json"

Cohort = Literal["D", "N", "F", "S", "uncertified"]
"""Dead end, solvable, source failure, branch state (mission.md); of an uncertified state nothing is proven."""


class CheckpointError(ValueError):
    """A checkpoint or a library is not what its digests say; the message names the file, the found and the wanted."""


class UnknownCheckpoint(CheckpointError):
    """A name that no checkpoint or library has: a slip of the asker, and nothing is damaged."""


@dataclass(frozen=True)
class PrefixTurn:
    """One public step on the way to a checkpoint, as an agent may be told of it."""

    action: JsonObject
    """A GUI action in JSON form, as in `{"name": "click", "x": 1, "y": 2}`."""
    feedback: str
    picture: str | None
    """Digest of the screenshot the action was taken on; the last few turns have one."""
    reason: str = ""
    """What the agent said when it decided on the action; cohort F only (empty: nothing, or the rest of a batch)."""


@dataclass(frozen=True)
class Checkpoint:
    """A certified state and the legal GUI prefix, from the suite's home screen, that reaches it."""

    checkpoint_id: str
    cohort: Cohort
    level: LevelId
    layout: JsonObject
    state: JsonObject
    state_digest: str
    moves: tuple[JsonValue, ...]
    """The moves from the level's initial board, in JSON form."""
    prefix: tuple[PrefixTurn, ...]
    certificate: JsonObject
    """`solvers.certificate_json` form of the claim about `state`."""
    restart_solution: tuple[JsonValue, ...]
    """Moves that win from the level's initial board: what a native restart makes possible again."""
    pixels: Mapping[str, str]
    """Browser build -> SHA-256 of the decoded RGB of the settled screenshot."""
    provenance: JsonObject
    """Who played the prefix (simulated or not), seed, solver version, what was verified."""

    @property
    def source_level(self) -> str:
        """The cluster this checkpoint belongs to."""
        return str(self.level)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every field."""
        return sha256_of(_to_json(self))


@dataclass(frozen=True)
class Library:
    """Checkpoints in their fixed order, and where their pictures lie."""

    name: str
    checkpoints: tuple[Checkpoint, ...]
    folder: Path

    @cached_property
    def frames(self) -> Mapping[str, tuple[str, int]]:
        """Picture digest -> (checkpoint whose strip holds it, frame): in the order of first use."""
        places: dict[str, tuple[str, int]] = {}
        for checkpoint in self.checkpoints:
            fresh = [turn.picture for turn in checkpoint.prefix if turn.picture and turn.picture not in places]
            places.update(
                {digest: (checkpoint.checkpoint_id, frame) for frame, digest in enumerate(dict.fromkeys(fresh))}
            )
        return places

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the digests of all checkpoints, in order."""
        return sha256_of([checkpoint.digest for checkpoint in self.checkpoints])

    def games(self) -> frozenset[str]:
        """Return the games whose levels the checkpoints belong to."""
        return frozenset(checkpoint.level.game for checkpoint in self.checkpoints)

    @cached_property
    def by_id(self) -> Mapping[str, Checkpoint]:
        """The checkpoints by their ids, in order."""
        return {checkpoint.checkpoint_id: checkpoint for checkpoint in self.checkpoints}

    def checkpoint(self, checkpoint_id: str) -> Checkpoint:
        """Return one checkpoint. Raises CheckpointError naming the ids there are."""
        if checkpoint_id not in self.by_id:
            raise UnknownCheckpoint(
                f"no checkpoint {checkpoint_id!r} in {self.name}; there are {', '.join(self.by_id)}"
            )
        return self.by_id[checkpoint_id]

    def picture_png(self, digest: str) -> bytes:
        """Return a prefix picture as PNG. Raises CheckpointError if it is missing or is not what its name says."""
        if digest not in self.frames:
            raise CheckpointError(f"picture {digest!r:.80} belongs to no checkpoint of {self.name}")
        strip, frame = self.frames[digest]
        path = strip_path(self.folder, strip)
        try:
            found, png = _frames(path, path.stat().st_mtime_ns)[frame]
        except (OSError, EOFError, IndexError, UnidentifiedImageError) as error:
            raise CheckpointError(f"{path.name}: frame {frame} cannot be read as a picture: {error}") from error
        if found != digest:
            raise CheckpointError(f"{path.name}: the pixels of frame {frame} have digest {found}, wanted {digest}")
        return png


def strip_path(folder: Path, checkpoint_id: str) -> Path:
    """Return where a library keeps the pictures first used by a checkpoint. Raises CheckpointError if it is no name."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", checkpoint_id):
        raise CheckpointError(f"checkpoint id {checkpoint_id!r:.80}: wanted letters, digits, - and _")
    return folder / "pictures" / f"{checkpoint_id}.webp"


def shipped_libraries() -> tuple[str, ...]:
    """Return the names of the libraries that come with the program."""
    return tuple(sorted(path.parent.name for path in SHIPPED.glob(f"*/{LIBRARY_FILE}")))


def load_library(name_or_path: str | Path) -> Library:
    """Read a shipped library by name, or any by its folder, and check every digest but those of the pictures.

    Raises:
        CheckpointError: there is none, or a byte of it is not what was written.
    """
    folder = Path(name_or_path)
    if not (folder / LIBRARY_FILE).is_file():
        folder = SHIPPED / str(name_or_path)
    path = folder / LIBRARY_FILE
    if not path.is_file():
        raise UnknownCheckpoint(
            f"no checkpoint library {str(name_or_path)!r}: wanted a folder with {LIBRARY_FILE}, "
            f"or one of {', '.join(shipped_libraries())}"
        )
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise CheckpointError(f"{path}: not JSON: {error}") from error
    return _checked(data, path)


def save_library(library: Library, pictures: Mapping[str, bytes]) -> None:
    """Write a library (pictures: digest -> PNG) whole or not at all: into a new folder that then takes the old's place.

    Raises:
        CheckpointError: the folder holds something that is no library, which is left alone.
    """
    folder = library.folder
    if folder.exists() and any(folder.iterdir()) and not (folder / LIBRARY_FILE).is_file():
        raise CheckpointError(f"{folder}: holds files but no {LIBRARY_FILE}; wanted an empty folder or a library")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        fresh, stale = Path(scratch) / "new", Path(scratch) / "old"
        _write_library(replace(library, folder=fresh), pictures)
        if folder.exists():
            folder.rename(stale)
        fresh.rename(folder)


def _write_library(library: Library, pictures: Mapping[str, bytes]) -> None:
    (library.folder / "pictures").mkdir(parents=True)
    for checkpoint in library.checkpoints:
        strip = [pictures[digest] for digest, (owner, _) in library.frames.items() if owner == checkpoint.checkpoint_id]
        if strip:
            strip_path(library.folder, checkpoint.checkpoint_id).write_bytes(_strip(strip))
    entries = [{"digest": one.digest, "checkpoint": _to_json(one)} for one in library.checkpoints]
    index = {"schema_version": SCHEMA_VERSION, "name": library.name, "digest": library.digest, "checkpoints": entries}
    (library.folder / LIBRARY_FILE).write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _checked(data: Any, path: Path) -> Library:
    try:
        if data["schema_version"] != SCHEMA_VERSION:
            raise CheckpointError(f"{path}: schema version {data['schema_version']}, wanted {SCHEMA_VERSION}")
        checkpoints = tuple(_from_json(entry["checkpoint"]) for entry in data["checkpoints"])
        wanted = [entry["digest"] for entry in data["checkpoints"]]
        library = Library(data["name"], checkpoints, path.parent)
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path}: not a checkpoint library: {error!r}") from error
    if len(library.by_id) != len(checkpoints):
        twice = next(one.checkpoint_id for one in checkpoints if library.by_id[one.checkpoint_id] is not one)
        raise CheckpointError(f"{path}: found checkpoint {twice!r} twice, wanted each once")
    for checkpoint, digest in zip(checkpoints, wanted, strict=True):
        if checkpoint.digest != digest:
            raise CheckpointError(
                f"{path}: checkpoint {checkpoint.checkpoint_id} is damaged: digest {checkpoint.digest}, wanted {digest}"
            )
        if state_digest(checkpoint.level, checkpoint.state) != checkpoint.state_digest:
            raise CheckpointError(f"{path}: checkpoint {checkpoint.checkpoint_id}: its state is not the one certified")
    if library.digest != data["digest"]:
        raise CheckpointError(f"{path}: library digest {library.digest}, wanted {data['digest']}")
    return library


def _to_json(checkpoint: Checkpoint) -> dict[str, Any]:
    values = {field.name: getattr(checkpoint, field.name) for field in fields(checkpoint)}
    values["level"] = str(checkpoint.level)
    values["prefix"] = [_turn_json(turn) for turn in checkpoint.prefix]
    plain: dict[str, Any] = json.loads(canonical_json(values))
    return plain


def _turn_json(turn: PrefixTurn) -> dict[str, Any]:
    """Leave an empty reason out: a prefix without reasons is written, and digested, as it was before there were any."""
    values = {"action": turn.action, "feedback": turn.feedback, "picture": turn.picture, "reason": turn.reason}
    return {name: value for name, value in values.items() if name != "reason" or value}


def _from_json(data: Mapping[str, Any]) -> Checkpoint:
    values = dict(data)
    unknown = set(values) ^ {field.name for field in fields(Checkpoint)}
    if unknown:
        raise CheckpointError(f"checkpoint fields missing or unknown: {', '.join(sorted(unknown))}")
    if values["cohort"] not in get_args(Cohort):
        raise CheckpointError(f"cohort {values['cohort']!r}, wanted one of {', '.join(get_args(Cohort))}")
    values["level"] = LevelId.parse(values["level"])
    values["moves"] = tuple(values["moves"])
    values["restart_solution"] = tuple(values["restart_solution"])
    values["prefix"] = tuple(PrefixTurn(**turn) for turn in values["prefix"])
    return Checkpoint(**values)


@once(maxsize=64)
def _frames(path: Path, written_ns: int) -> tuple[tuple[str, bytes], ...]:
    """Return digest and PNG of every frame; a prefix has frames of many strips, and every arm asks for them again."""
    del written_ns  # another file of that name has another
    pictures = []
    with Image.open(path) as image:
        for frame in ImageSequence.Iterator(image):
            buffer = io.BytesIO()
            pixels = frame.convert("RGB")
            pixels.save(buffer, "PNG", compress_level=1)
            pictures.append((pixels_digest(pixels), buffer.getvalue()))
    return tuple(pictures)


def _strip(pictures: Sequence[bytes]) -> bytes:
    """Return pictures (PNG) as one lossless WebP, a frame each; neighbours must differ or the encoder joins them."""
    frames = []
    for png in pictures:
        with Image.open(io.BytesIO(png)) as image:
            frames.append(image.convert("RGB"))
    buffer = io.BytesIO()
    frames[0].save(
        buffer, "WEBP", save_all=True, append_images=frames[1:], lossless=True, quality=50, method=2, minimize_size=True
    )
    return buffer.getvalue()
