import os
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from diag.errors import DiagError
from diag.tracking.projection import project
from diag.tracking.ui import HOST, PortTaken, command, environment, experiments, require_free, ui


def test_the_server_stays_on_this_machine_without_its_job_runner(tmp_path: Path):
    line = command(tmp_path, 5001)
    assert line[line.index("--host") + 1] == "127.0.0.1"
    assert environment()["MLFLOW_SERVER_ENABLE_JOB_EXECUTION"] == "false"


def test_an_occupied_port_is_one_line(tmp_path: Path):
    (tmp_path / "mlflow.db").touch()
    with closing(socket.create_server((HOST, 0))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} .* port=N"):
            ui(tmp_path, port, say=print)


@pytest.mark.parametrize("port", [-1, 70_000])
def test_a_port_that_is_none_is_refused(port: int):
    with pytest.raises(PortTaken):
        require_free(port)


def test_nothing_tracked_yet_says_what_to_do(tmp_path: Path):
    with pytest.raises(DiagError, match="mode=track"):
        ui(tmp_path, 5001, say=print)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_it_serves_the_study_and_goes_away_whole(folder: Path, settings):
    tracked = project(folder, settings)
    outputs = folder.parent.parent
    assert experiments(outputs) == [("Dead-end takeover", tracked.experiment_id)]
    with closing(socket.socket()) as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    words = ["--outputs", str(outputs), "--port", str(port)]
    code = f"import sys; from diag.tracking.ui import main; sys.exit(main({words!r}))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout is not None
        assert f"http://{HOST}:{port}" in process.stdout.readline()
        assert process.stdout.readline().strip() == "Dead-end takeover"
        link = process.stdout.readline()
        assert f"/#/experiments/{tracked.experiment_id}/runs?viewStateShareKey=paired" in link
        with urllib.request.urlopen(f"http://{HOST}:{port}/", timeout=5) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    require_free(port)
