"""State of code between the runs of an attempt: what stays, what is named as lost, and that limits change nothing."""

import pytest

from diag.agents.code_execution import Sandbox, SandboxLimits
from diag.agents.code_execution import sandbox as sandbox_module
from diag.errors import ConfigError

QUICK = SandboxLimits(wall_s=30.0, cpu_s=3, memory_mb=400, file_mb=2)


@pytest.fixture
def jail():
    try:
        sandbox_module.require()
    except ConfigError as error:
        pytest.skip(f"no isolation on this machine: {error}")
    one = Sandbox(QUICK)
    yield one
    one.close()


def outputs(jail: Sandbox, *codes: str) -> list[str]:
    return [jail.run(code, b"").output for code in codes]


def test_variables_functions_classes_and_imports_stay(jail):
    define = """
import math as m
from collections import Counter
board = [[1, 2], [3, 4]]
row = board[1]
grid = np.zeros((2, 2))
class Place:
    def __init__(self, x): self.x = x
places = [Place(7)]
def tap(place, dx=3):
    gui.click(place.x + dx, int(m.sqrt(board[1][1])))
counts = Counter("aab")
"""
    use = """
row.append(5)
tap(places[0])
print(board, grid.shape, counts["a"], type(places[0]).__name__, isinstance(places[0], Place))
"""
    jail.run(define, b"")
    ran = jail.run(use, b"")
    assert ran.output == "[[1, 2], [3, 4, 5]] (2, 2) 2 Place True"  # what is shared stays shared
    assert ran.actions == ({"name": "click", "x": 10, "y": 2},)


def test_what_changed_last_is_what_is_there(jail):
    found = outputs(
        jail,
        "x = 1\ndef f(): return 'old'",
        "x += 1\ndef f(): return 'new'",
        "del x\ng = f",
        "print('x' in globals(), f(), g(), gui is not None)",
    )
    assert found == ["", "", "", "False new new True"]


def test_code_that_fails_keeps_what_it_came_to(jail):
    first, second = outputs(jail, "a = 1\ndef f(): return a\n1 / 0\na = 2\ndef f(): return 'never'", "print(a, f())")
    assert "ZeroDivisionError" in first
    assert second == "1 1"


def test_an_older_definition_outlives_a_newer_one_that_was_never_reached(jail):
    *_, last = outputs(jail, "def f(): return 'old'", "1 / 0\ndef f(): return 'new'", "print(f())")
    assert last == "old"


def test_a_default_that_needs_a_variable_and_a_name_bound_twice_come_back(jail):
    *_, last = outputs(jail, "n = 4\ndef f(k=n): return k\ndef g(): return f() + 1", "print(f(), g())", "print(g())")
    assert last == "5"


def test_what_cannot_be_kept_is_named_and_the_rest_stays(jail):
    first, second = outputs(
        jail, "go = lambda: 1\nnumbers = (n for n in [1])\nkept = 5", "print(kept, 'go' in globals())"
    )
    assert first == "[not kept for the next run: go, numbers]"
    assert second == "5 False"


def test_the_screenshot_is_of_each_run(jail):
    first, second = outputs(jail, "screenshot = 'mine'\nnp = 3", "print(screenshot.shape, np.__name__)")
    assert (first, second) == ("", "(0, 0, 3) numpy")


def test_a_run_that_met_a_limit_changes_nothing(jail):
    *_, last = outputs(jail, "a = 1", "a = 2\nwhile True: pass", "print(a)")
    assert last == "1"


def test_state_larger_than_a_file_may_be_is_not_kept(jail):
    first, second = outputs(jail, "a = 1", "b = bytes(3 << 20)"), outputs(jail, "print(a, 'b' in globals())")
    assert "are not kept" in first[1]
    assert second == ["1 False"]


def test_a_state_that_code_spoilt_is_named_and_loses_itself_alone(jail):
    spoil = "import os\nos.mkdir('.session.part')\nopen('.session', 'w').write('x')"
    *_, told, last = outputs(jail, "a = 1", spoil, "print(2)")
    assert "are not kept" in told
    assert "[the state of earlier runs cannot be read" in last
    assert "\n2\n" in last


def test_another_attempt_has_another_state(jail):
    jail.run("a = 1", b"")
    other = Sandbox(QUICK)
    try:
        assert other.run("print('a' in globals())", b"").output == "False"
    finally:
        other.close()
