"""The verifier on the published fixture, on cases worked out by hand, and on properties of any grid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diag.studies.world_model.history import Attempt, Boundary, History, Turn
from diag.studies.world_model.verifier import Predicted, Report, match, moves, replays, signal, verify
from games.grid.actions import GridAction

ACT = GridAction(1)


def grid(text):
    return np.array([[-1 if mark == "?" else int(mark) for mark in text]], dtype=np.int16)


def said(text, *variants, outcome="ongoing"):
    return Predicted(grid(text), tuple(grid(one) for one in variants), outcome)


def attempt(*frames, end=None, number=0, level=0):
    turns = [Turn(None if place == 0 else ACT, grid(one), ()) for place, one in enumerate(frames)]
    return Attempt(level, number, turns, None if end is None else Boundary(end[0], ACT, grid(end[1])))


@pytest.mark.parametrize(
    ("predicted", "accepted", "strict", "known", "coverage", "full", "status"),
    [
        (said("11?0"), True, False, 1.0, 0.75, 0.75, "partial"),
        (said("1?00"), True, False, 1.0, 0.75, 0.75, "partial"),
        (said("10?0"), False, False, 2 / 3, 0.75, 0.5, "partial"),
        (said("????"), False, False, None, 0.0, 0.0, "vacuous"),
        (said("1110"), False, False, 0.75, 1.0, 0.75, "complete"),
        (said("1110", "1100"), True, False, 0.75, 1.0, 0.75, "complete"),
        (said("1110", "11?0"), False, False, 0.75, 1.0, 0.75, "complete"),
        (said("1100"), True, True, 1.0, 1.0, 1.0, "complete"),
    ],
)
def test_the_published_fixture_and_more_on_its_frame(predicted, accepted, strict, known, coverage, full, status):
    found = match(predicted, grid("1100"))
    assert (found.accepted, found.strict, found.known_cell) == (accepted, strict, known)
    assert (found.coverage, found.full_cell, found.status) == (coverage, full, status)


def test_a_sixth_variant_and_one_of_another_mask_are_rejected():
    found = match(said("1110", *["1111"] * 5, "1100"), grid("1100"))
    assert (found.accepted, found.rejected_variants) == (False, 1)
    assert match(said("11?0", "1100"), grid("1100")).rejected_variants == 1


def report(one, *states, **more):
    return verify(History([one]), [states], **more)


def test_changes_and_false_motion_are_graded_and_joint_no_ops_are_not():
    still = report(attempt("11", "11"), said("11"), said("11"))
    assert (still.accepted, len(still.transitions), still.status) == (None, 1, None)
    moved = report(attempt("11", "11"), said("11"), said("12"))
    assert (len(moved.graded), moved.accepted) == (1, 0.0)
    missed = report(attempt("11", "12"), said("11"), said("11"))
    assert (len(missed.graded), missed.accepted, missed.known_cell) == (1, 0.0, 0.5)
    # A cell that is always drawn wrong moves nothing.
    assert report(attempt("11", "11"), said("13"), said("13")).graded == ()


def test_a_model_that_fails_fails_the_transition():
    found = report(attempt("11", "11", "12"), said("11"), Predicted(faults=("render: ValueError",)), said("12"))
    assert [one.fault for one in found.graded] == ["render: ValueError", ""]
    assert (found.accepted, found.coverage) == (0.5, 0.5)
    assert found.exact_levels == ()
    (first,) = found.divergences
    assert (first.turn, first.predicted, first.cells) == (0, None, ())


def test_the_first_divergence_names_its_cells():
    found = report(attempt("111", "112", "122"), said("111"), said("112"), said("?32"))
    (first,) = found.divergences
    assert (first.level, first.turn, first.action) == (0, 1, ACT)
    assert first.cells == ((0, 1, 3, 2),)


def test_only_the_most_recent_attempt_counts_and_every_death_is_replayed():
    lost = attempt("11", "12", end=("game_over", "13"))
    now = attempt("11", "14", number=1)
    history = History([lost, now])
    assert replays(history) == (now, lost)
    states = [[said("11"), said("14")], [said("11"), said("99"), said("13", outcome="game_over")]]
    found = verify(history, states)
    assert (found.accepted, found.exact_levels) == (1.0, (0,))
    assert [one.wanted for one in found.outcomes] == ["ongoing", "ongoing", "game_over"]
    assert signal(found, n_graded=1) == ()


def win(*states):
    return report(attempt("11", "12", end=("level_complete", "22")), *states)


@pytest.mark.parametrize(
    ("states", "reasons"),
    [
        ((said("11"), said("12"), said("22", outcome="level_complete")), ()),
        ((said("11"), said("12"), said("22")), ("missed completion",)),
        ((said("11"), said("12"), said("21", outcome="level_complete")), ("terminal render wrong",)),
        ((said("11"), said("12"), said("2?", outcome="level_complete")), ("terminal render under-covered",)),
        ((said("11"), said("12", outcome="won"), said("22", outcome="level_complete")), ("invalid outcome",)),
        (
            (said("11", outcome="game_over"), said("12"), said("22", outcome="level_complete")),
            ("game_over on a state that goes on",),
        ),
        # Dynamics come first: outcomes do not count while they are dirty.
        ((said("11"), said("11"), said("22")), ("accepted 0.000",)),
        ((said("11"), said("1?"), said("22")), ("accepted 0.000", "coverage 0.500")),
        ((said("11"), said("??"), said("22")), ("accepted 0.000", "coverage vacuous")),
    ],
)
def test_the_trigger_signal(states, reasons):
    if reasons == ("accepted 0.000", "coverage 0.500"):
        states = (states[0], said("?3"), states[2])
    assert signal(win(*states), n_graded=1) == reasons


def test_the_trigger_needs_a_graded_transition():
    assert signal(None, n_graded=0) == ()
    assert signal(None, n_graded=1) == ("no usable model",)
    assert signal(Report(faults=("import: SyntaxError",)), n_graded=1) == ("no usable model",)


def test_predictions_of_another_length_are_an_error():
    with pytest.raises(ValueError, match="1 predictions, wanted 2 at level 0"):
        verify(History([attempt("11", "12")]), [[said("11")]])


cells = st.lists(st.integers(-1, 3), min_size=6, max_size=6).map(lambda v: np.array(v, dtype=np.int16).reshape(2, 3))
frames = st.lists(st.integers(0, 3), min_size=6, max_size=6).map(lambda v: np.array(v, dtype=np.int16).reshape(2, 3))


@settings(max_examples=60, deadline=None)
@given(render=cells, seen=frames, variant=cells)
def test_any_render(render, seen, variant):
    """Against the written-out definition: cell by cell, in plain Python."""
    found = match(Predicted(render, (variant,), "ongoing"), seen)
    pairs = list(zip(render.flat, seen.flat, strict=True))
    claimed = [(one, other) for one, other in pairs if one >= 0]
    same_mask = all((one >= 0) == (other >= 0) for one, other in zip(render.flat, variant.flat, strict=True))
    by_variant = same_mask and all(v == s for v, s in zip(variant.flat, seen.flat, strict=True) if v >= 0)
    assert found.claimed == len(claimed)
    assert found.right == sum(one == other for one, other in claimed)
    assert found.accepted == (bool(claimed) and (all(one == other for one, other in claimed) or by_variant))
    assert found.strict == all(one == other for one, other in pairs)
    assert found.strict <= (found.accepted and found.status == "complete")
    assert not moves(Predicted(render), Predicted(render), seen)


@settings(max_examples=40, deadline=None)
@given(seen=frames, masked=st.lists(st.booleans(), min_size=6, max_size=6))
def test_abstaining_never_makes_a_right_model_wrong(seen, masked):
    render = np.where(np.array(masked).reshape(2, 3), -1, seen).astype(np.int16)
    found = match(Predicted(render), seen)
    assert found.accepted == (not all(masked))
    assert found.coverage == pytest.approx(1 - sum(masked) / 6)
