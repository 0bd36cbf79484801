"""What the tests of the study machinery share: the stand-in library and one way to call `python -m diag`."""

import contextlib
import os
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
    return [
        "+experiment=rq2", "--config-dir", str(HERE / "standin_conf"), "agent=standin",
        f"catalog.library={library_folder}", "suite=rules", f"outputs={tmp_path / 'out'}",
        "execution.n_jobs=1", "execution.progress=false", "tracking=none",
    ]  # fmt: skip


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
