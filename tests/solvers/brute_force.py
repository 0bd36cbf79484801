"""Exact distances by the rules alone, for the solvers to be held against."""

from __future__ import annotations

from collections import deque
from typing import Any

from games.contract import Rules


def exact_distances(rules: Rules, start: Any) -> dict[Any, int | None]:
    """Return the least moves to a win of every reachable state: forward closure, then backward layers; None: no win."""
    parents: dict[Any, list[Any]] = {start: []}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for move in rules.legal_moves(state):
            child = rules.step(state, move)
            if child not in parents:
                parents[child] = []
                queue.append(child)
            parents[child].append(state)
    found = {state: 0 for state in parents if rules.is_won(state)}
    queue = deque(found)
    while queue:
        state = queue.popleft()
        for parent in parents[state]:
            if parent not in found:
                found[parent] = found[state] + 1
                queue.append(parent)
    return {state: found.get(state) for state in parents}
