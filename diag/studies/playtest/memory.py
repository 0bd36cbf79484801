"""Memory in three layers: of the task at hand, of one role across tasks, of both roles across tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from games.contract import JsonObject

Layer = Literal["episode", "skill", "world"]
Role = Literal["game-agent", "gui-player"]
Owner = Literal["game-agent", "gui-player", "shared"]
EntryKind = Literal["pitfall", "fix_pattern", "decision", "interaction_pattern", "false_positive", "observation"]
ANY = "any"
"""The archetype of an entry that holds for every game."""
ARCHETYPE = {
    "bolt_unscrew": "sort",
    "color_connect": "draw",
    "maze_paint": "slide",
    "nut_and_bolt": "sort",
    "rush_hour": "slide",
    "truck_escape": "slide",
}


class EntryError(ValueError):
    """Something is no memory entry; the message names the value found and those wanted."""


@dataclass(frozen=True)
class Entry:
    """One thing that is remembered."""

    layer: Layer
    owner: Owner
    kind: EntryKind
    archetype: str
    about: str
    """The behaviour it is about, in a word or two."""
    text: str
    task: str = ""
    round: int = 0

    def __post_init__(self) -> None:
        """Raise EntryError for a word that is none of those wanted, or a layer that its owner does not have."""
        for name, known in (("layer", Layer), ("owner", Owner), ("kind", EntryKind)):
            if getattr(self, name) not in get_args(known):
                raise EntryError(f"{name} {getattr(self, name)!r}, wanted one of {', '.join(get_args(known))}")
        if (self.layer == "skill") == (self.owner == "shared"):
            raise EntryError(f"a {self.layer} entry of {self.owner}: skill is one agent's, the other layers are shared")


def entry_of(data: JsonObject) -> Entry:
    """Return an entry from its JSON form. Raises EntryError."""
    wanted = tuple(Entry.__dataclass_fields__)
    if not isinstance(data, dict) or not set(data) <= set(wanted) or not {"about", "text", "kind"} <= set(data):
        raise EntryError(f"an entry has the fields {', '.join(wanted)}, got {data!r:.200}")
    return Entry(**data)


def shown(entries: Iterable[Entry], layers: frozenset[str], role: Role, game: str) -> tuple[Entry, ...]:
    """Return what a role is shown at the start of a task's round: its layers, its archetype, its own know-how."""
    archetypes = (ANY, ARCHETYPE[game])
    return tuple(
        one
        for one in entries
        if one.layer in layers
        and one.owner in (role, "shared")
        and (one.layer == "episode" or one.archetype in archetypes)
    )


def carried(entries: Iterable[Entry], layers: frozenset[str]) -> tuple[Entry, ...]:
    """Return what outlives the task: of the layers without its own rounds, one entry for each thing that is known."""
    lasting = (one for one in entries if one.layer in layers - {"episode"})
    kept = {(one.layer, one.owner, one.kind, one.archetype, one.about): one for one in lasting}
    return tuple(kept.values())


def knows(entries: Sequence[Entry], layer: Layer, kind: EntryKind, about: str) -> bool:
    """Tell whether something of this sort is remembered."""
    return any((one.layer, one.kind, one.about) == (layer, kind, about) for one in entries)
