"""Dead ends of a second game for the follow-up of RQ2: three boards of Nut and Bolt that cannot be completed any more.

    python -m checkpoints build rq2_nut

Simulated play at sight on three levels. A play that got stuck gives the board it got stuck on; one that only wandered
in a dead part gives the first board from which exhaustive search finds no win.
"""

from __future__ import annotations

from checkpoints.build import STATE_LIMIT, Builder, make_checkpoint
from checkpoints.harvest import Play, play_at_sight
from checkpoints.store import SHIPPED, Library
from games.contract import LevelId
from games.registry import game_named
from solvers.certificate import DeadEnd
from solvers.registry import solver_for

GAME = "nut_and_bolt"
LEVELS = (LevelId(GAME, "medium", 1), LevelId(GAME, "hard", 1), LevelId(GAME, "hard", 2))
MAX_PLAYS = 40
MOVE_LIMIT = 40
CARE = 1.5


def build_rq2_nut(builder: Builder) -> tuple[Library, dict[str, bytes]]:
    """Return the library and its pictures (digest -> PNG).

    Raises:
        ValueError: no play on a level reached a dead end.
        CheckpointError, CertificateError, RestorationFailure: a checkpoint does not stand up to verification.
    """
    pictures: dict[str, bytes] = {}
    checkpoints = [
        make_checkpoint(builder, f"T{index:02d}", "D", *_dead_end(builder, level), pictures)
        for index, level in enumerate(LEVELS, start=1)
    ]
    return Library("rq2_nut", tuple(checkpoints), SHIPPED / "rq2_nut"), pictures


def _dead_end(builder: Builder, level: LevelId) -> tuple[Play, int]:
    """Return the first play on a level that reached a dead end, and after how many moves to stop it."""
    game, solver, layout = game_named(GAME), solver_for(GAME), builder.catalogue.layout(level)
    for seed in range(1_000, 1_000 + MAX_PLAYS):
        play = play_at_sight(builder.catalogue, level, seed=seed, move_limit=MOVE_LIMIT, care=CARE)
        states = [game.state_from_json(layout, state) for state in play.states]
        if not game.is_won(states[-1]) and not game.legal_moves(states[-1]):
            return play, len(play.moves)
        for n_moves, state in enumerate(states):
            if isinstance(solver.certify(state, state_limit=STATE_LIMIT), DeadEnd):
                return play, n_moves
    raise ValueError(f"{level}: {MAX_PLAYS} plays reached no dead end")
