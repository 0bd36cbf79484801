"""Games in a process of their own on the loopback: standard library and the grid. Each serves one client, once.

    python -m diag.studies.continuation.server      a line of JSON opens an environment, its answer is {"port": N}

It ends when its standard input does, so it does not outlive who started it. Whatever happens to the game is appended to
the journal, a file on the host that the agent has no path to, before the answer is sent: grading reads the journal, not
what the agent's side says.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from diag.records import InfrastructureFailure
from diag.session.clock import VirtualClock
from diag.session.grid import GridLimits, GridSession
from diag.studies.continuation.levels import Course, opened
from diag.studies.continuation.showing import files_of
from games.grid.actions import CLICK, NAMES, RESET, ActionError, GridAction, click
from games.grid.contract import Observation

OVER = "the game is over: only RESET is answered"
Answer = dict[str, Any]


class RequestError(Exception):
    """A request that this environment does not answer; one line, with the HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Served:
    """One environment: started once under its alias, then stepped; every answer can be asked for again."""

    def __init__(self, course: Course, description: str, journal: Callable[[Answer], None]) -> None:
        self._description, self._journal = description, journal
        self._language = course.language
        limits = GridLimits(float("inf"), course.budgets, None, course.invalid_in_a_row)
        clock = VirtualClock()
        clock.start()
        self._session = GridSession(opened(course), limits, clock, self._record)
        self._nonce: str | None = None
        self.lock = threading.Lock()
        self._step = 0
        self._call: object = None
        """By which call of the client the latest step was made."""
        self._latest: Answer = {}

    def start(self, data: Answer) -> Answer:
        """Initialise, once. The same call again (its answer was lost) gets the same answer."""
        if self._nonce is None:
            self._nonce = str(data.get("nonce"))
            self._session.open()
            self._latest = self._shown("RESET", self._session.seen)
        if data.get("nonce") != self._nonce:
            raise RequestError(409, "alias: this environment was initialised before; wanted one initialisation")
        if self._step:
            raise RequestError(409, f"alias: this environment is at step {self._step}; wanted a step, not a start")
        return {**self._latest, "description": self._description}

    def state(self, data: Answer) -> Answer:
        """Return the step index."""
        self._check(data)
        return {"step": self._step, "terminal": self._latest["terminal"]}

    def observation(self, data: Answer) -> Answer:
        """Return the answer to the last action once more."""
        self._check(data)
        return self._latest

    def step(self, data: Answer) -> Answer:
        """Take an action. `seq` is the step that it makes: if another is due, nothing happens but the answer says so.

        The `call` just answered is answered again, not taken twice.
        """
        self._check(data)
        seq, call, action = data.get("seq"), data.get("call"), data.get("action")
        if self._step and (seq, call) == (self._step, self._call):
            return self._latest
        if seq != self._step + 1:
            return {"at": self._step}
        if self._latest["terminal"]:
            return {"refused": "the environment has ended", "terminal": True}
        try:
            parsed = action_of(action)
        except ActionError as error:
            return self._refused(str(action), str(error))
        if self._session.seen.status == "lost" and parsed.number != RESET:
            return self._refused(str(parsed), OVER)
        if why := self._session.take(parsed):
            return self._refusal(why)
        self._step, self._call = self._step + 1, call
        self._latest = self._shown(str(parsed), self._session.seen)
        return self._latest

    def _refused(self, action: str, why: str) -> Answer:
        return self._refusal(self._session.refuse(action, why))

    def _refusal(self, why: str) -> Answer:
        """Return what the client is told; too many refusals in a row end the environment."""
        self._latest = {**self._latest, "terminal": self._session.ended() is not None}
        self._note_end()
        return {"refused": why, "terminal": self._latest["terminal"]}

    def _shown(self, action: str, seen: Observation) -> Answer:
        environment: Any = self._session.environment
        facts = {
            "step": self._step,
            "action": action,
            "attempt_actions": environment.attempt_actions,
            "level_actions": self._session.counter.plays[-1].unfinished_actions,
        }
        files = files_of(seen, environment.table, environment.levels.game, facts, self._language)
        self._note_end()
        return {"step": self._step, "terminal": self._session.ended() is not None, "files": files}

    def _note_end(self) -> None:
        if (ended := self._session.ended()) is not None:
            self._journal({"ended": asdict(ended)})

    def _record(self, kind: str, data: Any) -> None:
        self._journal({"kind": kind, "data": dict(data)})

    def _check(self, data: Answer) -> None:
        if self._nonce is None or data.get("nonce") != self._nonce:
            raise RequestError(404, "nonce: this environment was not started from here")


def action_of(data: object) -> GridAction:
    """Read `{"id": "ACTION1"}` or `{"id": "ACTION6", "data": {"x": 3, "y": 5}}`. Raises ActionError."""
    if not isinstance(data, dict) or data.get("id") not in NAMES:
        raise ActionError(f"action: got {data!r:.80}, wanted an object with an id of {', '.join(NAMES)}")
    number = NAMES.index(data["id"])
    point = data.get("data") or {}
    if number == CLICK:
        return click(point.get("x"), point.get("y")) if isinstance(point, dict) else click(None, None)
    return GridAction(number)


class Host:
    """The environments of one process, each under its alias and, once started, under its session."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_alias: dict[str, Served] = {}

    def open(self, settings: Answer) -> None:
        """Take an environment in; the aliases of closed ones are gone for good."""
        path = Path(settings["journal"])

        def note(line: Answer) -> None:
            with path.open("a", encoding="utf-8") as journal:
                journal.write(json.dumps(line) + "\n")

        served = Served(Course.from_json(settings["course"]), settings["description"], note)
        with self._lock:
            self._by_alias[settings["alias"]] = served

    def close(self, alias: str) -> None:
        """Let an environment go."""
        with self._lock:
            self._by_alias.pop(alias, None)

    def answer(self, path: str, data: Answer) -> Answer:
        """Answer a request of whichever environment it is for. Raises RequestError."""
        if path not in PATHS:
            raise RequestError(404, f"{path}: wanted one of {', '.join(PATHS)}")
        with self._lock:
            served = self._by_alias.get(str(data.get("alias")))
        if served is None:
            raise RequestError(404, "alias: there is no such environment")
        with served.lock:
            found: Answer = getattr(served, path[1:])(data)
        return found


PATHS = ("/start", "/state", "/observation", "/step")


def _handler(host: Host) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers POST requests with JSON."""

        protocol_version = "HTTP/1.1"
        wbufsize = -1  # an answer goes out in one piece
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            """Answer one request."""
            try:
                data = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                if not isinstance(data, dict):
                    raise RequestError(400, f"got {data!r:.80}, wanted an object")
                self._send(200, host.answer(self.path, data))
            except RequestError as error:
                self._send(error.status, {"error": str(error)})
            except ValueError as error:
                self._send(400, {"error": f"no JSON: {error}"})
            except InfrastructureFailure as failure:
                self._send(500, {"error": failure.message})

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the method's own parameter
            """Stay silent: standard error is nobody's."""

        def _send(self, status: int, data: Answer) -> None:
            body = json.dumps(data).encode()
            self.send_response_only(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def main() -> int:
    """Serve until standard input ends."""
    host = Host()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(host))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for line in sys.stdin:
        told = json.loads(line)
        answer: Answer = {}
        try:
            if "close" in told:
                host.close(told["close"])
            else:
                host.open(told)
                answer = {"port": server.server_address[1]}
        except Exception as error:  # whatever the levels are, the one who asked is told in one line
            answer = {"error": " ".join(f"{type(error).__name__}: {error}".split())}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
