"""The oracle: a judge on the evaluator's side, who knows the game as it is meant.

It reads the pictures that the build sends its page, field by field, and compares pixels with those of the clean build
under the same script. Checks over the looks i and j:

`same PATH i j`, `changed PATH i j`   a field of the build's own picture
`present PATH i`                      the field is there and not null
`reference PATH`                      at every look the field is as the game means it
`pixels REGION`                       at every look the region is as the clean build draws it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diag.studies.playtest.builds.page import BuildPage, Surface
from diag.studies.playtest.regions import is_same
from diag.studies.playtest.rubric import Criterion, Rubric
from diag.studies.playtest.script import Step, steps_of
from games.contract import JsonObject, JsonValue

CleanLooks = Mapping[str, tuple[bytes, ...]]
"""Criterion to the clean build's screenshots at its looks."""


@dataclass(frozen=True)
class Moment:
    """What the oracle keeps of a look."""

    shown: JsonObject
    meant: JsonObject
    screenshot: bytes
    """The viewport as PNG."""


@dataclass(frozen=True)
class Oracle:
    """Compares a build with the game as it is meant."""

    clean: CleanLooks
    name: str = "oracle"

    def look(self, surface: BuildPage, step: Step) -> Moment:
        """Return the picture the page was sent, the one meant, and the screenshot."""
        assert step.picture is not None
        return Moment(surface.picture(), step.picture, surface.screenshot())

    def failing(self, criterion: Criterion, seen: Sequence[Moment]) -> str:
        """Return the first check that does not hold, "" if all hold."""
        clean = self.clean.get(criterion.name, ())
        return next((check for check in criterion.oracle if not holds(check, seen, clean)), "")


def clean_looks(surface: Surface, rubric: Rubric) -> CleanLooks:
    """Return the screenshots of the clean build, open on `surface`, for the criteria that ask pixels."""
    return {
        criterion.name: _looks(surface, rubric.game, criterion)
        for criterion in rubric.criteria
        if any(check.startswith("pixels") for check in criterion.oracle)
    }


def _looks(surface: Surface, game: str, criterion: Criterion) -> tuple[bytes, ...]:
    surface.reopen()
    looks = []
    for step in steps_of(game, criterion.script):
        if step.gesture is None:
            looks.append(surface.screenshot())
        else:
            surface.perform(step.gesture)
    return tuple(looks)


def holds(check: str, seen: Sequence[Moment], clean: Sequence[bytes]) -> bool:
    """Tell whether a check holds. Raises ValueError on an unknown check, or without the clean build's looks."""
    match check.split():
        case ["same", path, i, j]:
            return bool(field_of(seen[int(i)].shown, path) == field_of(seen[int(j)].shown, path))
        case ["changed", path, i, j]:
            return bool(field_of(seen[int(i)].shown, path) != field_of(seen[int(j)].shown, path))
        case ["present", path, i]:
            return field_of(seen[int(i)].shown, path) is not None
        case ["reference", path]:
            return all(field_of(one.shown, path) == field_of(one.meant, path) for one in seen)
        case ["pixels", region]:
            if len(clean) != len(seen):
                raise ValueError(f"check {check!r}: {len(clean)} looks of the clean build, wanted {len(seen)}")
            return all(is_same(one.screenshot, meant, region) for one, meant in zip(seen, clean, strict=True))
    raise ValueError(f"check {check!r} is not one of the oracle's")


def field_of(picture: JsonObject, path: str) -> JsonValue:
    """Return a field, `a.b` inside `a`, an element of a list of controls by its id; None if it is not there."""
    value: JsonValue = picture
    for name in path.split("."):
        if isinstance(value, list):
            value = next((one for one in value if one.get("id") == name), None)
        elif isinstance(value, dict):
            value = value.get(name)
        else:
            return None
    return value
