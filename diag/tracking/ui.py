"""Opens the MLflow UI on the embedded tracker, on this machine only, and says which links show the paired effects.

python -m diag ui [outputs=outputs] [port=5000]
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from diag import terminal
from diag.errors import DiagError
from diag.terminal import Words
from diag.tracking.relocate import ARTIFACTS, DATABASE, relocate
from diag.tracking.saved_view import LINKS, PAIRED, VIEWS

HOST = "127.0.0.1"
LOG = "mlflow-server.log"
READY_S = 60.0
Say = Callable[[str], object]


class PortTaken(DiagError):
    """Somebody else listens on the port."""

    exit_code = 7


def main(arguments: Sequence[str], say: Say | None = None) -> int:
    """Run the command and return its exit code."""
    parser = Words("ui", "Open the MLflow UI on outputs/")
    parser.add_argument("--outputs", type=Path, default=Path("outputs"))
    parser.add_argument("--port", type=int, default=5000)
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite end takes the server along
    return ui(options.outputs.absolute(), options.port, say=say or terminal.say)


def ui(outputs: Path, port: int, *, say: Say) -> int:
    """Serve until interrupted; return the server's exit code, 0 after an interrupt.

    Raises:
        DiagError: there is no tracking database yet, or the server does not start.
        PortTaken: the port is in use.
    """
    if not (outputs / DATABASE).is_file():
        raise DiagError(
            f"{outputs / DATABASE}: nothing was tracked here yet; run a study, or mode=track on a finished one"
        )
    require_free(port)
    log = outputs / LOG
    say(f"starting MLflow on http://{HOST}:{port}; it takes some seconds, its log is {log}")
    moved = relocate(outputs)
    if moved.n_changed or moved.n_missing:
        say(str(moved))
    told = {**environment(), **opening(outputs)}
    with log.open("wb") as sink:
        server = subprocess.Popen(command(outputs, port), env=told, start_new_session=True, stdout=sink, stderr=sink)
    try:
        if wait_ready(server, port):
            say(f"MLflow on http://{HOST}:{port}   (Ctrl-C ends it)")
            for name, experiment_id in experiments(outputs):
                say(f"  {name}")
                for view in VIEWS:
                    say(f"    {view.title:<20}  http://{HOST}:{port}{view.link(experiment_id)}")
        else:
            raise DiagError(f"the MLflow server did not start; its log is {log}")
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        stop(server)


def command(outputs: Path, port: int) -> list[str]:
    """Return the server's command line; one worker is enough for one person and one writer."""
    return [
        *(sys.executable, "-m", "mlflow", "server", "--host", HOST, "--port", str(port), "--workers", "1"),
        *("--app-name", "diag"),
        *("--uvicorn-opts", "--log-level warning"),
        *("--backend-store-uri", f"sqlite:///{outputs / DATABASE}"),
        *("--artifacts-destination", str(outputs / ARTIFACTS)),
    ]


def environment() -> dict[str, str]:
    """Return the server's environment: without its job runner (eight processes, 1.6 GB) and without telemetry."""
    quiet = {"PYTHONWARNINGS": "ignore", "MLFLOW_LOGGING_LEVEL": "WARNING", "MLFLOW_DISABLE_TELEMETRY": "true"}
    return {**os.environ, **quiet, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}


def opening(outputs: Path) -> dict[str, str]:
    """Return what tells the server's page which view to open first and for each experiment (`diag.tracking.served`)."""
    return {LINKS: json.dumps({experiment_id: PAIRED.link(experiment_id) for _, experiment_id in experiments(outputs)})}


def require_free(port: int) -> None:
    """Check that nobody listens. Raises PortTaken in one line."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise PortTaken(f"port {port} on {HOST} cannot be used: {error}; choose another with port=N") from error


def experiments(outputs: Path) -> list[tuple[str, str]]:
    """Return name and id of the experiments that hold a study, read from the database without starting MLflow."""
    query = (
        "SELECT DISTINCT e.name, e.experiment_id FROM experiments e JOIN runs r ON r.experiment_id = e.experiment_id "
        "JOIN tags t ON t.run_uuid = r.run_uuid WHERE t.key = 'role' AND t.value = 'study' "
        "AND e.lifecycle_stage = 'active' AND r.lifecycle_stage = 'active' ORDER BY e.name"
    )
    with closing(sqlite3.connect(outputs / DATABASE, timeout=10)) as connection:
        return [(str(name), str(experiment_id)) for name, experiment_id in connection.execute(query)]


def wait_ready(server: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the server answers; False if it ends first or stays silent for a minute."""
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with straight.open(f"http://{HOST}:{port}/health", timeout=1):
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    return False


def stop(server: subprocess.Popen[bytes]) -> None:
    """End the server and the workers it started, which share its session."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(server.pid, sign)
            server.wait(timeout=5)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
