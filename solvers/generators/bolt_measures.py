"""Measures that decide whether a drawn Bolt Unscrew level is released: random play, and distance from knife edges."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from games.bolt_unscrew.contact import core_distance
from games.bolt_unscrew.layout import Layout
from games.bolt_unscrew.mechanics import ALIGN, BALANCE, LEVEL, PEG, TOUCH, BoardAutomaton, automata
from games.bolt_unscrew.rules import Move, State, free_anchors, is_won, step

MARGIN = 0.05
"""Units that every distance keeps from the tolerance it is compared with."""
UPRIGHT_MARGIN_RAD = math.radians(2)
"""A centre is exactly above its pivot, or at least this far from it."""
_SWEEP_STEP_RAD = math.radians(0.25)


@dataclass(frozen=True)
class RandomPlay:
    """What became of games of uniformly random legal moves."""

    n_games: int
    n_dead: int
    """Games that ended unfinished with no legal move."""
    n_won: int
    boards_out_at_death: tuple[int, ...]
    """Distinct numbers, ascending."""
    median_moves_at_death: float | None

    @property
    def dead_share(self) -> float:
        """Share of all games that died."""
        return self.n_dead / self.n_games


def random_play(start: State, *, n_games: int, move_limit: int, rng: np.random.Generator) -> RandomPlay:
    """Play random games from a state, each at most `move_limit` moves."""
    ends = [_random_game(start, move_limit, rng) for _ in range(n_games)]
    dead = [(state, moves) for state, moves in ends if not is_won(state) and not free_anchors(state)]
    out = tuple(sorted({state.boards_out for state, _ in dead}))
    median = float(np.median([moves for _, moves in dead])) if dead else None
    return RandomPlay(n_games, len(dead), sum(is_won(state) for state, _ in ends), out, median)


def _random_game(state: State, move_limit: int, rng: np.random.Generator) -> tuple[State, int]:
    for played in range(move_limit):
        targets = free_anchors(state)
        if is_won(state) or not targets:
            return state, played
        source = state.screws[rng.integers(len(state.screws))]
        state = step(state, Move(source, targets[rng.integers(len(targets))]))
    return state, move_limit


def knife_edges(layout: Layout) -> tuple[str, ...]:
    """Return every comparison nearer to its tolerance than its margin, in any pose that play could lead to."""
    found: list[str] = []
    for index, automaton in enumerate(automata(layout)):
        automaton.close()
        found += (f"boards[{index}]: {edge}" for edge in _static_edges(layout, index, automaton))
        found += (f"boards[{index}]: {edge}" for edge in _swing_edges(layout, index, automaton))
    return tuple(found)


def _static_edges(layout: Layout, index: int, automaton: BoardAutomaton) -> list[str]:
    board, edges = layout.boards[index], []
    for pose in automaton.poses:
        for number, anchor in enumerate(layout.anchors):
            u, v = pose.to_board((anchor.x, anchor.y))
            gap = core_distance(board.core, u, v) - board.rim
            if TOUCH / 2 < abs(gap - PEG) < MARGIN:
                edges.append(f"wood {gap:.4f} from anchor {number}")
            offsets = [math.hypot(u - hole[0], v - hole[1]) for hole in board.holes]
            if any(abs(offset - ALIGN) < MARGIN for offset in offsets):
                edges.append(f"hole {min(offsets):.4f} from anchor {number}")
    return edges


def _swing_edges(layout: Layout, index: int, automaton: BoardAutomaton) -> list[str]:
    board, edges = layout.boards[index], []
    for (number, pivot), swing in automaton.close().items():
        pose, anchor = automaton.poses[number], layout.anchors[pivot]
        arm_u, arm_v = pose.to_board((anchor.x, anchor.y))
        arm = math.hypot(arm_u, arm_v)
        if abs(arm - BALANCE) < MARGIN:
            edges.append(f"centre {arm:.4f} from anchor {pivot}")
        if not swing.turn:
            continue
        end = automaton.poses[swing.end]
        sweep = (end.angle_rad - pose.angle_rad) * swing.turn % math.tau
        if LEVEL < abs(math.pi - sweep) < UPRIGHT_MARGIN_RAD:
            edges.append(f"{math.degrees(abs(math.pi - sweep)):.3f} degrees from upright over anchor {pivot}")
        stopping = {peg.bit_length() - 1 for peg, _ in swing.stops}
        for peg, other in enumerate(layout.anchors):
            if peg == pivot or automaton.aligned[number] >> peg & 1:
                continue
            rho = math.hypot(other.x - anchor.x, other.y - anchor.y)
            gaps = _gaps((arm_u, arm_v), pose.to_board((other.x, other.y)), rho, sweep * swing.turn, board.core)
            nearest = float(gaps.min()) - board.rim
            if peg in stopping and nearest > PEG - MARGIN and not automaton.holding[number] >> peg & 1:
                edges.append(f"only grazes peg {peg}")
            if peg not in stopping and nearest < PEG + MARGIN and gaps[0] - board.rim > PEG + TOUCH:
                edges.append(f"barely passes peg {peg}")
    return edges


def _gaps(
    pivot: tuple[float, float], peg: tuple[float, float], rho: float, sweep: float, core: float
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the distances of a peg from the core segment along a swing, in small steps; shape (n_steps,)."""
    steps = max(2, math.ceil(abs(sweep) / _SWEEP_STEP_RAD))
    beta = math.atan2(peg[1] - pivot[1], peg[0] - pivot[0]) - np.linspace(0, sweep, steps)
    u, v = pivot[0] + rho * np.cos(beta), pivot[1] + rho * np.sin(beta)
    gaps: np.ndarray[tuple[int], np.dtype[np.float64]] = np.hypot(u - np.clip(u, -core, core), v)
    return gaps
