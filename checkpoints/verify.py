"""Proof that a checkpoint is what it claims: by the rules, by a session, and by real pointer events in a browser.

Every check here uses something other than what made the checkpoint: the certificate's checker replays claims with the
rules, a second session replays the prefix by gestures, and two fresh pages replay it by pointer events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from checkpoints.controller import RestorationFailure, Restored, restore
from checkpoints.harvest import enter, press
from checkpoints.retry_start import Restarted, restore_and_restart
from checkpoints.store import Checkpoint, CheckpointError
from games.catalogue import Catalogue
from games.contract import Game, JsonValue, Table
from games.digest import state_digest
from games.registry import game_named
from games.suite.page import SuitePage
from games.suite.session import SuiteSession
from solvers.certificate import DeadEnd, Solvable
from solvers.certificate_json import certificate_from_json
from solvers.registry import certifying_mechanisms
from solvers.verify import verify


def verify_by_rules(checkpoint: Checkpoint, catalogue: Catalogue, *, state_limit: int = 300_000) -> None:
    """Check everything that needs no browser.

    The layout is the catalogue's; the moves reach the state; the certificate holds; a session reaches the same state by
    the prefix's gestures and by the fast path, and from both the same moves lead to the same successors; a native
    restart gives back the level's initial board, which `restart_solution` wins. For cohort N also: the certified
    continuation needs fewer GUI actions than restarting and replaying, and two replays complete the level.

    Raises:
        CheckpointError: something is not as claimed, with what was found and wanted.
        CertificateError: the certificate does not hold.
        RestorationFailure: a replay ends elsewhere.
    """
    game = game_named(checkpoint.level.game)
    _check(
        catalogue.level(checkpoint.level).layout_json == checkpoint.layout,
        checkpoint,
        "another layout than the catalogue's",
    )
    layout = game.parse_layout(checkpoint.layout)
    state = _replay(game, game.initial_state(layout), checkpoint.moves)
    _check(state == game.state_from_json(layout, checkpoint.state), checkpoint, "its moves do not reach its state")
    verify(game, state, certificate_from_json(game, checkpoint.certificate), state_limit=state_limit)
    _check(not game.is_won(state), checkpoint, "its board is already won")
    _check_cohort(checkpoint, game)
    _check_equal_paths(checkpoint, catalogue, game)
    _check_restart(checkpoint, catalogue, game)
    if checkpoint.cohort == "N":
        _check_continuation(checkpoint, catalogue, game)


def verify_in_browser(checkpoint: Checkpoint, pages: Sequence[tuple[SuiteSession, SuitePage]], build: str) -> str:
    """Restore by replay on every page but the last and by the fast path on the last; all must show the same pixels.

    A source failure (cohort F) is compared where a retry begins: after its native restart.

    Args:
        checkpoint: what to verify.
        pages: at least three fresh sessions with their pages.
        build: name of the browser build, under which the checkpoint may hold a digest already.

    Returns:
        The digest of the settled screen.

    Raises:
        RestorationFailure: states or pixels differ.
        ValueError: fewer than three pages.
    """
    if len(pages) < 3:
        raise ValueError(f"got {len(pages)} pages, wanted two for replays and one for the fast path")
    begin = restore_and_restart if checkpoint.cohort == "F" else restore
    restored: list[Restored | Restarted] = [
        begin(session, checkpoint, page, path="replay", browser_build=build) for session, page in pages[:-1]
    ]
    session, page = pages[-1]
    restored.append(begin(session, checkpoint, page, path="fast", browser_build=build))
    found = {one.pixels_digest for one in restored}
    if len(found) != 1 or None in found:
        raise RestorationFailure(f"{checkpoint.checkpoint_id}: {len(found)} different pictures of one state: {found}")
    return str(restored[0].pixels_digest)


def _check_cohort(checkpoint: Checkpoint, game: Game) -> None:
    claim = certificate_from_json(game, checkpoint.certificate)
    wanted = DeadEnd if checkpoint.cohort in ("D", "F") else Solvable
    _check(isinstance(claim, wanted), checkpoint, f"cohort {checkpoint.cohort} with the claim {type(claim).__name__}")
    if isinstance(claim, DeadEnd):
        allowed = certifying_mechanisms(checkpoint.level.game)
        problem = f"dead by {claim.mechanism}; wanted {', '.join(allowed)}"
        _check(claim.mechanism in allowed, checkpoint, problem)


def _check_equal_paths(checkpoint: Checkpoint, catalogue: Catalogue, game: Game) -> None:
    ends = []
    for path in ("replay", "fast"):
        session = SuiteSession(catalogue)
        restore(session, checkpoint, path=path)
        found = session.snapshot()
        state = game.state_from_json(catalogue.layout(checkpoint.level), found.state or {})
        successors = {
            str(game.move_to_json(move)): state_digest(checkpoint.level, game.state_to_json(game.step(state, move)))
            for move in game.legal_moves(state)
        }
        ends.append((found.state_digest, found.held, session.picture()["board"], successors))
    _check(ends[0] == ends[1], checkpoint, "replay and fast path end differently")


def _check_restart(checkpoint: Checkpoint, catalogue: Catalogue, game: Game) -> None:
    session = SuiteSession(catalogue)
    restore(session, checkpoint)
    session.release()
    press(session, "restart")
    layout = catalogue.layout(checkpoint.level)
    initial = game.initial_state(layout)
    found = session.snapshot()
    _check(found.level == checkpoint.level and found.state == game.state_to_json(initial), checkpoint, "restart fails")
    _check(game.is_won(_replay(game, initial, checkpoint.restart_solution)), checkpoint, "its restart solution fails")


def _check_continuation(checkpoint: Checkpoint, catalogue: Catalogue, game: Game) -> None:
    claim = certificate_from_json(game, checkpoint.certificate)
    assert isinstance(claim, Solvable)
    solution = tuple(game.move_to_json(move) for move in claim.solution)
    costs = []
    for path in ("replay", "fast"):
        session = SuiteSession(catalogue)
        restore(session, checkpoint, path=path)
        session.release()
        costs.append(play_out(session, catalogue, game, solution))
        _check(session.snapshot().won, checkpoint, f"its continuation does not win ({path})")
    again = SuiteSession(catalogue)
    enter(again, checkpoint.level)
    from_start = 1 + play_out(again, catalogue, game, checkpoint.restart_solution)
    _check(
        costs[0] == costs[1] < from_start,
        checkpoint,
        f"continuing takes {costs} GUI actions, restarting and replaying {from_start}",
    )


def play_out(session: SuiteSession, catalogue: Catalogue, game: Game, moves: Sequence[JsonValue]) -> int:
    """Play moves (JSON form) by their gestures and return how many GUI actions that took."""
    n_actions = 0
    for move in moves:
        now = session.snapshot()
        assert now.level is not None
        state = game.state_from_json(catalogue.layout(now.level), now.state or {})
        for gesture in game.gestures(Table(state, now.held), game.move_from_json(move)):
            session.gesture(gesture)
            n_actions += 1
    return n_actions


def _replay(game: Game, state: Any, moves: Sequence[JsonValue]) -> Any:
    for move in moves:
        state = game.step(state, game.move_from_json(move))
    return state


def _check(holds: bool, checkpoint: Checkpoint, problem: str) -> None:
    if not holds:
        raise CheckpointError(f"checkpoint {checkpoint.checkpoint_id} ({checkpoint.level}): {problem}")
