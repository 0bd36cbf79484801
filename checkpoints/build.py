"""Builds the library of the dead-end takeover study: 24 certified dead ends (D) and 12 solvable states (N).

    python -m checkpoints build

D: simulated play at sight on seven Hard levels of Bolt Unscrew until no legal relocation is left; per level a few of
its distinct dead ends, spread over their depths. N: twelve states along one verified winning trajectory of Hard level
1. Every checkpoint is certified, replayed twice in the browser, restored by both paths, and verified before it is
written. The same call gives the same library (for one browser build).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from checkpoints.controller import RestorationFailure, perform
from checkpoints.harvest import Play, play_at_sight, play_solution, spread
from checkpoints.store import SHIPPED, Checkpoint, Cohort, Library, PrefixTurn
from checkpoints.verify import verify_by_rules, verify_in_browser
from games.catalogue import Catalogue
from games.contract import LevelId
from games.digest import state_digest
from games.picture import decoded_digest
from games.registry import game_named
from games.suite.browser import build_name, ensure_driver, launch
from games.suite.page import SuitePage
from games.suite.server import SuiteServer
from games.suite.session import SuiteSession
from solvers.certificate import Solvable
from solvers.certificate_json import certificate_to_json
from solvers.registry import solver_for

GAME = "bolt_unscrew"
N_DEAD_ENDS = {2: 4, 3: 4, 4: 4, 5: 3, 6: 3, 7: 3, 8: 3}
"""Hard level -> dead ends taken from it: 24 from seven source levels."""
N_DEAD_PLAYS = 16
"""Dead ends played per level, among which the shipped ones are chosen."""
MAX_PLAYS = 200
MOVE_LIMIT = 60
CARE = 1.5
SOLVABLE_LEVEL = LevelId(GAME, "hard", 1)
N_SOLVABLE = 12
N_PICTURES = 4
"""Last turns of a prefix that keep their picture (protocol 1.1)."""
STATE_LIMIT = 300_000

OpenPage = Callable[[], AbstractContextManager[tuple[SuiteSession, SuitePage]]]
"""Opens a fresh session with its own browser page, at the home screen."""


@dataclass(frozen=True)
class Builder:
    """Everything a build needs from outside."""

    catalogue: Catalogue
    open_page: OpenPage
    browser_build: str
    report: Callable[[str], None]


def build_rq2(builder: Builder) -> tuple[Library, dict[str, bytes]]:
    """Return the library and its pictures (digest -> PNG).

    Raises:
        ValueError: a level has too few distinct dead ends, or level 1 no solution found within the limit.
        CheckpointError, CertificateError, RestorationFailure: a checkpoint does not stand up to verification.
    """
    pictures: dict[str, bytes] = {}
    cohorts: dict[Cohort, Iterator[tuple[Play, int]]] = {"D": _dead_ends(builder), "N": _solvable(builder)}
    checkpoints = [
        make_checkpoint(builder, f"{cohort}{index:02d}", cohort, play, n_moves, pictures)
        for cohort, plays in cohorts.items()
        for index, (play, n_moves) in enumerate(plays, start=1)
    ]
    return Library("rq2", tuple(checkpoints), SHIPPED / "rq2"), pictures


def _dead_ends(builder: Builder) -> Iterator[tuple[Play, int]]:
    for number, n in N_DEAD_ENDS.items():
        level = LevelId(GAME, "hard", number)
        seeds = range(1_000 * number, 1_000 * number + MAX_PLAYS)
        plays = (play_at_sight(builder.catalogue, level, seed=k, move_limit=MOVE_LIMIT, care=CARE) for k in seeds)
        stuck = list(islice((play for play in plays if _is_stuck(builder, play)), N_DEAD_PLAYS))
        builder.report(f"{level}: {len(stuck)} simulated plays died")
        for play in spread(stuck, n):
            yield play, len(play.moves)


def _is_stuck(builder: Builder, play: Play) -> bool:
    game = game_named(GAME)
    state = game.state_from_json(builder.catalogue.layout(play.level), play.states[-1])
    return not game.is_won(state) and not game.legal_moves(state)


def _solvable(builder: Builder) -> Iterator[tuple[Play, int]]:
    play = play_solution(
        builder.catalogue,
        SOLVABLE_LEVEL,
        _solution(builder, SOLVABLE_LEVEL),
        {"player": f"solver {solver_for(GAME).version}", "simulated": True},
    )
    n_moves = len(play.moves)
    if n_moves <= N_SOLVABLE:
        raise ValueError(f"{SOLVABLE_LEVEL}: its solution has {n_moves} moves, wanted more than {N_SOLVABLE}")
    for done in range(n_moves - N_SOLVABLE, n_moves):
        yield play, done


def _solution(builder: Builder, level: LevelId) -> tuple[Any, ...]:
    """Return a solution of a level: what shows that a native restart leads to a playable board."""
    state = game_named(level.game).initial_state(builder.catalogue.layout(level))
    claim = solver_for(level.game).certify(state, state_limit=STATE_LIMIT)
    if not isinstance(claim, Solvable):
        raise ValueError(f"{level}: wanted a solution, got {claim}")
    return claim.solution


def make_checkpoint(
    builder: Builder,
    checkpoint_id: str,
    cohort: Cohort,
    play: Play,
    n_moves: int,
    pictures: dict[str, bytes],
    provenance: Mapping[str, Any] | None = None,
) -> Checkpoint:
    """Return a state of a play as a checkpoint, certified, pictured, replayed and verified.

    Raises:
        CheckpointError, CertificateError, RestorationFailure: it does not stand up to verification.
    """
    game, solver = game_named(play.level.game), solver_for(play.level.game)
    state = play.states[n_moves]
    claim = solver.certify(
        game.state_from_json(builder.catalogue.layout(play.level), state), state_limit=STATE_LIMIT, optimal=True
    )
    restart = tuple(game.move_to_json(move) for move in _solution(builder, play.level))
    checkpoint = Checkpoint(
        checkpoint_id,
        cohort,
        play.level,
        builder.catalogue.level(play.level).layout_json,
        state,
        state_digest(play.level, state),
        play.moves[:n_moves],
        tuple(PrefixTurn(action, "executed", None) for action in play.prefix(n_moves)),
        certificate_to_json(game, claim),
        restart,
        {},
        {
            **play.provenance,
            "solver": solver.version,
            "verified": "rules, session, browser replay twice, both paths",
            **(provenance or {}),
        },
    )
    verify_by_rules(checkpoint, builder.catalogue)
    checkpoint = with_pictures(builder, checkpoint, pictures)
    with ExitStack() as stack:
        pages = [stack.enter_context(builder.open_page()) for _ in range(3)]
        verify_in_browser(checkpoint, pages, builder.browser_build)
    builder.report(f"{checkpoint_id}: {play.level}, {n_moves} moves, {type(claim).__name__}")
    return checkpoint


def with_pictures(builder: Builder, checkpoint: Checkpoint, pictures: dict[str, bytes]) -> Checkpoint:
    """Replay the prefix in the browser and keep the last pictures before an action, and the one after the last."""
    turns = list(checkpoint.prefix)
    with builder.open_page() as (session, page):
        for index, turn in enumerate(turns):
            if index >= len(turns) - N_PICTURES:
                turns[index] = replace(turn, picture=_keep(page, pictures))
            perform(session, page, turn.action)
        found = session.snapshot().state_digest
        if found != checkpoint.state_digest:
            raise RestorationFailure(
                f"{checkpoint.checkpoint_id}: replay ends in {found}, wanted {checkpoint.state_digest}"
            )
        final = decoded_digest(page.screenshot())
    return replace(checkpoint, prefix=tuple(turns), pixels={builder.browser_build: final})


def _keep(page: SuitePage, pictures: dict[str, bytes]) -> str:
    png = page.screenshot()
    digest = decoded_digest(png)
    pictures[digest] = png
    return digest


@contextmanager
def browser_pages(catalogue: Catalogue) -> Iterator[tuple[OpenPage, str]]:
    """Start the suite and a browser; yield a function that opens pages, and the name of the browser build."""
    from playwright.sync_api import sync_playwright

    ensure_driver()
    with SuiteServer(catalogue) as server, sync_playwright() as playwright:
        browser = launch(playwright)

        @contextmanager
        def open_page() -> Iterator[tuple[SuiteSession, SuitePage]]:
            session = server.open(animate=False)
            with SuitePage(browser, server, session) as page:
                yield session, page

        yield open_page, build_name(browser)
        browser.close()
