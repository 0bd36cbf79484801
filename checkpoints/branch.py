"""Branch states (cohort S): solvable boards with one costly action that was observed and one shortest action.

    python -m diag branches study=FOLDER        builds a library from a recorded study

What each branch does is part of the checkpoint's provenance, and so of its digest:
`{"branches": {"costly": {"move", "extra_cost", "distance_before", "distance_after"}, "shortest": {...}}}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checkpoints.build import Builder, make_checkpoint
from checkpoints.harvest import Play
from checkpoints.store import Checkpoint, CheckpointError, Library
from games.catalogue import Catalogue
from games.contract import JsonValue
from games.digest import canonical_json
from games.registry import game_named
from solvers.registry import solver_for

STATE_LIMIT = 1_000_000
LEAST_DISTANCE = 6
"""Moves to a win that a branch state has at least left, so that there is a continuation to be changed."""


@dataclass(frozen=True)
class BranchState:
    """A board of a recorded play from which a costly move was made."""

    play: Play
    n_moves: int
    """Moves of the play before it."""
    costly: JsonValue
    """The move that was made."""
    shortest: JsonValue
    """A move on a shortest way to a win."""
    distance: int
    """d of the board."""
    extra_cost: int
    """e of the costly move: 1 + d after it - d before it."""

    def branches(self) -> dict[str, Any]:
        """Return both branches as they are stored."""
        d = self.distance
        return {
            "costly": _branch(self.costly, self.extra_cost, d, d - 1 + self.extra_cost),
            "shortest": _branch(self.shortest, 0, d, d - 1),
        }


def _branch(move: JsonValue, extra: int, before: int, after: int) -> dict[str, Any]:
    return {"move": move, "extra_cost": extra, "distance_before": before, "distance_after": after}


def branch_of(checkpoint: Checkpoint) -> Mapping[str, Any]:
    """Return the two branches of a checkpoint. Raises CheckpointError if it is no branch state."""
    branches = checkpoint.provenance.get("branches")
    if checkpoint.cohort != "S" or not isinstance(branches, Mapping) or set(branches) != {"costly", "shortest"}:
        raise CheckpointError(f"checkpoint {checkpoint.checkpoint_id} is no branch state: cohort {checkpoint.cohort}")
    return branches


def costly_states(catalogue: Catalogue, play: Play, *, state_limit: int = STATE_LIMIT) -> Iterator[BranchState]:
    """Yield every board of a play from which a move with positive finite regret was made; solvers decide.

    Left out are boards nearer to a win than `LEAST_DISTANCE`, boards whose distances are not exact within the limit,
    and moves into a dead end: both successors of a branch state can be won.
    """
    game, solver = game_named(play.level.game), solver_for(play.level.game)
    layout = catalogue.layout(play.level)
    for n, move in enumerate(play.moves):
        state = game.state_from_json(layout, play.states[n])
        before = solver.distance(state, state_limit=state_limit)
        if not isinstance(before, int) or before < LEAST_DISTANCE:
            continue
        after = solver.distance(game.step(state, game.move_from_json(move)), state_limit=state_limit)
        best = _shortest(game, solver, state, before, state_limit)
        if isinstance(after, int) and after >= before and best is not None:
            yield BranchState(play, n, move, best, before, 1 + after - before)


def _shortest(game: Any, solver: Any, state: Any, distance: int, state_limit: int) -> JsonValue | None:
    """Return the first legal move that brings the win one nearer."""
    for move in game.legal_moves(state):
        if solver.distance(game.step(state, move), state_limit=state_limit) == distance - 1:
            found: JsonValue = game.move_to_json(move)
            return found
    return None


def choose(states: Iterable[BranchState], n: int) -> tuple[BranchState, ...]:
    """Choose `n` branch states, of different levels as far as there are, the most costly of each level first.

    Raises:
        ValueError: fewer than `n` distinct boards.
    """
    distinct = {(str(s.play.level), canonical_json(s.play.states[s.n_moves])): s for s in states}
    by_level: dict[str, list[BranchState]] = {}
    for one in sorted(distinct.values(), key=_rank):
        by_level.setdefault(str(one.play.level), []).append(one)
    rounds = [
        found[k]
        for k in range(max(map(len, by_level.values()), default=0))
        for found in by_level.values()
        if k < len(found)
    ]
    if len(rounds) < n:
        raise ValueError(f"{len(rounds)} distinct boards with a costly move, wanted at least {n}")
    return tuple(sorted(rounds[:n], key=lambda one: (one.play.level, one.n_moves)))


def _rank(state: BranchState) -> tuple[int, int, str]:
    return -state.extra_cost, state.n_moves, str(state.play.level)


def verify_branches(checkpoint: Checkpoint, catalogue: Catalogue, *, state_limit: int = STATE_LIMIT) -> None:
    """Check that both successors can be won and that the stored costs are the exact ones.

    Raises:
        CheckpointError: a branch is not what it says.
    """
    game, solver = game_named(checkpoint.level.game), solver_for(checkpoint.level.game)
    state = game.state_from_json(catalogue.layout(checkpoint.level), checkpoint.state)
    before = solver.distance(state, state_limit=state_limit)
    for name, branch in branch_of(checkpoint).items():
        after = solver.distance(game.step(state, game.move_from_json(branch["move"])), state_limit=state_limit)
        if not isinstance(before, int) or not isinstance(after, int):
            raise CheckpointError(f"{checkpoint.checkpoint_id}: {name}: a distance is not exact, or there is no win")
        found = {"distance_before": before, "distance_after": after, "extra_cost": 1 + after - before}
        wanted = {key: branch[key] for key in found}
        if found != wanted or (name == "shortest") != (found["extra_cost"] == 0):
            raise CheckpointError(f"{checkpoint.checkpoint_id}: {name}: found {found}, stored is {wanted}")


def build_branches(
    builder: Builder, states: Sequence[BranchState], name: str, folder: Any
) -> tuple[Library, dict[str, bytes]]:
    """Return a library of branch states and its pictures, every checkpoint replayed, restored and verified.

    Raises:
        CheckpointError, CertificateError, RestorationFailure: a state does not stand up to verification.
    """
    pictures: dict[str, bytes] = {}
    checkpoints = []
    for number, state in enumerate(states, start=1):
        extra = {"branches": state.branches()}
        one = make_checkpoint(builder, f"S{number:02d}", "S", state.play, state.n_moves, pictures, extra)
        verify_branches(one, builder.catalogue)
        checkpoints.append(one)
    return Library(name, tuple(checkpoints), folder), pictures
