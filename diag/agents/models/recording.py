"""Recording and replay: every request and answer of an attempt, and the same attempt again without an endpoint.

    <recording>/<unit seed>/<n>.jsonl        one file an attempt, n from 1: one canonical JSON line a call
    <recording>/pictures/<ab>/<sha256>.png   each picture that was sent, once

A line holds the request with its pictures by name, the answer as it came, the tries and the times; or the failure that
ended the attempt. Headers and keys are in none. A replay takes the last attempt of a unit, checks that it is asked the
same requests in the same order, and reports the recorded times, so that on a virtual clock it gives equal bytes
whatever the workers, the order and the machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diag.agents.models.calling import Answered, CallGaveUp
from diag.agents.models.clients.contract import Client
from diag.agents.models.conversation import Conversation
from diag.agents.models.reply import IncompleteReply
from diag.errors import CorruptRecord
from diag.records import InfrastructureFailure
from diag.records.lines import lines_of
from diag.session.pictures import PictureStore
from games.contract import JsonObject
from games.digest import canonical_json, sha256_of

SCHEMA_VERSION = 1


class RecordingEnds(Exception):
    """The recorded attempt asked nothing more: it was over here."""


def without_pictures(request: Any, names: Mapping[str, str]) -> Any:
    """Return a request with the data of each picture replaced by its name.

    Args:
        request: the body, any nesting.
        names: base64 data -> name.
    """
    if isinstance(request, Mapping):
        return {key: without_pictures(value, names) for key, value in request.items()}
    if isinstance(request, list | tuple):
        return [without_pictures(value, names) for value in request]
    if isinstance(request, str):
        head, _, data = request.rpartition("base64,")
        if data in names:
            return f"{head}sha256,{names[data]}"
    return request


@dataclass
class Recorder:
    """Writes one attempt; the file is made with its first call."""

    root: Path
    seed: int
    _path: Path | None = field(default=None, init=False)
    n: int = field(default=0, init=False)

    def answered(self, kind: str, elapsed_s: float, request: JsonObject, sent: Conversation, got: Answered) -> None:
        """Append a call that was answered."""
        store = PictureStore(self.root / "pictures")
        for picture in sent.pictures:
            store.save(picture.png)
        took = {"latency_s": got.latency_s, "throttled_s": got.throttled_s, "tries": list(got.tries)}
        answered = {"answer": got.answer, "endpoint": got.endpoint}
        self._append({**_asked(kind, elapsed_s, request), **answered, **took})

    def failed(self, kind: str, elapsed_s: float, request: JsonObject, failure: InfrastructureFailure) -> None:
        """Append the failure that ends the attempt."""
        tries = list(failure.tries) if isinstance(failure, CallGaveUp) else []
        what = {"failure": {"kind": failure.kind, "message": failure.message, "tries": tries}}
        self._append({**_asked(kind, elapsed_s, request), **what})

    def _append(self, line: JsonObject) -> None:
        self._path = self._path or self._new()
        with self._path.open("a", encoding="utf-8") as file:
            file.write(canonical_json({"schema_version": SCHEMA_VERSION, "n": self.n, **line}) + "\n")
        self.n += 1

    def _new(self) -> Path:
        folder = self.root / str(self.seed)
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(path.stem) for path in folder.glob("*.jsonl")), default=0)
        while True:
            path = folder / f"{number}.jsonl"
            try:
                path.open("x").close()
            except FileExistsError:
                number += 1
            else:
                return path


def _asked(kind: str, elapsed_s: float, request: JsonObject) -> JsonObject:
    return {"kind": kind, "elapsed_s": elapsed_s, "request": request, "request_sha256": sha256_of(request)}


@dataclass
class Replayer:
    """Answers from a recording."""

    root: Path
    seed: int
    client: Client
    _lines: list[JsonObject] | None = field(default=None, init=False)
    n: int = field(default=0, init=False)

    def ask(self, kind: str, elapsed_s: float, request: JsonObject) -> Answered:
        """Return the recorded answer to the next request.

        Raises:
            RecordingEnds: the recorded attempt asked nothing more.
            CorruptRecord: there is no recording of this unit, it is damaged, or it was asked something else.
            InfrastructureFailure: the recorded call failed.
        """
        lines = self._read()
        if self.n >= len(lines):
            raise RecordingEnds
        line, self.n = lines[self.n], self.n + 1
        where = f"recording {self.root.name}/{self.seed}, call {self.n - 1}"
        if line["kind"] != kind or line["request_sha256"] != sha256_of(request):
            raise CorruptRecord(f"{where}: the study asks another {kind} than was recorded")
        if "failure" in line:
            failure = line["failure"]
            raise CallGaveUp(failure["kind"], failure["message"], tuple(failure["tries"]))
        try:
            reply = self.client.read(line["answer"])
        except IncompleteReply as error:
            raise CorruptRecord(f"{where}: {error}") from error
        return Answered(
            reply,
            line["answer"],
            self._latency(line, elapsed_s),
            line["throttled_s"],
            tuple(line["tries"]),
            line.get("endpoint"),
        )

    @staticmethod
    def _latency(line: JsonObject, elapsed_s: float) -> float:
        """Return the recorded latency; after a run in real time, with what its GUI operations took before it."""
        if line["elapsed_s"] == elapsed_s:
            return float(line["latency_s"])
        return max(0.0, round(float(line["elapsed_s"]) + float(line["latency_s"]) - elapsed_s, 6))

    def _read(self) -> list[JsonObject]:
        if self._lines is None:
            paths = sorted((self.root / str(self.seed)).glob("*.jsonl"), key=lambda path: int(path.stem))
            if not paths:
                raise CorruptRecord(f"recording {self.root} holds no unit of seed {self.seed}")
            self._lines = [_line(text, paths[-1]) for text in lines_of(paths[-1].read_text(encoding="utf-8"))]
        return self._lines


def _line(text: str, path: Path) -> JsonObject:
    try:
        line: JsonObject = json.loads(text)
        whole = line["schema_version"] == SCHEMA_VERSION and line["request_sha256"] == sha256_of(line["request"])
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptRecord(f"{path}: a line is no recorded call") from error
    if not whole:
        raise CorruptRecord(f"{path}: a request does not match its digest")
    return line
