"""How boards were played, in figures that a person's record and an agent's share: states, not pointer counts.

Source: first source document, the comparison of the human reference with an agent (Figure 8, Table 9).

| game | counted over the attempts at target levels |
|---|---|
| Bolt Unscrew | per attempt: most boards out, fewest free holes, moves, whether it deadlocks or clears the level |
| Nut and Bolt | changes of the stacks (bolts in any order), revisits within the attempt, solved stacks broken, resets |
| Maze Paint, Rush Hour | completed levels, and the moves of the attempts that completed them |
| Color Connect | gestures: presses on a board in play |

Waits, pointer movements and boards that did not change count nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from diag.grading.episodes.attempts import LevelAttempt
from diag.grading.episodes.bolt import Measure
from diag.grading.episodes.log import Input
from games.contract import BOARD, JsonObject

PRESSES = ("click", "double_click", "long_press", "drag", "swipe")
Stacks = tuple[tuple[str, ...], ...]


def board_play(attempts: Sequence[LevelAttempt], inputs: Sequence[Input], measure: Measure) -> dict[str, Any]:
    """Return what is counted of each game that was in play, as plain JSON.

    Args:
        attempts: at target levels.
        inputs: executed GUI actions of the episode.
        measure: free holes and boards out of a Bolt Unscrew board.
    """
    by_game: dict[str, list[LevelAttempt]] = {}
    for attempt in attempts:
        by_game.setdefault(attempt.level.game, []).append(attempt)
    found: dict[str, Any] = {}
    for game, own in by_game.items():
        if game == "bolt_unscrew":
            found[game] = {"attempts": [_bolt(attempt, measure) for attempt in own]}
        elif game == "nut_and_bolt":
            found[game] = _stacks(own)
        elif game in ("maze_paint", "rush_hour"):
            won = {attempt.level: attempt.n_moves for attempt in reversed(own) if attempt.won}  # the first win of each
            found[game] = {"completed_levels": len(won), "moves_of_completed": sum(won.values())}
        elif game == "color_connect":
            levels = {attempt.level for attempt in own}
            on_board = [item for item in inputs if item.board is not None and item.board.level in levels]
            found[game] = {"gestures": sum(presses_the_board(item) for item in on_board)}
    return found


def presses_the_board(item: Input) -> bool:
    """Tell whether an input presses on a board in play that is not won."""
    action = item.action
    pressed = action.get("name") in PRESSES and BOARD.contains(action["x"], action["y"])
    return pressed and item.board is not None and not item.board.won


def _bolt(attempt: LevelAttempt, measure: Measure) -> dict[str, Any]:
    found = [measure(board.level, board.state) for board in attempt.boards]
    ended = "clears" if attempt.won else "deadlocks" if any(one.deadlocked for one in found) else attempt.exit
    return {
        "level": str(attempt.level),
        "boards_out": max(one.boards_out for one in found),
        "fewest_free_holes": min(one.free_holes for one in found),
        "moves": attempt.n_moves,
        "ended": ended,
    }


def _stacks(attempts: Sequence[LevelAttempt]) -> dict[str, int]:
    counts = {"changes": 0, "revisits": 0, "stack_regressions": 0}
    for attempt in attempts:
        boards = [_configuration(board.state) for board in attempt.boards]
        seen = set(boards[:1])
        for before, after in pairwise(boards):
            if before != after:
                counts["changes"] += 1
                counts["revisits"] += after in seen
                counts["stack_regressions"] += _n_solved(after) < _n_solved(before)
                seen.add(after)
    return {**counts, "resets": sum(attempt.boards[0].kind == "restart" for attempt in attempts)}


def _configuration(state: JsonObject) -> Stacks:
    """Return the stacks in a fixed order: which bolt holds which makes no difference."""
    return tuple(sorted(tuple(map(str, bolt)) for bolt in state["bolts"]))


def _n_solved(stacks: Stacks) -> int:
    """Count the stacks that hold every nut of one colour and nothing else."""
    nuts = Counter(nut for stack in stacks for nut in stack)
    return sum(len(set(stack)) == 1 and len(stack) == nuts[stack[0]] for stack in stacks)
