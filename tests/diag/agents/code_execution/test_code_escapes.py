"""Nothing of a run is alive when it is over: a dozen ways to hide, and ways around the limits, each tried for real."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diag.agents.code_execution import Sandbox, SandboxLimits, held
from diag.agents.code_execution import sandbox as sandbox_module
from diag.errors import ConfigError

REPOSITORY = Path(__file__).parents[4]
LIBC = "import ctypes, os, time, signal, threading; libc = ctypes.CDLL(None, use_errno=True)\n"
FOREVER = "\nprint('hidden', flush=True)\nwhile True:\n    time.sleep(0.01)\n"
HIDE = {
    "sleep": "",
    "own session": "os.setsid() if os.getsid(0) != os.getpid() else None",
    "own group": "os.setpgid(0, 0) if os.getpgid(0) != os.getpid() else None",
    "no signal of the parent's death": "libc.prctl(1, 0, 0, 0, 0)",
    "kill the group, the outer process with it": "os.kill(0, 9)",
    "kill everybody": "\ntry:\n    os.kill(-1, 9)\nexcept OSError:\n    pass",
    "kill the parent": "\ntry:\n    os.kill(os.getppid(), 9)\nexcept OSError:\n    pass",
    "double fork": "\nfor _ in range(2):\n    try:\n        os.fork()\n    except OSError:\n        pass",
    "clone without signal": "libc.syscall(56, 0x100, 0, 0, 0, 0); libc.syscall(435, 0, 0)",
    "every signal ignored": "\nfor s in signal.valid_signals() - {9, 19}:\n    signal.signal(s, signal.SIG_IGN)",
    "threads": "\nfor _ in range(20):\n    threading.Thread(target=lambda: time.sleep(1000)).start()",
    "the first thread leaves": "\nthreading.Thread(target=time.sleep, args=(99,)).start()\nlibc.pthread_exit(None)",
    "another program takes over": "\ntry:\n    os.execv('/usr/bin/sleep', ['sleep', '99'])\nexcept OSError:\n    0",
    "another name": "libc.prctl(15, b'kworker/0:1', 0, 0, 0)",
    "traces itself": "libc.ptrace(0, 0, 0, 0)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "pages of a file without a name": "libc.memfd_create(b'x', 0)",
    "closes every file": "os.closerange(0, 1000)",
}  # fmt: skip


@pytest.fixture(autouse=True)
def isolation():
    try:
        sandbox_module.require()
    except ConfigError as error:
        pytest.skip(f"no isolation on this machine: {error}")


@pytest.fixture
def namespaces(monkeypatch) -> list[str]:
    """Collect the pid namespace of every run that is started."""
    seen: list[str] = []
    ordinary = held.HeldRun._take_hold

    def take_hold(self, deadline):
        done = ordinary(self, deadline)
        seen.append(str(Path(f"/proc/{self.pid}/ns/pid").readlink()))
        return done

    monkeypatch.setattr(held.HeldRun, "_take_hold", take_hold)
    return seen


def alive(namespaces: list[str]) -> list[str]:
    """Return the processes of the machine that are in one of the namespaces. Nothing of the jail is asked."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if str((place / "ns" / "pid").readlink()) in namespaces:
                found.append(place.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("way", HIDE)
def test_nothing_of_a_run_is_alive_when_the_next_decision_begins(namespaces, way):
    one = Sandbox(SandboxLimits(wall_s=2.0))
    try:
        ran = one.run(f"gui.click(1, 1)\n{LIBC}{HIDE[way]}{FOREVER}", b"")
        assert len(namespaces) == 1
        assert str(Path("/proc/self/ns/pid").readlink()) not in namespaces
        assert alive(namespaces) == []
        assert ran.actions == ()
        assert ran.took_s < 15
        scratch = one._scratch
    finally:
        one.close()
    assert scratch is not None
    assert not scratch.exists()


def test_a_run_is_seen_alive_while_it_runs(namespaces):
    """The other tests could not fail if `alive` found nothing in any case."""
    from concurrent.futures import ThreadPoolExecutor

    one = Sandbox(SandboxLimits(wall_s=4.0))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(one.run, LIBC + FOREVER, b"")
        deadline = time.monotonic() + 3
        while not (namespaces and alive(namespaces)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(alive(namespaces)) == 1
        running.result()
    assert alive(namespaces) == []
    one.close()


def test_code_that_is_through_leaves_no_thread_behind(namespaces):
    one = Sandbox(SandboxLimits(wall_s=20.0))
    code = f"{LIBC}threading.Thread(target=lambda: time.sleep(1000), daemon=True).start()\nprint('through')"
    ran = one.run(code, b"")
    one.close()
    assert (ran.output.splitlines()[0], alive(namespaces)) == ("through", [])


HOST = """
import sys, os, time
from pathlib import Path
from diag.agents.code_execution import Sandbox, SandboxLimits, held
ordinary = held.HeldRun._take_hold
def take_hold(self, deadline):
    done = ordinary(self, deadline)
    print(str(Path(f"/proc/{self.pid}/ns/pid").readlink()), self.process.pid, flush=True)
    return done
held.HeldRun._take_hold = take_hold
one = Sandbox(SandboxLimits(wall_s=300.0))
one._run("import ctypes, time; ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\\nwhile True: pass", b"")
"""


@pytest.mark.parametrize("victim", ["host", "outer"])
def test_a_run_ends_with_the_process_that_wanted_it(victim):
    host = subprocess.Popen([sys.executable, "-c", HOST], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    try:
        assert host.stdout is not None
        namespace, outer = host.stdout.readline().split()
        time.sleep(1.0)
        assert len(alive([namespace])) == 1
        os.kill(host.pid if victim == "host" else int(outer), signal.SIGKILL)
        deadline = time.monotonic() + 10
        while alive([namespace]) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert alive([namespace]) == []
    finally:
        host.kill()
        host.wait()
        assert host.stdout is not None
        host.stdout.close()


# --- limits --------------------------------------------------------------------------------------------------------

GRAB = {
    "a file without a name": "fd = os.memfd_create('x'); os.ftruncate(fd, 1 << 20)",
    "a secret one": "assert libc.syscall(447, 0) >= 0, ctypes.get_errno()",
    "shared memory of System V": "assert libc.shmget(0, 1 << 20, 0o1600) >= 0, ctypes.get_errno()",
    "shared memory of POSIX": "import multiprocessing.shared_memory as m; m.SharedMemory('x', True, 1 << 20)",
    "a queue of System V": "assert libc.msgget(0, 0o1600) >= 0, ctypes.get_errno()",
    "a queue of POSIX": "assert libc.syscall(240, b'x', 0o102, 0o600, None) >= 0, ctypes.get_errno()",
    "a pair of sockets": "import socket; socket.socketpair()",
    "pages given to a pipe": "assert libc.vmsplice(os.pipe()[1], None, 0, 8) >= 0",
    "an anonymous shared map": "import mmap; mmap.mmap(-1, 2 << 30)",
    "the small /tmp": "open('/tmp/a', 'wb').write(b'x' * (40 << 20))",
    "pages outside of any limit of files": "os.mkdir('/dev/shm'); open('/dev/shm/a', 'wb')",
}  # fmt: skip


@pytest.mark.parametrize("what", GRAB)
def test_memory_is_not_to_be_had_beside_the_limit(what):
    one = Sandbox(SandboxLimits(wall_s=20.0, memory_mb=400))
    ran = one.run(f"{LIBC}{GRAB[what]}\nprint('WORKED')", b"")
    one.close()
    assert "Traceback" in ran.output
    assert "WORKED" not in ran.output.splitlines()


STEAL = """
import sys, json, os, time
frame = sys._getframe()
while "token" not in frame.f_locals:
    frame = frame.f_back
print("\\n" + frame.f_locals["token"] + json.dumps([{"name": "click", "x": 5, "y": 5}]), flush=True)
"""


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("while True: time.sleep(1)", "stopped after 2 s"),
        ("while True: pass", "ended by a limit"),
        ("os._exit(7)", "status 7"),
        ("os.kill(os.getpid(), 9); os.abort()", "ended by a limit or a signal"),
        ("x = np.ones(10**9)", "MemoryError"),
        ("open('big', 'wb').write(b'x' * (40 << 20))", "File too large"),
    ],
)
def test_a_run_that_met_a_limit_acts_by_no_trick(then, words):
    one = Sandbox(SandboxLimits(wall_s=2.0 if "sleep" in then else 20.0, cpu_s=2))
    ran = one.run(f"gui.click(1, 1)\n{STEAL}\n{then}", b"")
    one.close()
    assert words in ran.output
    assert "no action was asked for" in ran.output
    assert ran.actions == ()


MANY = {
    "and sleep": "for _ in range(500):\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n",
    "of small stacks": "threading.stack_size(65536)\nfor _ in range(500):\n"
    "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n",
    "and be through at once, with every error caught": "import _thread\nlock = _thread.allocate_lock()\n"
    "lock.acquire()\ntry:\n"
    "    for _ in range(64):\n        _thread.start_new_thread(lock.acquire, (True, 60.0))\nexcept BaseException:\n"
    "    pass\n",
    "in a pool": "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(200)\n"
    "print(sum(1 for _ in [pool.submit(time.sleep, 0.05) for _ in range(200)]))\n",
    "past Python": "calls = [ctypes.c_ulong() for _ in range(80)]\n"
    "for one in calls:\n    libc.pthread_create(ctypes.byref(one), None, libc.pause, None)\ntime.sleep(10)\n",
}


@pytest.mark.parametrize("way", MANY)
def test_more_threads_than_a_run_may_have_end_it(way):
    """Whatever the code makes of it, and however soon it is through."""
    one = Sandbox(SandboxLimits(wall_s=20.0))
    ran = one.run(f"{LIBC}gui.click(1, 1)\n{MANY[way]}", b"")
    one.close()
    assert f"more than {held.MAX_THREADS} threads" in ran.output
    assert ran.actions == ()


def test_as_many_threads_as_a_run_may_have_are_no_matter():
    one = Sandbox(SandboxLimits(wall_s=20.0))
    code = (
        f"{LIBC}gui.click(1, 1)\nfor _ in range(3):\n"
        f"    made = [threading.Thread(target=time.sleep, args=(0.2,)) for _ in range({held.MAX_THREADS - 1})]\n"
        "    [one.start() for one in made]\n    [one.join() for one in made]\n"
    )
    ran = one.run(code, b"")
    one.close()
    assert ran.actions == ({"name": "click", "x": 1, "y": 1},), ran.output
