"""What each arm changed in the context its agent starts with: read from `blocks/<block>.json` and from the logs.

The block's file holds what was worked out before the first outcome (`diag.arms.difference`): the ordinary
context and, per arm, the lines removed and added in each field. A text that the agent writes itself at the start of its
unit (a retry's memory) is in the log alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diag.arms.difference import TURNS, turns_after
from diag.reading.study_files import StudyFiles
from diag.records.sealed import read_sealed

_SAYING = ("name", "description", "privilege", "kind")
_TEXT_KINDS = ("", "Text")
_LONGEST_SETTING = 60


@dataclass(frozen=True)
class Change:
    """One field of the context that an arm changes in one block."""

    field: str
    before: int
    """Turns of a history, words of a text."""
    after: int
    added: tuple[str, ...] = ()
    """Lines of text added; none for a history."""
    removed: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """What `before` and `after` count."""
        return "turns" if self.field in TURNS else "words"


@dataclass(frozen=True)
class Started:
    """What one unit's agent started with, as its log says."""

    instruction: str = ""
    memory: str = ""
    summary: str = ""
    n_turns: int = 0
    """Turns of the history, shown with pictures or without."""

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> Started:
        """Read the context of an `episode_start`; an empty one gives an empty start."""
        instruction, memory, summary = (str(context.get(name) or "") for name in ("instruction", "memory", "summary"))
        return cls(instruction, memory, summary, sum(len(context.get(name) or ()) for name in TURNS))


@dataclass(frozen=True)
class BlockRecord:
    """What was written of a block before its first outcome, as far as a report shows it."""

    instruction: str
    """The ordinary one."""
    changes: Mapping[str, tuple[Change, ...]]
    """Arm -> what it changes."""
    declared: Mapping[str, str]
    """Arm -> the text that its intervention declares; empty: none."""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> BlockRecord:
        """Take what is shown from the content of a block's file."""
        base, by_arm = dict(record["base_context"]), dict(record["by_arm"])
        return cls(
            instruction=str(base["instruction"]),
            changes={
                str(arm): tuple(_change(name, base.get(name), lines) for name, lines in dict(one["difference"]).items())
                for arm, one in by_arm.items()
            },
            declared={str(arm): str(one.get("declared_text") or "") for arm, one in by_arm.items()},
        )


def read_block_record(folder: Path, block_id: str) -> BlockRecord | None:
    """Read `blocks/<block>.json`; None without one. Raises CorruptRecord: it is damaged."""
    path = folder / "blocks" / f"{block_id}.json"
    return BlockRecord.of(read_sealed(path)) if path.is_file() else None


def spans(changes: Sequence[Change]) -> str:
    """Return one field's change over several blocks as text: `prefix: 26 → 13 turns`, `memory: 0 → 40 to 61 words`."""
    first = changes[0]
    before, after = (_span(getattr(one, end) for one in changes) for end in ("before", "after"))
    if all(one.before == one.after for one in changes):
        return f"{first.field}: {before} {first.unit}, other content"
    return f"{first.field}: {before} → {after} {first.unit}"


def started_difference(control: Started, other: Started) -> str:
    """Return how two starts differ beside the instruction: `history: 26 → 13 turns`; empty if they do not."""
    parts = [] if control.n_turns == other.n_turns else [f"history: {control.n_turns} → {other.n_turns} turns"]
    for name in ("memory", "summary"):
        left, right = getattr(control, name), getattr(other, name)
        if left != right:
            parts.append(spans([Change(name, len(left.split()), len(right.split()))]))
    return "; ".join(parts)


def arm_settings(files: StudyFiles, arm: str) -> str:
    """Return the settings in which an arm that is more than text differs from the arms of its class, as text."""
    arms = dict(files.identity("study", "arms") or {})
    own = dict(arms.get(arm) or {})
    if str(own.get("kind", "")) in _TEXT_KINDS:
        return ""
    peers = [dict(one) for name, one in arms.items() if name != arm and dict(one).get("kind") == own["kind"]]
    told = [
        f"{name} = {value}"
        for name, value in own.items()
        if name not in _SAYING
        and isinstance(value, str | int | float)
        and 0 < len(str(value)) <= _LONGEST_SETTING
        and (not peers or any(peer.get(name) != value for peer in peers))
    ]
    return ", ".join(told)


def is_more_than_text(files: StudyFiles, arm: str) -> bool:
    """Tell whether the arm's class may change something else than the instruction (a history, who acts first)."""
    return str(files.identity("study", "arms", arm, "kind") or "") not in _TEXT_KINDS


def written_words(changes: Iterable[Change], starts: Sequence[Started]) -> str:
    """Return how many words of memory the units really started with, where the blocks do not hold them; else empty."""
    known = any(change.field == "memory" for change in changes)
    counts = [len(start.memory.split()) for start in starts]
    if known or not any(counts):
        return ""
    return f"memory, written as the unit started: 0 → {_span(counts)} words"


def _change(name: str, before: Any, lines: Sequence[str]) -> Change:
    if name in TURNS:
        turns = len(before or ())
        return Change(name, turns, turns_after(turns, lines))
    added, removed = ([line[2:] for line in lines if line[:2] == side and line[2:] != "null"] for side in ("+ ", "- "))
    n_words = len(str(before or "").split())
    return Change(name, n_words, n_words - _words(removed) + _words(added), _shown(added), _shown(removed))


def _words(lines: Iterable[str]) -> int:
    return sum(len(line.split()) for line in lines)


def _shown(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if line.strip())


def _span(values: Iterable[int]) -> str:
    found = sorted(values)
    return str(found[0]) if found[0] == found[-1] else f"{found[0]} to {found[-1]}"
