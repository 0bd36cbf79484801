import json
import threading
import time
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from games.suite.server import ServerError, SuiteServer

from .player import middle


def fetch(url):
    with urllib.request.urlopen(url, timeout=5) as answer:
        return answer.status, dict(answer.headers), answer.read().decode()


def status_of(url):
    try:
        return fetch(url)[0]
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def open_socket(server, session, origin=None):
    address = server.url(session).replace("http://", "ws://") + "/socket"
    return connect(address, origin=origin or f"http://127.0.0.1:{server.port}", open_timeout=5, proxy=None)


def receive(socket):
    return json.loads(socket.recv(timeout=5))


def drain(socket):
    while True:
        receive(socket)


def send(socket, n, kind, **fields):
    socket.send(json.dumps({"n": n, "type": kind, **fields}))


def test_the_page_allows_nothing_from_outside(server):
    _, headers, text = fetch(server.url(server.open()))
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    assert "://" not in text
    assert headers["x-content-type-options"] == "nosniff"


def test_only_known_sessions_and_files_are_served(server):
    base = f"http://127.0.0.1:{server.port}"
    assert status_of(f"{base}/play/{'x' * 32}") == 404
    assert status_of(f"{base}/") == 404
    assert status_of(f"{base}/suite/..%2fserver.py") == 404
    assert status_of(f"{base}/games/bolt_unscrew/view/..%2f..%2flevels.json") == 404
    assert status_of(f"{base}/games/bolt_unscrew/levels.json") == 404
    for name in server.catalogue.games:
        assert status_of(f"{base}/games/{name}/view/view.js") == 200


def test_sessions_have_long_different_names(server):
    names = {server.open().id for _ in range(20)}
    assert len(names) == 20
    assert min(map(len, names)) >= 32


def test_events_are_acknowledged_and_answered_with_pictures(server):
    session = server.open()
    tap = middle(session, "language")
    with open_socket(server, session) as socket:
        first = receive(socket)
        assert first["picture"] == session.picture()
        send(socket, 1, "down", x=tap.x, y=tap.y)
        assert receive(socket) == {"ack": 1, "animate": True, "picture": None}
        send(socket, 2, "up", x=tap.x, y=tap.y)
        answer = receive(socket)
        assert (answer["ack"], answer["picture"]["language"]) == (2, "zh")


def test_a_placed_board_reaches_the_page_unasked(server):
    session = server.open()
    level = server.catalogue.entries[0].id
    game = server.catalogue.games[level.game]
    with open_socket(server, session) as socket:
        receive(socket)
        state = game.initial_state(server.catalogue.layout(level))
        session.place(level, game.state_to_json(state))
        assert receive(socket)["picture"] == session.picture()


@pytest.mark.parametrize("origin", ["http://example.org", "http://127.0.0.1:1", "null"])
def test_another_origin_is_refused(server, origin):
    with pytest.raises(InvalidStatus):
        open_socket(server, server.open(), origin)


def test_an_unknown_session_has_no_socket(server):
    session = server.open()
    server.close(session)
    with pytest.raises(InvalidStatus):
        open_socket(server, session)


def test_the_newest_page_takes_the_session_over(server):
    session = server.open()
    with open_socket(server, session) as first, open_socket(server, session) as second:
        receive(second)
        with pytest.raises(ConnectionClosed) as closed:
            drain(first)
        assert closed.value.rcvd.code == 4001
        send(second, 1, "key", key="a")
        assert receive(second)["ack"] == 1


LONG_NUMBERS = [
    "1" * 5_000,
    f'{{"n": {"1" * 5_000}, "type": "key", "key": "a"}}',
    f'{{"n": 1, "type": "down", "x": -{"9" * 5_000}, "y": 1}}',
    f'{{"n": 1, "type": "down", "x": {"9" * 4_000}, "y": 1}}',
    '{"n": 1, "type": "down", "x": 1e5000, "y": 1}',
]
"""Above Python's limit for the digits of a number, and below it."""


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"type": "down"}', '{"type": "key", "key": "a"}', "[" * 20_000, *LONG_NUMBERS]
)
def test_a_malformed_event_ends_the_connection(server, text):
    with open_socket(server, server.open()) as socket:
        receive(socket)
        socket.send(text)
        with pytest.raises(ConnectionClosed) as closed:
            drain(socket)
        assert closed.value.rcvd.code == 1008


def test_a_fault_of_the_suite_ends_the_session_and_is_kept(server, monkeypatch):
    session = server.open()

    def fail(_gesture):
        session.fault = RuntimeError("a planted fault")
        raise session.fault

    monkeypatch.setattr(session, "gesture", fail)
    with open_socket(server, session) as socket:
        receive(socket)
        send(socket, 1, "key", key="a")
        with pytest.raises(ConnectionClosed) as closed:
            receive(socket)
        assert closed.value.rcvd.code == 1011


def test_an_occupied_port_is_one_clear_error(catalogue, server):
    with (
        pytest.raises(ServerError, match=f"port {server.port} .* choose another, or 0"),
        SuiteServer(catalogue, port=server.port),
    ):
        pass


def stop_with_a_page_connected(server):
    """Stop a running server under an open connection, then read on until its end."""
    with open_socket(server, server.open()) as socket:
        receive(socket)
        server.__exit__(None, None, None)
        drain(socket)


def test_the_server_stops_with_pages_connected_and_can_start_again(catalogue):
    before = server_threads()
    server = SuiteServer(catalogue).__enter__()
    with pytest.raises(ConnectionClosed):
        stop_with_a_page_connected(server)
    assert server_threads() == before
    with SuiteServer(catalogue, port=server.port) as again:
        assert status_of(again.url(again.open())) == 200


def server_threads():
    return {thread for thread in threading.enumerate() if thread.name == "suite-server"}


def test_the_front_door_gives_every_visitor_a_session(catalogue):
    with SuiteServer(catalogue, front_door=True, front_language="zh") as server:
        pages = set()
        for _ in range(2):
            with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=5) as answer:
                pages.add(answer.url)
        assert len(pages) == 2


def visited(server) -> str:
    """Go through the front door; return the page's address."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=5) as answer:
        return answer.url


def test_a_session_of_the_front_door_that_nobody_shows_expires(catalogue):
    now = [0.0]
    with SuiteServer(catalogue, front_door=True, unvisited_s=60, left_s=3600, clock=lambda: now[0]) as server:
        stray, played, own = visited(server), visited(server), server.open()
        session = server._sessions[played.rpartition("/")[2]]
        with open_socket(server, session) as socket:
            receive(socket)
            now[0] = 61.0
            assert status_of(stray) == 404
            assert status_of(played) == 200
            now[0] = 10_000.0
            assert status_of(played) == 200, "a page shows it"
        wait_until(lambda: session.id not in server._connections)
        now[0] += 3599
        assert status_of(played) == 200
        now[0] += 2
        assert status_of(played) == 404
        assert status_of(server.url(own)) == 200, "whoever opened it by hand closes it"
        assert len(server._sessions) == 1


def test_strangers_do_not_fill_the_memory(catalogue, monkeypatch):
    monkeypatch.setattr("games.suite.server.MOST_VISITORS", 3)
    now = [0.0]
    with SuiteServer(catalogue, front_door=True, clock=lambda: now[0]) as server:
        for _ in range(3):
            visited(server)
        assert status_of(f"http://127.0.0.1:{server.port}/") == 503
        now[0] = 61.0
        visited(server)
        assert len(server._sessions) == 1


def wait_until(holds) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
