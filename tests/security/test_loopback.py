"""The suite is reachable from this machine only, by those who know a session's name, from its own page."""

import json
import math
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from games.catalogue import load_catalogue
from games.suite.server import SuiteServer

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
SOURCES = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server():
    with SuiteServer(load_catalogue()) as running:
        yield running


def listeners(port: int | None = None, inodes: set[str] | None = None) -> list[str]:
    """Return the local addresses that listen, IPv4 and IPv6, as the kernel writes them."""
    found = []
    for table in ("tcp", "tcp6"):
        path = Path("/proc/net") / table
        for line in path.read_text().splitlines()[1:] if path.exists() else ():
            fields = line.split()
            address, at = fields[1].split(":")
            wanted = int(at, 16) == port if inodes is None else fields[9] in inodes
            if fields[3] == "0A" and wanted:
                found.append(address)
    return found


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [pid, *(one for child in children.stdout.split() for one in family(int(child)))]


def sockets_of(pids: list[int]) -> set[str]:
    found = set()
    for pid in pids:
        try:
            for path in Path(f"/proc/{pid}/fd").iterdir():
                match = re.fullmatch(r"socket:\[(\d+)\]", str(path.readlink()))
                found |= {match[1]} if match else set()
        except OSError:
            continue  # ended in the meantime
    return found


LISTENERS_OF_A_UNIT = """
import os
from test_loopback import family, listeners, sockets_of
from diag.running.station import StationSettings, seat
with seat(StationSettings(browser=True, animate=False, language="en", levels=None)) as one:
    one.page.settle()
    print(*listeners(inodes=sockets_of(family(os.getpid()))))
"""
LOOPBACK = ("0100007F", "00000000000000000000000001000000")


@linux
def test_the_server_listens_on_loopback_alone(server):
    assert listeners(server.port) == ["0100007F"]


@linux
@pytest.mark.browser
def test_nothing_that_a_browser_unit_starts_listens_anywhere_else():
    done = subprocess.run(
        [sys.executable, "-c", LISTENERS_OF_A_UNIT],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )  # fmt: skip
    found = done.stdout.split()
    assert found, "the suite server itself"
    assert set(found) <= set(LOOPBACK)


def test_another_address_of_this_machine_does_not_answer(server):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # chooses a source address; sends nothing
            own = probe.getsockname()[0]
        except OSError:
            own = "127.0.0.1"
    if own.startswith("127."):
        pytest.skip("this machine has no address but loopback")
    with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
        socket.create_connection((own, server.port), timeout=3).close()


def test_no_source_binds_to_every_address():
    texts = {
        path: path.read_text() for room in ("games", "diag", "checkpoints") for path in (SOURCES / room).rglob("*.py")
    }
    assert len(texts) > 100
    del texts[SOURCES / "diag" / "proxies.py"]  # names the addresses that no proxy may be asked for, binds none
    assert [str(path) for path, text in texts.items() if re.search(r'"0\.0\.0\.0"|"::"|bind\(\(""', text)] == []


def test_a_session_name_carries_128_bits_or_more(server):
    names = [server.open().id for _ in range(200)]
    assert len(set(names)) == 200
    shortest, letters = min(map(len, names)), {letter for name in names for letter in name}
    assert shortest * math.log2(len(letters)) >= 128
    by_place = [len({name[place] for name in names}) for place in range(shortest)]
    assert min(by_place) > 30, "a place that hardly varies carries nothing"


def test_session_names_come_from_the_system_s_randomness_and_from_no_seed(server):
    import random

    import numpy as np

    names = set()
    for _ in range(2):
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002 - the generator that must not be used
        names.add(server.open().id)
    assert len(names) == 2


def socket_of(server, session, origin):
    url = server.url(session).replace("http://", "ws://") + "/socket"
    return connect(url, origin=origin, open_timeout=5, proxy=None)


def shaken(server, session, host: str, origin: str) -> int:
    """Return the status of a WebSocket handshake with any Host at all."""
    lines = [
        f"GET /play/{session.id}/socket HTTP/1.1",
        f"Host: {host}",
        f"Origin: {origin}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as raw:
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(raw.recv(4096).split()[1])


@pytest.mark.parametrize(
    "origin",
    [
        None,  # no browser's page
        "null",  # a file or a sandboxed frame
        "http://example.org",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1.example.org:{port}",
        "http://localhost.example.org:{port}",
        "http://[::1]:{port}",
    ],
)
def test_a_page_of_another_origin_gets_no_socket(server, origin):
    session = server.open()
    before = session.picture()
    with pytest.raises(InvalidStatus) as refused:
        socket_of(server, session, origin and origin.format(port=server.port))
    assert refused.value.response.status_code == 403
    assert session.picture() == before


def test_a_name_bound_again_to_loopback_gets_no_socket_though_it_knows_the_session(server):
    rebound, own = f"rebound.example.org:{server.port}", f"127.0.0.1:{server.port}"
    assert shaken(server, server.open(), rebound, f"http://{rebound}") in (400, 403)
    assert shaken(server, server.open(), own, f"http://{own}") == 101, "the handshake itself is right"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


@pytest.mark.parametrize("path", ["/", "/suite/shell.js"])
def test_a_request_by_another_host_name_is_refused_whatever_it_asks_for(path):
    with SuiteServer(load_catalogue(), front_door=True) as door:
        request = urllib.request.Request(f"http://127.0.0.1:{door.port}{path}", headers={"Host": "rebound.example.org"})
        with pytest.raises(urllib.error.HTTPError) as answer:
            urllib.request.build_opener(NoRedirect).open(request, timeout=5)
        answer.value.close()
        assert answer.value.code == 400
        assert "location" not in answer.value.headers


def test_what_a_socket_hands_out_is_the_picture_and_nothing_of_the_evaluator(server):
    session = server.open()
    with socket_of(server, session, f"http://127.0.0.1:{server.port}") as own:
        first = json.loads(own.recv(timeout=5))
    assert first["picture"] == session.picture()
    assert not {"snapshot", "transitions", "certificate", "state_digest", "potential"} & set(
        json.dumps(first).split('"')
    )
