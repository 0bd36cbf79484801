"""The jail holds: network, foreign files and the repository are out of reach; every limit ends a run, not the study."""

import io
import os
import socket
from pathlib import Path

import pytest
from PIL import Image

from diag.agents.code_execution import Sandbox, SandboxLimits
from diag.agents.code_execution import sandbox as sandbox_module
from diag.errors import ConfigError

REPOSITORY = Path(__file__).parents[4]
QUICK = SandboxLimits(wall_s=30.0, cpu_s=2, memory_mb=400, file_mb=2)


@pytest.fixture(scope="module")
def jail():
    try:
        sandbox_module.require()
    except ConfigError as error:
        pytest.skip(f"no isolation on this machine: {error}")
    one = Sandbox(QUICK)
    yield one
    one.close()


def printed(jail: Sandbox, code: str) -> str:
    lines = jail.run(code, b"").output.splitlines()
    return "\n".join(line for line in lines if not line.startswith("[not kept for the next run"))


def refused(jail: Sandbox, code: str) -> bool:
    """Tell whether the code raises before its end."""
    output = printed(jail, code + "\nprint('WORKED')")
    return "Traceback" in output and not output.endswith("WORKED")


def test_code_sees_the_screenshot_as_an_array_and_acts_through_the_gui(jail):
    buffer = io.BytesIO()
    Image.new("RGB", (1280, 900), (10, 20, 30)).save(buffer, "PNG")
    code = "y, x, c = screenshot.shape\nprint(y, x, screenshot[899, 1279])\ngui.click(x - 1, y - 1)\ngui.key('a')"
    ran = jail.run(code, buffer.getvalue())
    assert ran.output == "900 1280 [10 20 30]"
    assert ran.actions == ({"name": "click", "x": 1279, "y": 899}, {"name": "key", "key": "a"})


def test_there_is_no_network_not_even_loopback(jail):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        for code in (
            f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)",
            "import socket; socket.socket(socket.AF_UNIX)",
            "import socket; socket.socketpair()",
            "import asyncio; asyncio.new_event_loop()",
            "import socket; socket.getaddrinfo('localhost', 80, 0, 0, 0, 0); socket.socket()",
        ):
            assert refused(jail, code), code


FOREIGN = ["/etc/passwd", "/proc/1/environ", "/sys", "/home", "/var", str(REPOSITORY), str(REPOSITORY / "games")]


@pytest.mark.parametrize("path", FOREIGN)
def test_no_foreign_path_exists(jail, path):
    assert printed(jail, f"import os; print(os.path.lexists({path!r}))") == "False"


def test_the_root_holds_python_and_nothing_else(jail):
    listed = set(printed(jail, "import os; print(*os.listdir('/'))").split())
    import sys

    base = Path(sys.base_prefix).resolve().parts[1]
    assert listed <= {"usr", "lib", "lib64", base, "packages", "in", "job", "tmp", "dev"}
    assert set(printed(jail, "import os; print(*os.listdir('/packages'))").split()) <= {"numpy", "numpy.libs"}


def test_the_folders_of_third_party_packages_are_empty_and_numpy_is_the_only_one_to_import(jail):
    code = (
        "import os, sys\nfolders = [f'{p}/{n}' for p in sys.path for n in ('', 'ensurepip/_bundled')]\n"
        "folders = [f for f in folders if f.rstrip('/').endswith(('-packages', '_bundled'))]\n"
        "print(len(folders) >= 2, [os.listdir(f) for f in folders if os.path.isdir(f) and os.listdir(f)])"
    )
    assert printed(jail, code) == "True []"
    for module in ("pip", "setuptools", "wheel", "PIL", "pandas", "scipy", "pytest"):
        assert "ModuleNotFoundError" in printed(jail, f"import {module}"), module
    assert printed(jail, "import numpy; print(numpy.add(1, 1))") == "2"


@pytest.mark.parametrize("module", ["games", "diag", "solvers", "checkpoints", "playwright", "openai"])
def test_nothing_of_the_suite_can_be_imported(jail, module):
    assert "ModuleNotFoundError" in printed(jail, f"import {module}")


@pytest.mark.parametrize("path", ["/usr/x", "/in/x", "/packages/x", "/dev/x", "/x", "/lib/x"])
def test_nothing_but_its_own_folder_can_be_written(jail, path):
    assert refused(jail, f"open({path!r}, 'w')")


def test_its_own_folder_stays_until_the_attempt_ends():
    one = Sandbox(QUICK)
    try:
        sandbox_module.require()
        one.run("open('note.txt', 'w').write('kept')", b"")
        assert printed(one, "print(open('note.txt').read())") == "kept"
        scratch = one._scratch
        assert scratch is not None
    finally:
        one.close()
    assert not scratch.exists()


def test_the_hosts_environment_and_processes_are_not_seen(jail, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    assert "canary" not in printed(jail, "import os; print(dict(os.environ))")
    assert refused(jail, f"import os; os.kill({os.getpid()}, 0)")
    assert printed(jail, "import os; print(os.getpid())") == "1"


@pytest.mark.parametrize(
    "call", ["libc.unshare(0x10000000)", "libc.mount(b'x', b'/tmp', b'tmpfs', 0, None)", "libc.ptrace(0, 0, 0, 0)",
             "libc.chroot(b'/tmp')", "libc.umount2(b'/', 2)", "libc.setns(0, 0)", "libc.syscall(425, 1, 0)"],
)  # fmt: skip
def test_no_way_out_by_the_kernel(jail, call):
    code = f"import ctypes; libc = ctypes.CDLL(None, use_errno=True); print({call}, ctypes.get_errno())"
    assert printed(jail, code) == "-1 1"  # EPERM


def test_capabilities_are_gone(jail):
    code = (
        "import ctypes; libc = ctypes.CDLL(None)\n"
        "header = (ctypes.c_uint32 * 2)(0x20080522, 0); data = (ctypes.c_uint32 * 6)()\n"
        "print(libc.capget(header, data), list(data))"
    )
    assert printed(jail, code) == "0 [0, 0, 0, 0, 0, 0]"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("while True: pass", "ended by a limit"),
        ("x = np.ones(10**9)", "MemoryError"),
        ("open('big', 'wb').write(b'x' * (8 << 20))", ("File too large", "ended by a limit")),
        ("while True: print('x' * 10000)", "ended by a limit"),
        ("import os; os.fork()", "PermissionError"),
        ("import subprocess; subprocess.run(['/usr/bin/true'])", "PermissionError"),
        ("import os; os.posix_spawn('/usr/bin/true', ['true'], {})", "PermissionError"),
    ],
)
def test_every_limit_ends_a_run_with_words(jail, code, words):
    ran = jail.run(f"gui.click(1, 1)\n{code}", b"")
    assert any(word in ran.output for word in ([words] if isinstance(words, str) else words)), ran.output[-500:]
    assert len(ran.output) < 10_000


def test_a_run_that_sleeps_is_stopped_and_asks_for_nothing():
    one = Sandbox(SandboxLimits(wall_s=1.5))
    try:
        ran = one.run("gui.click(1, 1)\nimport time; time.sleep(60)", b"")
    finally:
        one.close()
    assert "stopped after 1.5 s" in ran.output
    assert (ran.actions, ran.took_s < 10) == ((), True)


def test_faulty_code_is_told_its_fault_and_what_it_asked_before_counts(jail):
    ran = jail.run("gui.click(1, 2)\n1 / 0", b"")
    assert "ZeroDivisionError" in ran.output
    assert ran.actions == ({"name": "click", "x": 1, "y": 2},)
    assert "SyntaxError" in printed(jail, "def (")


def test_where_no_jail_can_be_had_the_setting_is_refused(monkeypatch, tmp_path):
    (tmp_path / "jail.py").write_text("import sys; sys.stderr.write('jail: unshare: not permitted\\n'); sys.exit(97)")
    for name in ("worker.py", "kept.py"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(sandbox_module, "HERE", tmp_path)
    sandbox_module.require.cache_clear()
    try:
        with pytest.raises(ConfigError, match="refused, no isolation here"):
            Sandbox(QUICK).run("print(1)", b"")
    finally:
        sandbox_module.require.cache_clear()
