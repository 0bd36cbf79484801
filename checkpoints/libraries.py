"""Several libraries read as one, for a study that takes checkpoints from more than one game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from checkpoints.store import Checkpoint, CheckpointError, Library, UnknownCheckpoint, load_library
from games.digest import sha256_of
from games.once import once


@dataclass(frozen=True)
class Libraries:
    """Libraries in their order; no two checkpoints share an id."""

    parts: tuple[Library, ...]

    def __post_init__(self) -> None:
        names = [one.checkpoint_id for one in self.checkpoints]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise CheckpointError(f"{self.name}: checkpoint {twice[0]!r} is in more than one of them")

    @property
    def name(self) -> str:
        """The names, joined by `+`."""
        return "+".join(part.name for part in self.parts)

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All checkpoints, library by library."""
        return tuple(checkpoint for part in self.parts for checkpoint in part.checkpoints)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the digests of the libraries, in order."""
        return sha256_of([part.digest for part in self.parts])

    def games(self) -> frozenset[str]:
        """Return the games whose levels the checkpoints belong to."""
        return frozenset(checkpoint.level.game for checkpoint in self.checkpoints)

    def checkpoint(self, checkpoint_id: str) -> Checkpoint:
        """Return one checkpoint. Raises CheckpointError naming the ids there are."""
        return self._owner(checkpoint_id).checkpoint(checkpoint_id)

    def picture_png(self, digest: str) -> bytes:
        """Return a prefix picture as PNG. Raises CheckpointError if it is missing or is not what its name says."""
        owner = next((part for part in self.parts if digest in part.frames), self.parts[0])
        return owner.picture_png(digest)

    def _owner(self, checkpoint_id: str) -> Library:
        for part in self.parts:
            if any(one.checkpoint_id == checkpoint_id for one in part.checkpoints):
                return part
        known = ", ".join(one.checkpoint_id for one in self.checkpoints)
        raise UnknownCheckpoint(f"no checkpoint {checkpoint_id!r} in {self.name}; there are {known}")


@once(maxsize=4)
def library(names: str) -> Library | Libraries:
    """Return one library, or `one+other` read as one; each read and checked once a process. Raises CheckpointError."""
    return load_libraries(names) if "+" in names else load_library(names)


def load_libraries(names: str) -> Libraries:
    """Read `one+other`, each as `load_library` does. Raises CheckpointError."""
    return Libraries(tuple(load_library(name) for name in names.split("+")))
