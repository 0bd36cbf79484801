"""A build in the course of a task: the clean bundle, the seeded defects that are still in it, and what was edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from diag.studies.playtest.builds.bundle import bundle_digest, write_bundle
from diag.studies.playtest.builds.defect import apply_defects
from diag.studies.playtest.builds.game_defects import defects_of
from games.contract import JsonObject


@dataclass(frozen=True)
class Edit:
    """A source file as an agent left it."""

    path: str
    """Below the bundle's `games` folder."""
    content: str


@dataclass(frozen=True)
class Build:
    """One build. The files follow from it, so a log that holds builds holds the sources."""

    game: str
    defects: tuple[str, ...]
    """Seeded defects that are in it."""
    edits: tuple[Edit, ...] = ()
    """Files that were edited, each once."""
    broken: bool = False
    """Its code cannot be imported: a first draft that nobody ran."""

    def write(self, folder: Path) -> Path:
        """Write the sources into a new folder and return the folder."""
        bundle = write_bundle(self.game, folder)
        known = defects_of(self.game)
        apply_defects(bundle, [known[name] for name in self.defects])
        if self.broken:
            rules = bundle / "games" / self.game / "rules.py"
            rules.write_text(f"{rules.read_text(encoding='utf-8')}\ndef unfinished(:\n", encoding="utf-8")
        for edit in self.edits:
            (bundle / "games" / edit.path).write_text(edit.content, encoding="utf-8")
        return bundle

    def edited(self, files: Mapping[str, str]) -> Build:
        """Return the build with files replaced."""
        kept = {edit.path: edit.content for edit in self.edits}
        return replace(self, edits=tuple(Edit(*pair) for pair in {**kept, **files}.items()))

    @property
    def broken_criteria(self) -> frozenset[str]:
        """The criteria that its seeded defects break."""
        known = defects_of(self.game)
        return frozenset(known[name].criterion for name in self.defects)

    def to_json(self) -> JsonObject:
        """Return the build as it is logged."""
        return asdict(self)


def build_of(data: JsonObject) -> Build:
    """Return a build from its logged form."""
    edits = tuple(Edit(**one) for one in data["edits"])
    return Build(str(data["game"]), tuple(data["defects"]), edits, bool(data["broken"]))


@cache
def clean_digest(game: str) -> str:
    """Return the digest of the clean bundle of a game."""
    with TemporaryDirectory(prefix="diag-clean-") as folder:
        return bundle_digest(write_bundle(game, Path(folder) / "build"))
