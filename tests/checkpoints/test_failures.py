"""Source failures: what may become one, what is refused and why, and that the shipped ones hold."""

from collections import Counter
from dataclasses import replace

import pytest

from checkpoints.controller import RestorationFailure
from checkpoints.failures import N_SOURCES, RefusedSource, SourceFailure, certified, sources
from checkpoints.retry_start import initial_digest, restore_and_restart
from checkpoints.store import PrefixTurn, load_library
from checkpoints.verify import verify_by_rules
from games.catalogue import load_catalogue
from games.registry import game_named
from games.suite.session import SuiteSession

CATALOGUE = load_catalogue()
LIBRARY = load_library("rq3")
FIRST = LIBRARY.checkpoints[0]


def recorded() -> SourceFailure:
    """The first shipped source as its record showed it."""
    game = game_named(FIRST.level.game)
    restart = FIRST.provenance["restart"]
    return SourceFailure(
        FIRST.level, FIRST.prefix, FIRST.moves, FIRST.state,
        PrefixTurn(restart["action"], restart["feedback"], None, restart["reason"]),
        game.state_to_json(game.initial_state(CATALOGUE.layout(FIRST.level))),
        from_home=True, by_agent=True, provenance={"player": "p", "simulated": True},
    )  # fmt: skip


def test_the_shipped_sources_are_24_from_seven_levels_with_reasons_and_a_label():
    assert Counter(one.level.number for one in LIBRARY.checkpoints) == N_SOURCES
    assert {one.cohort for one in LIBRARY.checkpoints} == {"F"}
    assert all(one.provenance["simulated"] for one in LIBRARY.checkpoints)
    assert {one.provenance["player"] for one in LIBRARY.checkpoints} == {
        "simulated/sol", "simulated/terra", "simulated/luna"
    }  # fmt: skip
    assert all(turn.reason for one in LIBRARY.checkpoints for turn in one.prefix[-1:])
    assert len({one.state_digest for one in LIBRARY.checkpoints}) == 24


@pytest.mark.parametrize("checkpoint_id", ["F01", "F13", "F24"])
def test_shipped_sources_hold_by_the_rules_and_restart_natively(checkpoint_id):
    checkpoint = LIBRARY.checkpoint(checkpoint_id)
    verify_by_rules(checkpoint, CATALOGUE)
    for path in ("fast", "replay"):
        session = SuiteSession(CATALOGUE)
        assert restore_and_restart(session, checkpoint, path=path).state_digest == initial_digest(checkpoint)
        assert session.transitions(0)[-1].kind == "restart"


def test_a_restart_that_cannot_be_verified_is_a_restoration_failure(monkeypatch):
    session = SuiteSession(CATALOGUE)
    monkeypatch.setattr("checkpoints.retry_start._press_restart", lambda *_: None)
    with pytest.raises(RestorationFailure, match="after the restart"):
        restore_and_restart(session, FIRST)


def test_a_recorded_failure_is_a_source():
    assert certified(recorded(), CATALOGUE).mechanism == "no_available_hole"
    assert sources([recorded(), recorded()], CATALOGUE) == (recorded(),)


def test_a_board_that_only_a_search_gives_up_is_no_source_in_bolt_unscrew(monkeypatch):
    """No shipped layout has such a board, so the solver is made to find one."""
    from solvers.bolt_unscrew import SOLVER, BoltUnscrewSolver
    from solvers.certificate import DeadEnd
    from solvers.registry import certifying_mechanisms

    assert certifying_mechanisms("bolt_unscrew") == SOLVER.certifying == ("no_available_hole",)
    assert certifying_mechanisms("nut_and_bolt") == ("no_available_hole", "exhausted_search")
    monkeypatch.setattr(BoltUnscrewSolver, "certify", lambda *_, **__: DeadEnd("exhausted_search", 9))
    with pytest.raises(RefusedSource, match="dead by exhausted_search, wanted no_available_hole"):
        certified(recorded(), CATALOGUE)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"from_home": False}, "home screen"),
        ({"by_agent": False}, "agent's own"),
        ({"restarted_state": FIRST.state}, "initial board"),
        ({"state": recorded().restarted_state}, "not a dead end"),
        ({"turns": (PrefixTurn({"name": "scroll"}, "done", None),)}, "'scroll'"),
    ],
)
def test_what_is_no_source_is_refused_with_its_reason(changes, message):
    failure = replace(recorded(), **changes)
    with pytest.raises(RefusedSource, match=message):
        certified(failure, CATALOGUE)
    assert sources([failure], CATALOGUE) == ()
