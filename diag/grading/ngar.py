"""NGAR: the share of native GUI steps among the action steps of code-execution episodes.

NGAR = 100 N_native / (N_native + N_other), pooled over all action steps in scope. A step is one tool call or an
explicit terminal answer; a call counts once however many inputs it holds. Native: it only observes the screen or
issues coordinate-based mouse, touch or key input, fixed coordinate batches included, even if an input fails; waits
among them change nothing. Everything else is not (a wait by itself, a terminal answer), and so is any call that
combines computation with GUI input. Source: first source document, "Native GUI action ratio".

A code-execution agent lists the action steps of a decision in its `usage`: `{"steps": [...]}`, each either classified
already (`"native"` or `"non_native"`, as `diag.agents.code_execution` does) or with everything the call did, as
`{"does": ["gui_input", "screenshot"]}`. An attempt whose decisions list no steps played with native GUI actions, where
every accepted action is native and no NGAR is reported: only outcome tables of code-execution agents have `ngar`,
`native_steps` and `other_steps`. NGAR of an arm or a study is pooled: 100 sum(native_steps) / sum of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CLASSES = ("native", "non_native")
NATIVE = frozenset({"screenshot", "gui_input", "gui_batch"})
OTHER = frozenset(
    {
        "offline_solving",
        "image_analysis",
        "module_authoring",
        "file_tool",
        "coordination_tool",
        "wait",
        "terminal_answer",
        "semantic_target",
        "synthetic_event",
        "dom_access",
        "accessibility_access",
        "canvas_access",
        "state_access",
        "computation",
    }
)


@dataclass(frozen=True)
class NativeShare:
    """Steps of one or more attempts."""

    n_native: int
    n_other: int

    @property
    def ngar(self) -> float | None:
        """Percent native; None without steps."""
        n = self.n_native + self.n_other
        return 100.0 * self.n_native / n if n else None

    def endpoints(self) -> dict[str, float | int | None]:
        """Return the columns of the outcome table."""
        return {"ngar": self.ngar, "native_steps": self.n_native, "other_steps": self.n_other}


def is_native(does: Iterable[str]) -> bool:
    """Classify one step by everything it did.

    Raises:
        ValueError: it did nothing, or something that is not in the published lists.
    """
    kinds = frozenset(does)
    unknown = sorted(kinds - NATIVE - OTHER)
    if not kinds or unknown:
        raise ValueError(f"a step does one of {', '.join(sorted(NATIVE | OTHER))}; found {unknown or 'nothing'}")
    return bool(kinds & NATIVE) and kinds <= NATIVE | {"wait"}


def step_is_native(step: str | Mapping[str, Any]) -> bool:
    """Return the class of a step in either form. Raises ValueError for one in neither."""
    if isinstance(step, str):
        if step not in CLASSES:
            raise ValueError(f"a classified step is one of {', '.join(CLASSES)}; found {step!r}")
        return step == CLASSES[0]
    return is_native(step.get("does", ()))


def native_share(usages: Sequence[Mapping[str, Any]]) -> NativeShare | None:
    """Return the counts over the decisions of an attempt; None if it lists no steps. Raises ValueError."""
    steps = [step for usage in usages for step in usage.get("steps", ())]
    if not steps:
        return None
    n_native = sum(map(step_is_native, steps))
    return NativeShare(n_native, len(steps) - n_native)
