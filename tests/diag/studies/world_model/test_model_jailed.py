"""Models of agents in the jail: right ones, and those that raise, hang, end themselves, flood, or look around."""

import numpy as np
import pytest

from diag.agents.code_execution.sandbox import SandboxLimits
from diag.studies.world_model.jailed import Jailed, Replay
from games.grid.actions import GridAction, click

COUNTER = """
import numpy as np
def init_state(grid, level): return (grid, 0)
def transition(state, action): return (state[0], state[1] + (2 if action["action"] == "ACTION6" else 1))
def render(state):
    grid = state[0].copy(); grid[0, 0] = state[1] % 16
    return grid
def outcome(state): return "level_complete" if state[1] == 5 else "ongoing"
def actions(state): return [{"action": "ACTION1", "row": None, "col": None}, {"action": "ACTION6", "row": 1, "col": 2}]
"""
GRID = np.zeros((2, 3), dtype=np.int16)
LINE = Replay(0, GRID, (GridAction(1), click(2, 1)))


def files(text):
    return {"model.py": text.encode()}


def test_a_model_threads_its_state_and_is_asked_once():
    jailed = Jailed()
    (states,) = jailed.predict(files(COUNTER), [LINE])
    assert [int(state.render[0, 0]) for state in states] == [0, 1, 3]
    assert all(state.executes for state in states)
    jailed.predict(files(COUNTER), [LINE, Replay(0, GRID, LINE.actions[:1])])
    assert jailed.n_runs == 1
    found = jailed.plan(files(COUNTER), LINE, ["ACTION1"], method="auto", states=100, seconds=5.0)
    assert (found["status"], len(found["actions"]), found["actions"][0]["action"]) == ("found", 1, "ACTION6")
    (states,) = jailed.predict(files(COUNTER), [Replay(0, GRID, (*LINE.actions, click(2, 1)))])
    assert (states[-1].outcome, jailed.n_runs) == ("level_complete", 2)


HANDS = {
    "def init_state(grid, level): return 1 / 0": "init_state: ZeroDivisionError: division by zero",
    "def init_state(grid, level):\n    while True: pass": "init_state: TimeoutError: not done within 0.2 s",
    "def init_state(grid, level):\n    import os; os._exit(0)": "the model's process ended early",
    "def init_state(grid, level):\n    raise SystemExit": "init_state: SystemExit:",
    "this is no Python": "import: SyntaxError: invalid syntax (model.py, line 1)",
    "import socket; socket.socket()": "import: PermissionError: [Errno 1] Operation not permitted",
    "": "init_state: the model has no such function",
}


@pytest.mark.parametrize("text", HANDS)
def test_whatever_a_model_does_is_a_verdict(text):
    (states,) = Jailed(call_s=0.2).predict(files(text), [LINE])
    assert len(states) == 3
    assert all(not state.executes and HANDS[text] in state.faults[0] for state in states)


def test_a_model_that_takes_the_clock_away_is_stopped_by_the_host():
    text = (
        "def init_state(grid, level):\n    import sys, signal\n    signal.setitimer(signal.ITIMER_REAL, 0)\n"
        "    while True: pass\n"
    )
    (states,) = Jailed(SandboxLimits(wall_s=2.0), call_s=0.2).predict(files(text), [LINE])
    assert [one.faults for one in states] == [("stopped after 2 s",)] * 3


def test_a_fault_of_one_function_leaves_the_state_and_the_other_parts():
    text = (
        COUNTER
        + """
def render(state):
    print("flood " * 100000)
    if state[1] == 1: return [[1, 2]]
    if state[1] == 3: return state[0] + 0.5
    return np.full((2, 3), -1)
def outcome(state): return 7
def observation_variants(state):
    while True: yield np.zeros((2, 3), int)
"""
    )
    (states,) = Jailed().predict(files(text), [LINE])
    assert [one.faults for one in states] == [
        (), ("render: got shape (1, 2), wanted (2, 3)",),
        ("render: got values of type float64, wanted integers from -1 to 15",),
    ]  # fmt: skip
    assert [one.outcome for one in states] == ["7", "7", "7"]
    assert [len(one.variants) for one in states] == [6, 6, 6]
    assert (states[0].render == -1).all()


def test_an_agents_own_code_reads_the_evidence_and_keeps_its_files(tmp_path):
    from diag.studies.world_model.evidence import EvidenceStore
    from games.grid.contract import Observation
    from games.grid.frame import blank

    EvidenceStore(tmp_path).open(Observation((blank(3),), "playing", 0, 1, (1,), True))
    code = (
        "import os, pathlib\nprint(int(grid[0, 0]), len(wmlib.frames()), sorted(os.listdir('.')))\n"
        "pathlib.Path('notes').mkdir()\npathlib.Path('notes/a.md').write_text('seen')\n"
        "os.symlink('/usr/lib', 'lib')\nos.mkfifo('pipe')\n"
        "try: open('/evidence/x', 'w')\nexcept OSError as error: print(error.strerror)\n"
    )
    found = Jailed().script(code, {"kept.py": b"1"}, tmp_path)
    assert found.output.splitlines() == ["3 1 ['kept.py']", "Read-only file system"]
    assert found.files == {"kept.py": b"1", "notes/a.md": b"seen"}
