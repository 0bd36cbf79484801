"""The loop: what ends an attempt, what is recorded when, and what an agent is shown."""

from __future__ import annotations

import dataclasses
import hashlib
import io

import pytest
from PIL import Image

from diag.records import InfrastructureFailure
from diag.session import EventLog, Limits, PictureStore, Probe, RulesEnvironment, VirtualClock, run_attempt
from diag.session.actions import Action
from diag.session.contract import Decision, Turn
from games.picture import decoded_digest


def test_a_win_ends_the_attempt_inside_its_batch(bench, kinds):
    events = bench.run(bench.agent([[bench.click(1), bench.click(4), bench.click(7), bench.restart_click]]))
    assert events[-1].data == {"ending": "won", "reason": "level_won", "failure_kind": None}
    assert [event.data["index"] for event in kinds(events, "action")] == [0, 1, 2]
    assert kinds(events, "snapshot")[-1].data["won"] is True


def test_one_snapshot_before_the_first_decision_and_one_after_every_action(bench):
    events = bench.run(bench.agent([[bench.click(1), bench.click(2)], [bench.restart_click]]))
    assert [event.kind for event in events] == [
        *("episode_start", "snapshot", "observation", "decision", "action", "snapshot", "action", "snapshot"),
        *("observation", "decision", "action", "snapshot", "observation", "decision", "episode_end"),
    ]
    moved = [change["kind"] for event in events if event.kind == "snapshot" for change in event.data["transitions"]]
    assert moved == ["placed", "move", "move", "restart"]


def test_the_screenshot_that_a_restore_took_is_the_first_one_shown_and_is_not_taken_again(bench, kinds):
    def png(shade: int) -> bytes:
        data = io.BytesIO()
        Image.new("RGB", (2, 2), (shade, 0, 0)).save(data, "PNG")
        return data.getvalue()

    class Drawn(RulesEnvironment):
        n_taken = 0

        def screenshot(self) -> bytes:
            self.n_taken += 1
            return png(self.n_taken)

    agent = bench.agent([[bench.click(1)]])
    environment = Drawn(bench.session(), bench.catalogue())
    events = bench.run(agent, environment=environment, held_png=png(99))
    assert [one.screenshot_png for one in agent.seen] == [png(99), png(1)]
    assert events[0].data["digests"]["pixels"] == decoded_digest(png(99))
    assert kinds(events, "observation")[0].data["picture"] == hashlib.sha256(png(99)).hexdigest()


def test_the_clock_counts_latency_and_settling_and_stamps_effects_before_settling(bench, kinds):
    events = bench.run(bench.agent([[bench.click(1)], [bench.click(2)]], latency_s=10.0))
    assert [event.clock_s for event in kinds(events, "snapshot")] == [0.0, 10.0, 22.0]
    assert events[-1].clock_s == 34.0


def test_an_answer_after_the_deadline_dispatches_nothing(bench, kinds):
    agent = bench.agent([Decision((bench.click(1),), "slow", 300.0)])
    events = bench.run(agent)
    assert kinds(events, "decision")[0].data["late"] is True
    assert kinds(events, "action") == []
    assert events[-1].data["ending"] == "time_limit"


def test_the_last_moment_before_the_deadline_still_counts(bench, kinds):
    events = bench.run(bench.agent([Decision((bench.click(1), bench.click(2)), "just in time", 299.5)]))
    assert [event.data["index"] for event in kinds(events, "action")] == [0]
    assert events[-1].data["ending"] == "time_limit"
    assert events[-1].clock_s == 300.0


@pytest.mark.parametrize("limit", [1, 3, 5])
def test_exactly_n_actions(bench, kinds, limit):
    decisions = [[bench.wait(0), bench.wait(0)] for _ in range(10)]
    events = bench.run(bench.agent(decisions, latency_s=0.1), limits=Limits(actions=limit))
    assert len(kinds(events, "action")) == limit
    assert events[-1].data["ending"] == "action_limit"


def test_a_stop_is_an_outcome(bench):
    assert bench.run(bench.agent([]))[-1].data["ending"] == "stopped"


def test_an_infrastructure_failure_ends_the_attempt_with_its_kind(bench, kinds):
    events = bench.run(bench.agent([[bench.click(1)], InfrastructureFailure("api", "503 from the endpoint")]))
    assert events[-1].data == {"ending": "infrastructure", "reason": "503 from the endpoint", "failure_kind": "api"}
    assert kinds(events, "error")[0].data == {"kind": "api", "message": "503 from the endpoint"}


def test_a_programming_error_is_not_swallowed_and_leaves_no_outcome(bench, tmp_path):
    with pytest.raises(KeyError):
        bench.run(bench.agent([KeyError("a bug")]))
    assert b"episode_end" not in (tmp_path / "events-1.jsonl").read_bytes()


def test_a_failure_before_the_start_still_says_which_attempt_it_was(bench):
    class Broken(RulesEnvironment):
        def screenshot(self) -> bytes:
            raise InfrastructureFailure("browser", "no answer in 30 s")

    events = bench.run(bench.agent([]), environment=Broken(bench.session(), bench.catalogue()))
    assert [event.kind for event in events] == ["episode_start", "error", "episode_end"]
    assert events[0].data["unit_id"] == "b1-A-r1"


def test_another_level_on_the_board_is_a_restoration_failure(bench):
    session = bench.session()
    session.level = dataclasses.replace(bench.level, number=2)
    events = bench.run(bench.agent([]), environment=RulesEnvironment(session, bench.catalogue()))
    assert (events[-1].data["ending"], events[-1].data["failure_kind"]) == ("infrastructure", "restoration")


def test_a_start_that_differs_from_the_plan_is_a_restoration_failure(bench):
    right = bench.run(bench.agent([]))[0].data["digests"]["state"]
    assert bench.run(bench.agent([]), expected_digests={"state": right})[-1].data["ending"] == "stopped"
    wrong = bench.run(bench.agent([]), expected_digests={"state": "0" * 64})
    assert wrong[-1].data["failure_kind"] == "restoration"


def test_winning_another_level_is_no_win(bench):
    session = bench.session()

    class Wanders(bench.agent):
        def decide(self, observation):
            session.level = dataclasses.replace(bench.level, number=2)
            return super().decide(observation)

    agent = Wanders([[bench.click(1), bench.click(4), bench.click(7)]])
    events = bench.run(agent, environment=RulesEnvironment(session, bench.catalogue()))
    assert events[-1].data["ending"] == "stopped"


def test_digests_differ_between_arms_only_where_arms_differ(bench):
    base = bench.setup()
    told = dataclasses.replace(base.context, instruction=base.context.instruction + " No move remains.")
    first, second = bench.run(bench.agent([])), bench.run(bench.agent([]), context=told)
    assert first[0].data["digests"] == second[0].data["digests"]
    assert first[0].data["context"] != second[0].data["context"]
    assert set(first[0].data["digests"]) == {"state", "pixels", "prefix", "objective", "interface", "limits"}


def test_the_same_attempt_twice_is_the_same_record(bench, tmp_path):
    from diag.records.event_log import ClockTime

    for name in ("one", "two"):
        clock = VirtualClock()
        with EventLog(tmp_path / name, ClockTime(clock.elapsed_s)) as log:
            run_attempt(
                bench.setup(),
                agent=bench.agent([[bench.click(1)], [bench.click(2), {"name": "fly"}]]),
                environment=RulesEnvironment(bench.session(), bench.catalogue()),
                clock=clock,
                log=log,
                pictures=PictureStore(tmp_path),
            )
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_summaries_come_every_eight_turns_and_recent_turns_stay_in_the_window(bench, kinds):
    agent = bench.agent([[bench.wait(0)] for _ in range(17)], latency_s=1.0)
    events = bench.run(agent)
    assert [event.data["text"] for event in kinds(events, "summary")] == ["summary 1", "summary 2"]
    assert [len(seen.context.recent) for seen in agent.seen] == [*range(13), 12, 12, 12, 12, 12]
    assert [seen.context.summary for seen in agent.seen] == [None] * 8 + ["summary 1"] * 8 + ["summary 2"] * 2
    assert agent.seen[1].context.recent == (Turn((bench.wait(0),), "wait(seconds=0.0): done", "plays 1", None),)


def test_probes_are_isolated(bench, kinds):
    probes = (Probe(0.0, "What are the rules?"), Probe(15.0, "And now?"), Probe(9999.0, "At the end?"))
    agent = bench.agent(
        [
            Decision((bench.click(1),), "first answer", 50.0),
            [bench.click(1)],
            [bench.click(2)],
            Decision((), "second answer", 50.0),
            Decision((), "enough", 1.0, stop=True),
            Decision((), "third answer", 50.0),
        ]
    )
    events = bench.run(agent, probes=probes)
    assert [event.data["answer"] for event in kinds(events, "probe")] == [
        "first answer",
        "second answer",
        "third answer",
    ]
    assert [event.data["index"] for event in kinds(events, "action")] == [0, 1]
    assert all("answer" not in turn.reason for turn in agent.seen[-1].context.recent)
    assert events[-1].clock_s == 25.0


def test_a_workflow_acts_between_decisions_and_is_counted_apart(bench, kinds):
    class RestartAfterDeadEnd:
        name = "restart_after_dead_end"

        def next_action(self, snapshot, picture):
            stuck = picture["board"]["token"] == 2
            return ("restart", Action("click", 1000, 40)) if stuck else None

    events = bench.run(bench.agent([[bench.click(1), bench.click(2)]]), workflow=RestartAfterDeadEnd())
    assert [event.data["what"] for event in kinds(events, "controller")] == ["restart"]
    assert len(kinds(events, "action")) == 2
    assert kinds(events, "snapshot")[-1].data["transitions"][0]["kind"] == "restart"
