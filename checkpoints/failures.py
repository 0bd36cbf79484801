"""Source failures (cohort F): an agent's own way into a certified dead end, and its own native restart out of it.

A `SourceFailure` is what a recorded session shows of it, whoever reads the record (diag reads event logs). It
becomes a checkpoint only if all of this holds: the session began at the home screen, every action was the agent's, the
solver certifies the board before the restart as dead, and the restart gave back the level's initial board. What does
not hold is a `RefusedSource` that says why, never a checkpoint.

The checkpoint stands at the dead board: state, certificate and replayable prefix as in cohort D, each prefix turn with
the agent's reason; `provenance["restart"]` holds the restart that followed. A retry begins after that restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from checkpoints.build import STATE_LIMIT, Builder, with_pictures
from checkpoints.controller import gesture_of
from checkpoints.store import SHIPPED, Checkpoint, Library, PrefixTurn
from checkpoints.verify import verify_by_rules, verify_in_browser
from games.catalogue import Catalogue
from games.contract import JsonObject, JsonValue, LevelId
from games.digest import state_digest
from games.registry import game_named
from games.suite.session import SuiteSession
from solvers.certificate import DeadEnd, Solvable
from solvers.certificate_json import certificate_to_json
from solvers.registry import certifying_mechanisms, solver_for

N_SOURCES = {2: 4, 3: 4, 4: 4, 5: 3, 6: 3, 7: 3, 8: 3}
"""Hard level of Bolt Unscrew -> source failures shipped from it: 24 from seven levels."""
GAME = "bolt_unscrew"
_REPLAYABLE = ("click", "drag", "swipe", "key")


class RefusedSource(ValueError):
    """A recorded failure is no source: the message says what was found and what was wanted."""


@dataclass(frozen=True)
class SourceFailure:
    """What a record shows of one failure: everything public from the home screen to the restart."""

    level: LevelId
    turns: tuple[PrefixTurn, ...]
    """Every executed action before the restart, oldest first, with the agent's reasons; waits are left out."""
    moves: tuple[JsonValue, ...]
    """The moves of the failed try, from the level's initial board."""
    state: JsonObject
    """The board that was given up."""
    restart: PrefixTurn
    """The native restart and the agent's reason for it."""
    restarted_state: JsonObject
    """The board after it."""
    from_home: bool
    """The session began at the suite's home screen."""
    by_agent: bool
    """No controller had a hand in it."""
    provenance: JsonObject
    """Agent, whether it is simulated, study, unit, attempt, seed."""


def certified(failure: SourceFailure, catalogue: Catalogue) -> DeadEnd:
    """Return the certificate of the failed board. Raises RefusedSource."""
    game, layout = game_named(failure.level.game), catalogue.layout(failure.level)
    if not failure.from_home or not failure.by_agent:
        raise RefusedSource(f"{failure.level}: not the agent's own from the home screen on")
    unplayable = [turn.action["name"] for turn in failure.turns if turn.action["name"] not in _REPLAYABLE]
    if unplayable:
        raise RefusedSource(f"{failure.level}: {unplayable[0]!r} in its history cannot be replayed as a gesture")
    if failure.restarted_state != game.state_to_json(game.initial_state(layout)):
        raise RefusedSource(f"{failure.level}: the restart did not give back the level's initial board")
    claim = solver_for(failure.level.game).certify(game.state_from_json(layout, failure.state), state_limit=STATE_LIMIT)
    if not isinstance(claim, DeadEnd):
        raise RefusedSource(f"{failure.level}: the board that was restarted is {type(claim).__name__}, not a dead end")
    wanted = certifying_mechanisms(failure.level.game)
    if claim.mechanism not in wanted:
        raise RefusedSource(
            f"{failure.level}: the restarted board is dead by {claim.mechanism}, wanted {', '.join(wanted)}"
        )
    return claim


def checkpoint_of(failure: SourceFailure, checkpoint_id: str, catalogue: Catalogue) -> Checkpoint:
    """Return the failure as a checkpoint that holds by the rules; its pictures come later.

    Raises:
        RefusedSource: it is no source.
        CheckpointError, CertificateError, RestorationFailure: it does not stand up to verification.
    """
    game, claim = game_named(failure.level.game), certified(failure, catalogue)
    checkpoint = Checkpoint(
        checkpoint_id,
        "F",
        failure.level,
        catalogue.level(failure.level).layout_json,
        failure.state,
        state_digest(failure.level, failure.state),
        failure.moves,
        failure.turns,
        certificate_to_json(game, claim),
        _restart_solution(failure.level, catalogue),
        {},
        {
            **failure.provenance,
            "restart": {
                "action": failure.restart.action,
                "feedback": failure.restart.feedback,
                "reason": failure.restart.reason,
            },
            "solver": solver_for(failure.level.game).version,
            "verified": "rules, session, native restart",
            **_won_before(failure, catalogue),
        },
    )
    verify_by_rules(checkpoint, catalogue)
    return checkpoint


def sources(failures: Iterable[SourceFailure], catalogue: Catalogue) -> tuple[SourceFailure, ...]:
    """Return the failures that can be sources, one per dead board, in their order; the rest is passed over."""
    found: dict[str, SourceFailure] = {}
    for failure in failures:
        try:
            certified(failure, catalogue)
        except RefusedSource:
            continue
        if replays_to_empty_hands(failure, catalogue):
            found.setdefault(state_digest(failure.level, failure.state), failure)
    return tuple(found.values())


def library_of(
    failures: Sequence[SourceFailure], catalogue: Catalogue, *, name: str, folder: Any, builder: Builder | None
) -> tuple[Library, dict[str, bytes]]:
    """Return a library of cohort F and its pictures; without a builder it has no pictures and holds by the rules only.

    Raises:
        RefusedSource: a failure is no source.
        CheckpointError, CertificateError, RestorationFailure: a checkpoint does not stand up to verification.
    """
    pictures: dict[str, bytes] = {}
    checkpoints = []
    for index, failure in enumerate(failures, start=1):
        checkpoint = checkpoint_of(failure, f"F{index:02d}", catalogue)
        if builder is not None:
            checkpoint = pictured(builder, checkpoint, pictures)
            builder.report(f"{checkpoint.checkpoint_id}: {failure.level}, {len(failure.turns)} actions before restart")
        checkpoints.append(checkpoint)
    return Library(name, tuple(checkpoints), folder), pictures


def build_rq3(builder: Builder, failures: Iterable[SourceFailure]) -> tuple[Library, dict[str, bytes]]:
    """Return the shipped library: `N_SOURCES` failures per Hard level, the first of each, and their pictures.

    Raises:
        ValueError: a level has too few failures.
    """
    chosen: list[SourceFailure] = []
    found = sources(failures, builder.catalogue)
    for number, wanted in N_SOURCES.items():
        level = LevelId(GAME, "hard", number)
        of_level = [failure for failure in found if failure.level == level]
        if len(of_level) < wanted:
            raise ValueError(f"{level}: {len(of_level)} source failures recorded, wanted {wanted}")
        chosen += of_level[:wanted]
    return library_of(chosen, builder.catalogue, name="rq3", folder=SHIPPED / "rq3", builder=builder)


def pictured(builder: Builder, checkpoint: Checkpoint, pictures: dict[str, bytes]) -> Checkpoint:
    """Add the last pictures by replaying the prefix in the browser, and prove there where a retry begins.

    The failed board's own pixels are not kept: after a fruitless click a message may stand beside it.
    """
    checkpoint = replace(with_pictures(builder, checkpoint, pictures), pixels={})
    with ExitStack() as stack:
        pages = [stack.enter_context(builder.open_page()) for _ in range(3)]
        pixels = verify_in_browser(checkpoint, pages, builder.browser_build)
    restart = {**checkpoint.provenance["restart"], "pixels": {builder.browser_build: pixels}}
    seen = "rules, session, native restart; browser: two replays and the fast path, each restarted"
    return replace(checkpoint, provenance={**checkpoint.provenance, "restart": restart, "verified": seen})


def _restart_solution(level: LevelId, catalogue: Catalogue) -> tuple[JsonValue, ...]:
    game = game_named(level.game)
    claim = solver_for(level.game).certify(game.initial_state(catalogue.layout(level)), state_limit=STATE_LIMIT)
    if not isinstance(claim, Solvable):
        raise RefusedSource(f"{level}: wanted a solution of its initial board, got {type(claim).__name__}")
    return tuple(game.move_to_json(move) for move in claim.solution)


def replays_to_empty_hands(failure: SourceFailure, catalogue: Catalogue) -> bool:
    """Tell whether the history, replayed, ends on the failed board with nothing lifted: so does the fast path."""
    found = _replayed(failure, catalogue).snapshot()
    return found.held is None and found.state_digest == state_digest(failure.level, failure.state)


def _won_before(failure: SourceFailure, catalogue: Catalogue) -> JsonObject:
    """Return the levels won on the way to the failure, for the fast path to show; nothing if there are none."""
    won = _replayed(failure, catalogue).snapshot().won_levels
    return {"won_levels": [str(level) for level in won]} if won else {}


def _replayed(failure: SourceFailure, catalogue: Catalogue) -> SuiteSession:
    session = SuiteSession(catalogue)
    for turn in failure.turns:
        session.gesture(gesture_of(turn.action))
    return session
