"""The history policy: which past turns, pictures and summaries an agent is still shown. Pure functions.

At takeover (first source document, "Agent and harness"): the public action prefix as text, at most four preceding
screenshot-action pairs, the current screenshot. Afterwards: the 12 most recent turns, four pictures of earlier
decisions, and a summary that the agent writes every eight turns. The prefix stays as text; its pictures give way to
newer ones. The current screenshot is always shown and counted in none of the limits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from diag.session.contract import PublicContext, Turn

Kept = Literal["study", "agent"]
ALL = 100_000
"""More turns than any episode has."""


@dataclass(frozen=True)
class HistoryPolicy:
    """The four numbers of the context window, and whose they are."""

    prefix_pictures: int = 4
    recent_turns: int = 12
    pictures: int = 4
    summary_every_turns: int = 8
    kept: Kept = "study"
    """`agent`: an agent that declares what it keeps in whole episodes keeps that; all others keep these numbers."""

    def __post_init__(self) -> None:
        if self.kept not in get_args(Kept):
            raise ValueError(f"history kept: found {self.kept!r}, wanted one of {', '.join(get_args(Kept))}")
        if self.recent_turns < 0 or self.pictures < 0 or self.prefix_pictures < 0 or self.summary_every_turns < 1:
            raise ValueError(f"history policy {self}: counts are from 0, summary_every_turns from 1")
        if self.summary_every_turns > self.recent_turns > 0:
            raise ValueError(
                f"a summary every {self.summary_every_turns} turns would miss turns that left a window of "
                f"{self.recent_turns}"
            )


CODE_AGENTS = HistoryPolicy(recent_turns=ALL, summary_every_turns=ALL, kept="agent")
"""The full text of all turns ("Inference and history": the full interaction history); earlier pictures stay limited."""
GUI_MODELS = HistoryPolicy(recent_turns=ALL, pictures=1, summary_every_turns=ALL, kept="agent")
"""The full text and the two most recent screenshots, of which the current one is always shown."""


def history_of(agent: Any, policy: HistoryPolicy) -> HistoryPolicy:
    """Return what an agent keeps in a study: the study's numbers, or its own `episode_history` where it has a say."""
    own = getattr(agent, "episode_history", None) if policy.kept == "agent" else None
    return own if isinstance(own, HistoryPolicy) else policy


def at_takeover(context: PublicContext, policy: HistoryPolicy) -> PublicContext:
    """Return the context of the first decision: pictures stay with the last prefix turns only."""
    return replace(context, prefix=_keep_pictures(context.prefix, policy.prefix_pictures))


def remember(context: PublicContext, turn: Turn, policy: HistoryPolicy) -> PublicContext:
    """Return the context after one more turn, within the window."""
    recent = (*context.recent, turn)[-policy.recent_turns :] if policy.recent_turns else ()
    shown = _keep_pictures((*context.prefix, *recent), policy.pictures)
    n_prefix = len(context.prefix)
    return replace(context, prefix=shown[:n_prefix], recent=shown[n_prefix:])


def summary_is_due(n_turns: int, policy: HistoryPolicy) -> bool:
    """Tell whether the agent writes a summary after its `n_turns`-th turn since takeover."""
    return n_turns > 0 and n_turns % policy.summary_every_turns == 0


def pictures_in(context: PublicContext) -> tuple[str, ...]:
    """Return the names of the pictures the context still refers to, oldest first."""
    names = [turn.picture for turn in (*context.prefix, *context.recent)]
    names.append(None if context.asked is None else context.asked.picture)
    return tuple(name for name in names if name is not None)


def _keep_pictures(turns: tuple[Turn, ...], limit: int) -> tuple[Turn, ...]:
    """Drop the names of all pictures but the last `limit` ones."""
    kept: list[Turn] = []
    left = limit
    for turn in reversed(turns):
        if turn.picture is not None and left == 0:
            turn = replace(turn, picture=None)  # noqa: PLW2901 - the shown form of the same turn
        left -= turn.picture is not None
        kept.append(turn)
    return tuple(reversed(kept))
