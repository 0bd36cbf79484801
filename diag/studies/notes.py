"""Panels: one study per model, one table over all of them. What a plan prints of the models it is a part of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from diag.records import Unit


def panel_note(agent: str, panel: Sequence[str], counts: Sequence[int], noun: str) -> tuple[str, ...]:
    """Return the plan's line on the whole panel; none for a study of one agent.

    Args:
        agent: whose plan it is.
        panel: agents of the whole panel; each runs its own study.
        counts: units of one agent, one entry per part that is reported apart.
        noun: what a unit is called.
    """
    if not panel:
        return ()
    share = " + ".join(map(str, counts))
    whole = " + ".join(str(count * len(panel)) for count in counts)
    missing = "" if agent in panel else f"; {agent} is not of the panel"
    return (f"{agent}: {share} {noun}; panel of {len(panel)} models ({', '.join(panel)}): {whole} {noun}{missing}",)


def n_blocks_of(units: Iterable[Unit]) -> int:
    """Return how many blocks the units are of."""
    return len({unit.block_id for unit in units})
