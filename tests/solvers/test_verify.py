"""Tampered claims are refused, on a graph small enough to see through."""

from dataclasses import dataclass

import pytest

from games.contract import IllegalMove
from solvers.certificate import CertificateError, DeadEnd, Solvable, Solved, Undecided
from solvers.verify import verify, verify_exact


@dataclass(frozen=True)
class Walk:
    """States are letters, moves are the letters one can go to; `w` wins."""

    edges: dict

    def legal_moves(self, state):
        return tuple(self.edges.get(state, ""))

    def step(self, state, move):
        if move not in self.legal_moves(state):
            raise IllegalMove(f"{state} to {move}")
        return move

    def is_won(self, state):
        return state == "w"


GAME = Walk({"a": "bc", "b": "dx", "c": "d", "d": "w", "x": "yz", "y": "x", "z": "x", "k": ""})


@pytest.mark.parametrize(
    ("state", "claim"),
    [
        ("w", Solved()),
        ("a", Solvable(("b", "d", "w"), True, 3)),
        ("a", Solvable(("c", "d", "w"), False, 1)),
        ("k", DeadEnd("no_available_hole", 1)),
        ("x", DeadEnd("exhausted_search", 3)),
    ],
)
def test_true_claims_hold(state, claim):
    verify(GAME, state, claim, state_limit=3)


@pytest.mark.parametrize(
    ("state", "claim", "message"),
    [
        ("a", Solved(), "found a state that is not won"),
        ("w", Solvable((), True, 0), "won already"),
        ("a", Solvable(("b", "d"), False, 1), "solution of 2 moves does not win"),
        ("a", Solvable(("b", "w"), False, 1), "move 2 of 2 is refused: b to w"),
        ("d", Solvable(("w", "w"), False, 1), "solution of 2 moves wins after 1"),
        ("a", Solvable(("b", "d", "w"), True, 2), "bound 2 does not fit"),
        ("a", Solvable(("b", "d", "w"), False, 3), "bound 3 does not fit"),
        ("a", Solvable(("b", "d", "w"), False, 0), "bound 0 does not fit"),
        ("w", DeadEnd("no_available_hole", 1), "found a state that is won"),
        ("x", DeadEnd("no_available_hole", 1), "found 2 legal moves"),
        ("a", DeadEnd("exhausted_search", 3), "found a win 3 moves away"),
        ("x", Undecided(7), "nothing is claimed"),
    ],
)
def test_false_claims_are_refused(state, claim, message):
    with pytest.raises(CertificateError, match=message):
        verify(GAME, state, claim, state_limit=100)


def test_a_check_that_cannot_be_finished_fails():
    with pytest.raises(CertificateError, match="not checked: more than 2 states"):
        verify(GAME, "x", DeadEnd("exhausted_search", 3), state_limit=2)
    with pytest.raises(CertificateError, match="not checked: more than 2 states"):
        verify_exact(GAME, "a", Solvable(("b", "d", "w"), True, 3), state_limit=2)


def test_exact_claims():
    verify_exact(GAME, "a", Solvable(("b", "d", "w"), True, 3), state_limit=10)
    longer = Walk({"a": "bd", "b": "d", "d": "w"})
    with pytest.raises(CertificateError, match="claimed a least distance of 3, found a win at 2"):
        verify_exact(longer, "a", Solvable(("b", "d", "w"), True, 3), state_limit=10)
    with pytest.raises(CertificateError, match="upper bound, wanted an exact claim"):
        verify_exact(GAME, "a", Solvable(("b", "d", "w"), False, 1), state_limit=10)


def test_it_imports_no_solver():
    import ast
    from pathlib import Path

    import solvers.verify

    tree = ast.parse(Path(solvers.verify.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"__future__", "typing", "games.contract", "solvers.certificate"}
