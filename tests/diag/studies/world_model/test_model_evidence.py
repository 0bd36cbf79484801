"""Evidence on disk: what is a transition and what is none, nothing lost, and read back as it was seen."""

import re

import numpy as np
import pytest

from diag.studies.world_model.evidence import EvidenceStore, ranges
from diag.studies.world_model.inside import wmlib
from games.catalogue import load_catalogue
from games.contract import LevelId
from games.grid.actions import GridAction, click
from games.grid.contract import Observation
from games.grid.environment import GridEnvironment, Loss, level_set
from games.grid.frame import blank

UP, RESET = GridAction(1), GridAction(0)


def seen(*colours, status="playing", completed=0, full=False):
    return Observation(tuple(blank(one) for one in colours), status, completed, 2, (1, 6), full)


@pytest.fixture
def store(tmp_path):
    """Two turns, a death, a RESET, an animated turn, a completed level, a turn of the next."""
    made = EvidenceStore(tmp_path)
    made.open(seen(0, full=True))
    made.add(UP, seen(1))
    made.add(click(5, 9), seen(2, status="lost"))
    made.add(UP, Observation((), "lost", 0, 2, (1, 6)))
    made.add(RESET, seen(0))
    made.add(UP, seen(7, 8, 1))
    made.add(UP, seen(9, 3, 4, completed=1))
    made.add(UP, seen(5, completed=1))
    return made


def colours(transitions):
    return [(one.level, one.attempt, int(one.before[0, 0]), int(one.after[0, 0])) for one in transitions]


def test_only_two_frames_that_were_decided_from_are_a_transition(store):
    assert colours(wmlib.transitions(root=store.root)) == [(0, 1, 0, 1), (1, 0, 4, 5)]
    assert colours(wmlib.transitions(archived=True, root=store.root)) == [(0, 0, 0, 1), (0, 1, 0, 1), (1, 0, 4, 5)]


def test_a_reset_archives_the_attempt_and_its_death(store):
    (attempt,) = wmlib.attempts(0, root=store.root)
    assert [int(frame.grid[0, 0]) for frame in attempt] == [0, 1]
    (death,) = wmlib.death_events(root=store.root)
    assert (death["pre_turn"], death["action"], death["row"], death["col"]) == (1, "ACTION6", 9, 5)
    assert (int(death["prev"][0, 0]), int(death["next"][0, 0])) == (1, 2)
    assert death["prefix"] == [{"action": "ACTION1", "row": None, "col": None}]
    assert (store.root / "attempts" / "level_0_attempt_000" / "death_000.json").is_file()


def test_terminal_and_animation_frames_stand_apart(store):
    (terminal,) = wmlib.terminal_events(root=store.root).values()
    assert (terminal["pre_turn"], int(terminal["grid"][0, 0])) == (1, 3)
    index = wmlib.animation_index(root=store.root)
    assert [(one["pre_turn"], one["n_frames"]) for one in index] == [(0, 2), (1, 1)]
    shown = [int(grid[0, 0]) for one in index for grid in wmlib.animation(one["path"], root=store.root)]
    assert shown == [7, 8, 9]
    assert int(wmlib.current_grid(root=store.root)[0, 0]) == 5


def test_a_full_reset_keeps_the_finished_level(store):
    store.add(RESET, seen(0, full=True))
    assert [int(frame.grid[0, 0]) for frame in wmlib.frames(0, root=store.root)] == [0]
    assert len(wmlib.attempts(0, root=store.root)) == 2


def test_a_difference_holds_every_cell():
    rng = np.random.default_rng(5)
    before = rng.integers(0, 16, (7, 9)).astype(np.int16)
    after = np.where(rng.random((7, 9)) < 0.5, before, rng.integers(0, 16, (7, 9))).astype(np.int16)
    rebuilt = before.copy()
    for line in ranges(before, after):
        row, first, last, one, other = map(int, re.findall(r"\d+", line))
        assert (rebuilt[row, first : last + 1] == one).all()
        rebuilt[row, first : last + 1] = other
    assert (rebuilt == after).all()
    assert ranges(after, after) == []


def test_a_played_game_reads_back_as_it_was_seen(tmp_path):
    levels = level_set(load_catalogue(), [LevelId("maze_paint", "easy", n) for n in (1, 2)])
    game = GridEnvironment(levels, Loss(stuck=True), resets_levels_only=True, animate=True)
    made, rng = EvidenceStore(tmp_path), np.random.default_rng(2)
    made.open(game.observation)
    for _ in range(60):
        number = 0 if game.attempt_actions > 12 else int(rng.choice(game.actions))
        made.add(GridAction(number), game.step(GridAction(number)))
    assert made.history.attempts[0].number == 0 < made.history.current.number
    for level, attempt in made.history.latest.items():
        read = wmlib.frames(level, root=tmp_path)
        assert [frame.turn for frame in read] == list(range(len(attempt.turns)))
        assert all((one.grid == turn.grid).all() for one, turn in zip(read, attempt.turns, strict=True))
        assert all(frame.attempt == attempt.number for frame in read)
    archived = [one for one in made.history.attempts if made.history.latest[one.level] is not one]
    assert sum(len(wmlib.attempts(level, root=tmp_path)) for level in (0, 1)) == len(archived)
    assert len(list(tmp_path.rglob("turn_*.png"))) == sum(len(one.turns) for one in made.history.attempts)
