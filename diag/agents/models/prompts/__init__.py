"""Prompts as versioned text files: how to act and where numbers count from; no rule and no strategy of any game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from games.digest import sha256_of

Language = Literal["en", "zh"]
FOLDER = Path(__file__).parent
VERSION = "1"


@dataclass(frozen=True)
class Prompts:
    """The texts of one language."""

    language: Language

    def __post_init__(self) -> None:
        if not (FOLDER / self.language).is_dir():
            known = ", ".join(sorted(path.name for path in FOLDER.iterdir() if (path / "now.txt").is_file()))
            raise ValueError(f"prompts in {self.language!r}: wanted one of {known}")

    def text(self, name: str) -> str:
        """Return a text. Raises FileNotFoundError if there is no such prompt."""
        return _read(self.language, name)

    @property
    def digest(self) -> str:
        """SHA-256 over all texts of the language: part of a study's identity."""
        return sha256_of({path.stem: _read(self.language, path.stem) for path in _files(self.language)})


def _files(language: str) -> list[Path]:
    return sorted((FOLDER / language).glob("*.txt"))


@lru_cache(maxsize=256)
def _read(language: str, name: str) -> str:
    return (FOLDER / language / f"{name}.txt").read_text(encoding="utf-8").strip()
