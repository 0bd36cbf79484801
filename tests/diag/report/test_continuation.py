from diag.records import Event
from diag.report.alignment import added_lines, first_difference, parting
from diag.report.continuation import action_text, read_continuation


def _log(*kinds: tuple) -> tuple[Event, ...]:
    return tuple(Event(seq, kind, clock, clock, "", data) for seq, (kind, clock, data) in enumerate(kinds))


def _play(instruction: str, *actions: dict, digests: str = "") -> tuple[Event, ...]:
    events = [("episode_start", 0.0, {"context": {"instruction": instruction}})]
    events.append(("snapshot", 0.0, {"screen": "playing", "state_digest": "s0", "transitions": []}))
    for place, action in enumerate(actions):
        events.append(("observation", place * 2.0, {"picture": f"p{place}", "settled": "settled"}))
        events.append(("decision", place * 2.0, {"reason": f"r{place}", "latency_s": 1.0}))
        events.append(("action", place * 2.0 + 1, {"index": place, "action": action, "valid": True, "feedback": "ok"}))
        digest = digests[place] if digests else str(place)
        events.append(("snapshot", place * 2.0 + 1, {"screen": "playing", "state_digest": digest, "transitions": []}))
    events.append(("episode_end", 9.0, {"ending": "stopped"}))
    return _log(*events)


def test_a_frame_holds_what_was_decided_on_its_screenshot():
    click, drag = {"name": "click", "x": 0, "y": 899}, {"name": "drag", "x": 1, "y": 2, "x2": 3, "y2": 4}
    continuation = read_continuation(_play("Win.", click, drag))
    first, second = continuation.frames
    assert (first.picture, first.reason, first.actions[0].text) == ("p0", "r0", "click (0, 899)")
    assert (first.marks[0].x, first.marks[0].y, first.marks[0].x2) == (0.0, 899.0, None)
    assert second.actions[0].text == "drag (1, 2) → (3, 4)"
    assert (second.marks[0].x2, second.marks[0].y2) == (3.0, 4.0)
    assert (continuation.instruction, continuation.end_clock_s) == ("Win.", 9.0)


def test_nothing_of_the_log_is_dropped():
    events = _log(
        ("observation", 0.0, {"picture": None, "settled": "unsettled"}),
        ("decision", 0.0, {"reason": "", "stop": True, "late": True}),
        ("error", 0.0, {"kind": "browser", "message": "gone"}),
        ("summary", 0.0, {"text": "so far"}),
    )
    frame = read_continuation(events).frames[0]
    assert (frame.settled, frame.stop, frame.late, frame.reason) == ("unsettled", True, True, "")
    assert "gone" in frame.notes[0]
    assert frame.notes[1] == "summary: so far"


def test_a_malformed_action_is_shown_as_it_came():
    assert action_text(["click", 5]) == '["click", 5]'
    assert action_text({"name": "key", "key": "Enter"}) == "key key=Enter"
    assert action_text({"name": "click", "x": "left"}) == "click x=left"
    events = _log(
        ("observation", 0.0, {}), ("action", 1.0, {"action": {"name": "click", "x": True, "y": 3}, "valid": False})
    )
    assert read_continuation(events).frames[0].marks == ()


def test_an_empty_log_is_an_empty_continuation():
    assert read_continuation(()).frames == ()


def test_first_difference_counts_an_ended_side():
    assert first_difference("abc", "abc") is None
    found = first_difference(["a", "b"], ["a"])
    assert found is not None
    assert (found.index, found.control, found.other) == (1, "b", None)


def test_arms_part_where_instruction_action_and_state_first_differ():
    click, other = {"name": "click", "x": 1, "y": 1}, {"name": "click", "x": 2, "y": 2}
    control = read_continuation(_play("Win.", click, click, click, digests="abc"))
    treated = read_continuation(_play("Win.\n\nNo move is left.", click, other, click, digests="abx"))
    found = parting(control, "B", treated)
    assert found.instruction is not None
    assert (found.instruction.control, found.instruction.other) == (None, "No move is left.")
    assert found.action is not None
    assert (found.action.index, found.action.other) == (1, "click (2, 2)")
    assert found.state is not None
    assert found.state.index == 3


def test_added_lines_are_exactly_what_the_arm_adds():
    assert added_lines("a\nb", "a\n\nfact one\nfact two\nb") == ("fact one", "fact two")
    assert added_lines("a\nb", "a\nb") == ()
