"""Counts the scored actions of a game's plays from its observations, as the scorecard of ARC-AGI-3 does."""

from __future__ import annotations

from games.grid.actions import RESET, GridAction
from games.grid.contract import Observation
from games.grid.scores import Play


class PlayCounter:
    """Every full reset begins a play, free of charge; a refused action is not counted, every other one is."""

    def __init__(self) -> None:
        self._levels: list[list[int]] = []
        self._counted: list[int] = []
        self.resets: list[int] = []
        """RESETs of each play after the one that opened it."""

    def add(self, action: GridAction, seen: Observation) -> None:
        """Count one action and its answer; the first must be the opening RESET. Raises ValueError."""
        if seen.is_refused:
            return
        if action.number == RESET and seen.full_reset:
            self._levels.append([])
            self._counted.append(0)
            self.resets.append(0)
        elif not self._levels:
            raise ValueError(f"{action}: came before the opening RESET")
        else:
            self._counted[-1] += 1
            self.resets[-1] += action.number == RESET
            if seen.levels_completed > len(self._levels[-1]):
                self._levels[-1].append(self._counted[-1])
                self._counted[-1] = 0

    @property
    def plays(self) -> tuple[Play, ...]:
        """The plays so far."""
        return tuple(Play(tuple(levels), rest) for levels, rest in zip(self._levels, self._counted, strict=True))
