"""The agent's hand on the environment: `python client.py JSON` sends one action and files what comes back.

It needs nothing but Python's standard library and knows no game. What the environment shows of step N is put into
`observations/step_N` in one go (written beside, then renamed), then the step index is saved; a lock keeps two calls
apart. A call that was killed between the two is repaired by the next one: an action is sent with the step that it is to
make, and the server answers one that does not fit with its own step index. One ahead, the missing step is fetched;
anything else is an error.
"""

from __future__ import annotations

import base64
import fcntl
import http.client
import json
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

OWN = ".client"
"""Folder of the client's own files: address, saved state, lock."""
STATE = "state.jsonl"
"""Its file of states, the last whole line is what holds: replacing a file would wait for the disk at every step."""
LONGEST_STATE = 1_000
"""Bytes that hold at least two states."""


class ClientError(Exception):
    """The action was not taken, or the environment cannot be reached; one line."""


class Refused(ClientError):
    """The environment does not take this action now; nothing has changed."""


class Client:
    """One environment seen from one workspace."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        self._own = workspace / OWN
        self._line: http.client.HTTPConnection | None = None
        self._known: tuple[int, dict[str, Any]] = (0, {})
        """The saved state and how long its file was: the file only grows, so another length is another state."""

    def observed(self, name: str) -> str:
        """Return a file of the latest step, empty if that step has none of the name."""
        try:
            return (self._folder(self.saved["step"]) / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    @property
    def saved(self) -> dict[str, Any]:
        """What the last finished call saved: step, terminal. Raises ClientError before `start`."""
        path = self._own / STATE
        try:
            if (size := path.stat().st_size) == self._known[0]:
                return self._known[1]
            with path.open("rb") as file:
                file.seek(max(0, size - LONGEST_STATE))
                whole = [line for line in file.read().split(b"\n") if line.startswith(b"{") and line.endswith(b"}")]
            self._known = size, json.loads(whole[-1])
        except (OSError, IndexError) as error:
            raise ClientError("there is no environment here yet: start comes first") from error
        return self._known[1]

    def start(self, alias: str) -> str:
        """Initialise the environment, once. Returns what to tell the agent. Raises ClientError."""
        with self._locked():
            key = {"alias": alias, "nonce": self._nonce()}
            found = self._ask("start", key)
            (self.workspace / "description.md").write_text(found["description"], encoding="utf-8")
            self._file(found)
            self._save({**key, "step": 0, "terminal": found["terminal"]})
            return self._told(found)

    def act(self, action: object) -> str:
        """Send one action. Returns what to tell the agent.

        Raises:
            Refused: the environment does not take it.
            ClientError: it cannot be reached, or its step index does not fit.
        """
        with self._locked():
            saved = self.saved
            wanted = {"seq": saved["step"] + 1, "call": secrets.token_hex(8), "action": action}
            found = self._ask("step", {**_key(saved), **wanted})
            if "at" in found:
                return f"The last action had been taken; this one was not sent.\n{self._repaired(saved, found['at'])}"
            if "refused" in found:
                self._save({**saved, "terminal": found["terminal"]})
                raise Refused(found["refused"])
            return self._filed(saved, found)

    def repair(self) -> str | None:
        """Fetch a step that was taken and not filed. Returns what to tell the agent, None if nothing was missing."""
        with self._locked():
            saved = self.saved
            there = self._ask("state", _key(saved))["step"]
            return None if there == saved["step"] else self._repaired(saved, there)

    def _repaired(self, saved: dict[str, Any], there: int) -> str:
        """Fetch the step at which the environment is. Raises ClientError if that is not the next one."""
        if there != saved["step"] + 1:
            raise ClientError(f"step index: the environment is at {there}, wanted {saved['step']} or one more")
        return self._filed(saved, self._ask("observation", _key(saved)))

    def _filed(self, saved: dict[str, Any], found: dict[str, Any]) -> str:
        self._file(found)
        self._save({**saved, "step": found["step"], "terminal": found["terminal"]})
        return self._told(found)

    def _told(self, found: dict[str, Any]) -> str:
        where = f"observations/step_{found['step']:06d}"
        lines = [f"step {found['step']}: {where}: {', '.join(sorted(found['files']))}"]
        if found["step"] == 0:
            lines.insert(0, "description: description.md")
        if found["terminal"]:
            lines.append("terminal: the environment has ended")
        return "\n".join(lines)

    def _file(self, found: dict[str, Any]) -> None:
        """Put the files of one step where they belong, all or none."""
        folder = self._folder(found["step"])
        partial = folder.with_name(f".{folder.name}")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        for name, content in found["files"].items():
            data = base64.b64decode(content["base64"]) if isinstance(content, dict) else content.encode()
            (partial / name).write_bytes(data)
        if folder.exists():
            shutil.rmtree(folder)
        partial.rename(folder)

    def _folder(self, step: int) -> Path:
        return self.workspace / "observations" / f"step_{step:06d}"

    def _nonce(self) -> str:
        """Return the word by which the server knows a second call of the same start; saved before it is sent."""
        path = self._own / "nonce"
        if not path.exists():
            beside = path.with_name("nonce.new")
            beside.write_text(secrets.token_hex(16), encoding="utf-8")
            beside.rename(path)
        return path.read_text(encoding="utf-8")

    def _save(self, state: dict[str, Any]) -> None:
        """Append the state; a line that a killed call left unfinished is no state."""
        with (self._own / STATE).open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(state)}\n")

    def _ask(self, what: str, data: dict[str, Any]) -> dict[str, Any]:
        """Post a request, once again on a new connection if the old one was closed."""
        body = json.dumps(data)
        for is_last in (False, True):
            try:
                line = self._connection()
                line.request("POST", f"/{what}", body, {"Content-Type": "application/json"})
                answer = line.getresponse()
                found: dict[str, Any] = json.loads(answer.read())
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.close()
                if is_last:
                    raise ClientError(f"the environment does not answer: {error or type(error).__name__}") from error
                continue
            if answer.status != 200:
                raise ClientError(str(found.get("error", answer.status)))
            return found
        raise AssertionError  # the second round returns or raises

    def _connection(self) -> http.client.HTTPConnection:
        if self._line is None:
            address = json.loads((self._own / "address.json").read_text(encoding="utf-8"))
            self._line = http.client.HTTPConnection(address["host"], address["port"], timeout=60)
        return self._line

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        if self._line is not None:
            self._line.close()
            self._line = None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._own.mkdir(parents=True, exist_ok=True)
        with (self._own / "lock").open("w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield


def _key(saved: dict[str, Any]) -> dict[str, Any]:
    return {name: saved[name] for name in ("alias", "nonce")}


def main(arguments: list[str]) -> int:
    """Take one action from the command line, or from standard input for `-`, and print what to know."""
    text = sys.stdin.read() if arguments == ["-"] else " ".join(arguments)
    try:
        action = json.loads(text)
        told = Client(Path.cwd()).act(action)
    except ValueError as error:
        sys.stderr.write(f"error: {text!r:.80} is no JSON: {error}\n")
        return 2
    except ClientError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    sys.stdout.write(f"{told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
