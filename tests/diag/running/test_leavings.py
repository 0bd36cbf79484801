"""What a killed run left is taken away by the next, and nothing of a living one."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diag.running.leavings import SHARED_MEMORY, remove_leavings

HOLDS = """
import sys, tempfile, time
from pathlib import Path
from diag.running.leavings import folder_in_memory, own_temporary_folder
folder = own_temporary_folder()
assert own_temporary_folder() == folder == Path(tempfile.gettempdir())
(folder / "profile").mkdir()
(folder / "profile" / "file").write_text("x")
if sys.argv[1] == "0":
    (folder_in_memory("play") / "file").write_text("x")
print(folder, flush=True)
time.sleep(float(sys.argv[1]))
"""


def holder(root: Path, seconds: float = 60) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that holds a folder below `root`; return it and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(seconds)],
        env={**os.environ, "TMPDIR": str(root)}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    with process.stdout as said:
        return process, Path(said.readline().strip())


def test_only_what_a_dead_run_left_is_taken_away(tmp_path):
    shared = tmp_path / "shm"
    shared.mkdir()
    living, its = holder(tmp_path)
    killed, left = holder(tmp_path)
    for pid in (living.pid, killed.pid):
        (shared / f"sem.loky-{pid}-abc").touch()
        (shared / f"joblib_memmapping_folder_{pid}_x").mkdir()
        (shared / f"diag-run-{pid}-a-play-b").mkdir()
    (shared / "sem.other").touch()
    (tmp_path / "diag-run-notes").mkdir()
    (tmp_path / "diag-run-1-beingmade").mkdir()
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert left.is_dir()
    try:
        assert remove_leavings(tmp_path, shared) == (left,)
        assert remove_leavings(tmp_path, shared) == ()
        assert its.is_dir()
        assert {path.name for path in tmp_path.iterdir()} == {"shm", its.name, "diag-run-notes", "diag-run-1-beingmade"}
        names = {"sem.other", f"sem.loky-{living.pid}-abc", f"joblib_memmapping_folder_{living.pid}_x"}
        names.add(f"diag-run-{living.pid}-a-play-b")
        assert {path.name for path in shared.iterdir()} == names
    finally:
        living.kill()
        living.wait()


def test_a_folder_goes_with_its_process(tmp_path):
    process, folder = holder(tmp_path, 0)
    assert process.wait(30) == 0
    assert list(tmp_path.iterdir()) == []
    assert folder.parent == tmp_path
    assert list(SHARED_MEMORY.glob(f"{folder.name}-*")) == []


@pytest.mark.slow
@pytest.mark.skipif(not SHARED_MEMORY.is_dir(), reason="no shared memory as files")
def test_a_killed_group_of_a_real_run_leaves_nothing_after_the_next_start(tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    words = ["+experiment=rq2", "agent=simulated/sol", "suite=rules", "study.max_units=4", "tracking=none", "mode=run"]
    command = [sys.executable, "-m", "diag", *words, "execution.n_jobs=2", "execution.progress=false"]
    command.append(f"outputs={tmp_path / 'out'}")
    environment = {**os.environ, "TMPDIR": str(temporary)}
    struck = subprocess.Popen(command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(SHARED_MEMORY.glob(f"sem.loky-{struck.pid}-*")) and time.monotonic() < deadline:
        time.sleep(0.005)
    helpers = below(struck.pid)
    for pid in (struck.pid, *helpers):
        os.kill(pid, signal.SIGKILL)
    struck.wait()
    assert list(SHARED_MEMORY.glob(f"sem.loky-{struck.pid}-*")), "this is what used to stay"
    again = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=120)
    assert again.returncode == 0, again.stderr
    assert list(SHARED_MEMORY.glob(f"*{struck.pid}*")) == []
    assert list(temporary.iterdir()) == []


def below(pid: int) -> list[int]:
    """Return the children of a process."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
