"""The event log: readable back, and one damaged byte is a typed refusal."""

from __future__ import annotations

import json

import pytest

from diag.records.event_log import EventLog, LogError, TruncatedLog, read_events


class Ticks:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic_s(self) -> float:
        self.now += 1.0
        return self.now

    def utc(self) -> str:
        return "2026-01-01T00:00:00.000+00:00"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "events.jsonl"
    with EventLog(path, Ticks()) as log:
        log.append("episode_start", 0.0, {"unit_id": "ü"})
        log.append("decision", 1.5, {"reason": "because", "latency_s": 1.5})
        log.append("episode_end", 2.0, {"ending": "stopped"})
    return path


def test_what_was_written_is_read_back(path):
    events = read_events(path)
    assert [(event.seq, event.kind, event.clock_s, event.monotonic_s) for event in events] == [
        (0, "episode_start", 0.0, 1.0),
        (1, "decision", 1.5, 2.0),
        (2, "episode_end", 2.0, 3.0),
    ]
    assert events[0].data == {"unit_id": "ü"}


def test_every_changed_byte_is_found(path):
    raw = path.read_bytes()
    for place in range(0, len(raw), 7):
        damaged = bytearray(raw)
        damaged[place] ^= 1
        path.write_bytes(bytes(damaged))
        with pytest.raises(LogError):
            read_events(path)


def test_a_killed_writer_leaves_a_typed_error(path):
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(TruncatedLog, match="incomplete"):
        read_events(path)


@pytest.mark.parametrize("order", [(0, 2), (1, 0, 2), (0, 1, 1, 2), (1, 2)])
def test_lost_doubled_or_reordered_lines_are_found(path, order):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[place] for place in order))
    with pytest.raises(LogError, match=r"line [123]"):
        read_events(path)


def test_an_empty_log_is_no_log(path):
    path.write_bytes(b"")
    with pytest.raises(TruncatedLog, match="empty"):
        read_events(path)


def test_another_schema_version_is_refused(path):
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    path.write_text(json.dumps({**line, "schema_version": 99}) + "\n", encoding="utf-8")
    with pytest.raises(LogError, match="schema version 99"):
        read_events(path)


def test_each_line_is_on_disk_before_the_next_event(tmp_path):
    log = EventLog(tmp_path / "live.jsonl", Ticks())
    log.append("episode_start", 0.0, {})
    assert len(read_events(tmp_path / "live.jsonl")) == 1
    log.close()


def test_a_log_is_never_written_over(path):
    with pytest.raises(FileExistsError):
        EventLog(path)
