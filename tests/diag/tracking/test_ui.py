import os
import signal
import socket
import subprocess
import sys
import urllib.parse
from contextlib import closing
from pathlib import Path

import pytest

from diag.errors import DiagError
from diag.tracking.projection import project
from diag.tracking.saved_view import page
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


def test_the_page_tells_mlflow_what_an_experiment_opens_before_mlflow_asks():
    made = page('<html><head><script src="main.js"></script></head></html>', {"1": "/#/</script><b>"})
    assert made.index("mlflow.workflowType_v1") < made.index("main.js")
    assert made.count("</script>") == 2  # a link ends no script


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
        assert process.stdout.readline().startswith(f"starting MLflow on http://{HOST}:{port}")
        assert process.stdout.readline().startswith(f"MLflow on http://{HOST}:{port} ")
        assert process.stdout.readline().strip() == "Dead-end takeover"
        link = process.stdout.readline()
        assert f"/#/experiments/{tracked.experiment_id}/runs?viewStateShareKey=paired" in link
        clicked, asked = _clicked(port, tracked.experiment_id)
        assert f"/experiments/{tracked.experiment_id}/runs?viewStateShareKey=paired" in clicked[0]
        assert f"/experiments/{tracked.experiment_id}/runs?viewStateShareKey=paired" in clicked[1]
        assert asked == {f"{HOST}:{port}"}  # nothing goes anywhere else
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    require_free(port)


def _clicked(port: int, experiment_id: str) -> tuple[list[str], set[str]]:
    """Where a reader stands who opens the page, and who clicks the experiment in the list; which hosts were asked."""
    from playwright.sync_api import sync_playwright

    from games.suite.browser import find

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find().path))
        page = browser.new_page(viewport={"width": 1500, "height": 900})
        asked: set[str] = set()
        page.on("request", lambda request: asked.add(urllib.parse.urlsplit(request.url).netloc))
        page.goto(f"http://{HOST}:{port}/")
        page.get_by_text("matching runs").wait_for(timeout=60_000)
        places = [page.url]
        page.goto(f"http://{HOST}:{port}/#/experiments")
        page.locator(f'a[href^="#/experiments/{experiment_id}"]').last.click(timeout=60_000)
        page.get_by_text("matching runs").wait_for(timeout=60_000)
        places.append(page.url)
        browser.close()
    return places, {one for one in asked if one}
