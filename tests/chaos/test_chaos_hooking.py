"""A strike happens once, at its call of its attempt, in a program that knows nothing of it."""

import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from chaos.hooking import Moment, Orders, wrap
from chaos.phases import PHASES, Phase, phase_named
from chaos.strikes import STRIKES
from chaos.victim import HOOK, REPOSITORY


def orders(tmp_path: Path, phase: str = "mid-session") -> Orders:
    return Orders(phase, "kill worker", str(tmp_path), str(tmp_path))


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_every_phase_names_a_function_of_the_program(phase: Phase) -> None:
    found = __import__(phase.module, fromlist=["_"])
    for name in phase.function.split("."):
        found = getattr(found, name)
    assert callable(found)
    assert phase_named(phase.name) is phase


def test_only_the_first_to_claim_a_strike_has_it(tmp_path: Path) -> None:
    assert [orders(tmp_path).claim() for _ in range(3)] == [True, False, False]


@pytest.fixture
def struck(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setitem(STRIKES, "kill worker", lambda got: found.append(got.phase))
    return found


def test_calls_are_counted_from_the_beginning_of_an_attempt(tmp_path: Path, struck: list[str]) -> None:
    moment = Moment(Phase("p", "m", "f", "before", attempt=2, call=3), orders(tmp_path))
    seen = []
    for _attempt in range(3):
        moment.attempt_begins(lambda: None, (), {})
        for _call in range(4):
            moment.call(lambda: seen.append(len(struck)), (), {})
    assert seen == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], "struck before the third call of the second attempt, once"


def test_a_call_that_does_not_show_the_text_is_not_counted(tmp_path: Path, struck: list[str]) -> None:
    moment = Moment(Phase("p", "m", "f", "after", having="'complete'"), orders(tmp_path))
    moment.call(lambda _: None, ("running",), {})
    assert struck == []
    moment.call(lambda _: struck.append("inner"), ("complete",), {})
    assert struck == ["inner", "mid-session"]


def test_a_method_is_wrapped_in_its_class() -> None:
    module = ModuleType("m")
    module.Class = type("Class", (), {"double": lambda _self, x: 2 * x})  # type: ignore[attr-defined]
    wrap(module, "Class.double", lambda inner, arguments, named: inner(*arguments, **named) + 1)
    assert module.Class().double(3) == 7


def test_a_function_is_wrapped_before_anybody_imports_its_name(tmp_path: Path) -> None:
    program = """
        from checkpoints.store import load_library
        from checkpoints.controller import restore
        from games.catalogue import load_catalogue
        from games.suite.session import SuiteSession
        from diag.records.study_folder import StudyFolder
        from pathlib import Path
        for n in (1, 2):
            StudyFolder(Path("study")).begin_attempt("u", n, plan_hash="h", browser=False)
            print(n, flush=True)
            restore(SuiteSession(load_catalogue(None)), load_library("rq2").checkpoint("D01"), None)
    """
    environment = {"PYTHONPATH": f"{HOOK}:{REPOSITORY}", **orders(tmp_path, "restored").to_environment()}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr.decode()[-2000:]
    assert done.stdout == b"1\n2\n"
    assert (tmp_path / "struck").exists()
