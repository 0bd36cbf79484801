"""What the tests of the study machinery share: the stand-in library and one way to call `python -m diag`."""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))  # `standin` is imported by name, here and in worker processes


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in library on disk."""
    from standin import standin_library

    from checkpoints.store import save_library

    folder = tmp_path_factory.mktemp("standin")
    save_library(standin_library(folder), {})
    return folder


@pytest.fixture
def arguments(library_folder: Path, tmp_path: Path) -> list[str]:
    """A rules-only RQ2 of the stand-in agent, one unit at a time, into a fresh folder."""
    return standin_words(library_folder, tmp_path / "out")


def standin_words(library_folder: Path, outputs: Path) -> list[str]:
    return [
        "+experiment=rq2", "--config-dir", str(HERE / "standin_conf"), "agent=standin",
        f"catalog.library={library_folder}", "suite=rules", f"outputs={outputs}",
        "execution.n_jobs=1", "execution.progress=false", "tracking=none",
    ]  # fmt: skip


@pytest.fixture(scope="session")
def ran_once(library_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The outputs of the stand-in's RQ2 with some words more, run once in a session; read alone, never changed."""
    from diag.app.command_line import main

    @functools.cache
    def run(*words: str) -> Path:
        outputs = tmp_path_factory.mktemp("ran") / "out"
        assert main([*standin_words(library_folder, outputs), *words, "mode=run"]) == 0
        return outputs

    return run


@pytest.fixture
def ran(
    ran_once: Callable[..., Path], arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., list[str]]:
    """Lay a finished study of `arguments` and these words into the test's folder; return all its words."""

    def copy(*words: str) -> list[str]:
        shutil.copytree(ran_once(*words), tmp_path / "out")
        capsys.readouterr()
        return [*arguments, *words]

    return copy


@pytest.fixture
def diag(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """`python -m diag` in this process; returns the exit code."""
    from diag.app.command_line import main

    monkeypatch.delenv("HYDRA_FULL_ERROR", raising=False)
    return lambda *words: main([*words])


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """`python -m diag` as a process of its own, in its own process group; nothing of it is left after the test."""
    started: list[subprocess.Popen[str]] = []
    environment = {**os.environ, "PYTHONPATH": f"{REPOSITORY}{os.pathsep}{HERE}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(*words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "diag", *words], cwd=REPOSITORY, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield run
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
