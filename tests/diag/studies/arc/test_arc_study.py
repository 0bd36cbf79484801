"""The study of grid games: what a log holds, that its score is the one worked out by hand, and what is refused."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from diag.grading.frames import shown
from diag.grading.grid_plays import grade_play, midrank, reference_plays
from diag.grading.walk import LogError, MalformedLog, PlanMismatch
from diag.records import Event, InfrastructureFailure
from diag.records.event_log import read_events
from diag.session.clock import clock_named
from diag.session.grid import FrameWriter, GridLimits, GridSession
from diag.studies.arc.policy import GridPolicy
from games.catalogue import load_catalogue
from games.contract import LevelId
from games.grid.actions import GridAction
from games.grid.contract import Observation
from games.grid.environment import GridEnvironment, level_set
from games.grid.frame import blank


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two games of three short levels each, all three policies; the folder of the study."""
    from diag.app.command_line import main

    outputs = tmp_path_factory.mktemp("arc")
    words = (
        "+experiment=arc", f"outputs={outputs}", "study.games=[rush_hour,truck_escape]", "study.levels_per_game=3",
        "study.animate=true", "+study.loss_by_game.rush_hour=[budget]", "study.attempt_multiplier=1.5",
        "tracking=none", "execution.n_jobs=1", "execution.progress=false",
        "study.analysis.draws=200", "mode=all",
    )  # fmt: skip
    assert main([*words]) == 0
    return outputs / "arc" / "grid_players-rules"


def rows(folder, name):
    with (folder / "tables" / name).open(newline="") as file:
        return list(csv.DictReader(file))


def start(levels=2, baselines=(4, 3), references=((4, 5, 4), (3, 3, 9))):
    data = {
        "unit_id": "u", "attempt": 1, "plan_hash": "p", "digests": {}, "levels": ["g/e/1", "g/e/2"][:levels],
        "baselines": list(baselines), "references": [list(one) for one in references],
    }  # fmt: skip
    return Event(0, "episode_start", 0.0, 0.0, "", data)


def log(*turns, ending="won"):
    """A log of (action, number of frames, status, levels completed, full reset) turns after the opening RESET."""
    events, writer = [start()], FrameWriter()
    for action, n_frames, status, completed, full in (("RESET", 1, "playing", 0, True), *turns):
        seen = Observation((blank(0),) * n_frames, status, completed, 2, (), full)
        data = {**writer.data(GridAction(0), seen), "action": action}
        events.append(Event(len(events), "grid.frame", 0.0, 0.0, "", data))
    return [*events, Event(len(events), "episode_end", 0.0, 0.0, "", {"ending": ending})]


MOVE = ("ACTION1", 1, "playing", 0, False)
SECOND = ("ACTION1", 1, "playing", 1, False)


def test_a_score_worked_out_by_hand():
    # Level 1: 5 actions for a baseline of 4, 64 points. Level 2: 6 for 3, 25: 2 in a lost attempt, a RESET, 3 moves.
    first = [MOVE] * 4 + [("ACTION1", 2, "playing", 1, False)]
    second = [
        SECOND,
        ("ACTION1", 1, "lost", 1, False),
        ("ACTION1", 0, "lost", 1, False),
        ("RESET", 1, "playing", 1, False),
    ]
    last = [SECOND, SECOND, ("ACTION1", 1, "won", 2, False)]
    outcome = grade_play(log(*first, *second, *last), "p")
    found = outcome.endpoints
    assert found["rhae"] == pytest.approx((64 + 2 * 25) / 3)
    assert (found["levels_completed"], found["won"], found["scored_actions"]) == (2, True, 11)
    assert (found["n_losses"], found["capped_levels"], found["unfinished_actions"]) == (1, 0, 0)
    assert [one["score"] for one in outcome.details["levels"]] == pytest.approx([64.0, 25.0])


def test_an_unfinished_game_counts_what_was_completed_and_its_tail():
    outcome = grade_play(
        log(MOVE, ("ACTION1", 2, "playing", 1, False), SECOND, SECOND, SECOND, ending="level_budget"), "p"
    )
    found = outcome.endpoints
    assert found["rhae"] == pytest.approx(100 / 3)  # 115 points of weight 1 of 3, bounded by the completed third
    assert (found["capped_levels"], found["unfinished_actions"], found["completed_share"]) == (1, 3, 0.5)
    assert outcome.details["levels"][1]["actions"] is None


def test_the_midrank_counts_levels_first_then_actions_and_ties_half():
    others = reference_plays([[4, 5, None, 4], [3, 3, None, None]])
    assert others == ((2, -7), (2, -8), (0, 0), (1, -4))
    assert midrank((2, -7), others) == (3 + 0.5) / 4
    assert midrank((1, -1), others) == 2 / 4
    assert midrank((1, -1), ()) is None


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"status": "asleep"}, MalformedLog), ({"levels_completed": 3}, MalformedLog),
        ({"levels_completed": True}, MalformedLog), ({"frames": [{"64": "0" * 64}]}, MalformedLog),
        ({"frames": [{"1": "0" * 63}]}, MalformedLog), ({"frames": [{"1": "g" * 64}]}, MalformedLog),
        ({"frames": [7]}, MalformedLog), ({"action": "ACTION6 64 0"}, MalformedLog),
    ],
)  # fmt: skip
def test_a_damaged_event_is_refused(change, error):
    events = log(MOVE, ("ACTION1", 2, "playing", 1, False), ending="stopped")
    events[2] = replace(events[2], data={**events[2].data, **change})
    with pytest.raises(error):
        grade_play(events, "p")


def test_a_log_of_another_plan_or_without_its_end_is_refused():
    with pytest.raises(PlanMismatch):
        grade_play(log(MOVE), "q")
    with pytest.raises(LogError):
        grade_play(log(MOVE)[:-1], "p")
    headless = log(MOVE)
    with pytest.raises(LogError):
        grade_play([headless[0], *(replace(one, seq=one.seq - 1) for one in headless[2:])], "p")


def test_frames_read_back_are_those_that_were_seen():
    catalogue = load_catalogue()
    levels = level_set(catalogue, [LevelId("maze_paint", "easy", 1), LevelId("maze_paint", "easy", 2)])
    environment, writer = GridEnvironment(levels, animate=True), FrameWriter()
    rng, seen = np.random.default_rng(1), [(GridAction(0), environment.observation)]
    for _ in range(40):
        action = GridAction(int(rng.choice(environment.actions)))
        seen.append((action, environment.step(action)))
    events = [start(levels=2)]
    events += [Event(n, "grid.frame", 0.0, 0.0, "", writer.data(*one)) for n, one in enumerate(seen, start=1)]
    events = [replace(event, data=json.loads(json.dumps(event.data))) for event in events]
    read = tuple(shown(events))
    assert len(read) == len(seen)
    for one, (action, wanted) in zip(read, seen, strict=True):
        assert (one.action, one.seen.status, one.seen.full_reset) == (action, wanted.status, wanted.full_reset)
        assert all((a == b).all() for a, b in zip(one.seen.frames, wanted.frames, strict=True))


def test_the_oracle_beats_greedy_and_greedy_random_in_the_scorecard(run):
    totals = {row["policy"]: row for row in rows(run, "scorecard.csv") if row["game"] == "total"}
    score = {policy: float(row["rhae"]) for policy, row in totals.items()}
    assert score["grid_oracle"] == 100 > score["grid_greedy"] > score["grid_random"]
    assert totals["grid_oracle"]["levels_completed"] == "6.0"
    assert {(row["simulated"], row["baseline_source"]) for row in totals.values()} == {
        ("True", "scripted reference players (simulated)")
    }
    assert {row["contrast"] for row in rows(run, "policies.csv")} == {"B-A", "C-B"}


def test_comparisons_are_paired_by_game(run):
    card = {(row["arm"], row["game"]): float(row["rhae"]) for row in rows(run, "scorecard.csv")}
    pair = next(row for row in rows(run, "policies.csv") if row["contrast"] == "B-A")
    differences = [card["B", game] - card["A", game] for game in ("rush_hour", "truck_escape")]
    assert float(pair["mean_difference"]) == pytest.approx(sum(differences) / 2)
    assert float(pair["leave_one_out_low"]) == pytest.approx(min(differences))
    assert int(pair["better"]) + int(pair["worse"]) + int(pair["tied"]) == 2


def test_every_arm_of_a_game_has_the_same_start_and_baselines(run):
    starts = {}
    for path in sorted(run.glob("units/*/attempt-1/events.jsonl")):
        data = read_events(path)[0].data
        starts.setdefault(data["checkpoint_id"], []).append((data["digests"], data["baselines"], data["references"]))
    assert sorted(starts) == ["rush_hour", "truck_escape"]
    assert all(len(found) == 3 and found.count(found[0]) == 3 for found in starts.values())


def test_an_attempt_is_lost_when_its_budget_is_spent_in_the_game_that_says_so(run):
    for path in sorted(run.glob("units/*/attempt-1/events.jsonl")):
        events = read_events(path)
        budgets, n_losses = events[0].data["attempt_budgets"], 0
        if events[0].data["checkpoint_id"] != "rush_hour":
            assert budgets is None
            continue
        assert budgets == [-(-3 * baseline // 2) for baseline in events[0].data["baselines"]]
        assert events[0].data["capabilities"]["loss"] == ["budget"]
        taken = completed = 0
        for one in list(shown(events))[1:]:
            begins = one.action.number == 0 or one.seen.levels_completed > completed
            taken, completed = 0 if begins else taken + 1, one.seen.levels_completed
            assert (one.seen.status == "lost") == (taken == budgets[min(completed, len(budgets) - 1)])
            n_losses += one.seen.status == "lost"
        assert n_losses or events[0].data["arm"] == "C"


def test_the_report_has_the_scorecard_and_every_play_frame_by_frame(run):
    page = (run / "report.html").read_text()
    assert 'id="scorecard"' in page
    assert "grid_oracle (simulated)" in page
    for unit in run.glob("units/*"):
        play = (run / "continuations" / f"{unit.name}.html").read_text()
        steps = json.loads(play.partition('id="grid-play">')[2].partition("</script>")[0])["steps"]
        events = [event for event in read_events(unit / "attempt-1" / "events.jsonl") if event.kind == "grid.frame"]
        assert [(one["a"], one["s"], one["f"]) for one in steps if not one["w"]] == [
            (event.data["action"], event.data["status"], event.data["frames"]) for event in events
        ]


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("study.games=[tetris]", "study.games: found 'tetris', wanted some of"),
        ("study.games=[rush_hour,rush_hour]", "named twice"),
        ("study.levels_per_game=0", "study.levels_per_game: found 0"),
        ("study.budget_multiplier=0", "study.budget_multiplier: found 0"),
        ("study.loss=[boredom]", "study.loss: found 'boredom'"),
        ("+study.loss_by_game.rush_hour=[boredom]", "study.loss_by_game.rush_hour: found 'boredom'"),
        ("+study.loss_by_game.chess=[stuck]", "study.loss_by_game.chess: no such game"),
        ("study.attempt_multiplier=0", "study.attempt_multiplier: found 0"),
        ("study.arms.A.player=best", "player: got 'best'"),
        ("study.arms.A.view=text", "view 'text', wanted none"),
        ("study.arms.A.player=oracle", "privilege 'none', wanted 'solver_oracle'"),
    ],
)
def test_bad_input_is_one_line(diag, tmp_path, capsys, word, says):
    assert diag("+experiment=arc", f"outputs={tmp_path}", "tracking=none", "mode=plan", word) in (2, 3)
    error = capsys.readouterr().err.strip()
    assert len(error.splitlines()) == 1
    assert says in error


def test_an_arm_that_is_no_policy_is_refused(diag, tmp_path, capsys):
    words = (
        "+experiment=arc",
        "+intervention@study.arms.D=ordinary",
        f"outputs={tmp_path}",
        "tracking=none",
        "mode=plan",
    )
    assert diag(*words) in (2, 3)
    assert "study.arms.D is ordinary, no policy" in capsys.readouterr().err


def test_a_policy_exists_for_grid_games_alone():
    policy = GridPolicy("p", "random")
    assert policy.covers("G")
    assert not policy.covers("D")


class Raising:
    """An environment whose game fails at the third action."""

    name, attempt_actions, n = "raising", 1, 0

    def __init__(self):
        self.observation = Observation((blank(0),), "playing", 0, 2, (1,), True)

    def step(self, action):
        self.n += 1
        if self.n == 3:
            raise ZeroDivisionError("a fault\nof the game")
        return replace(self.observation, full_reset=False)


def test_a_game_that_raises_is_a_failure_of_the_apparatus_in_one_line():
    events = []
    limits = GridLimits(100.0, (10, 10))
    session = GridSession(Raising(), limits, clock_named("virtual", 100.0), lambda kind, data: events.append(kind))
    session.open()
    assert [session.take(GridAction(1)) for _ in range(2)] == ["", ""]
    with pytest.raises(InfrastructureFailure) as failure:
        session.take(GridAction(1))
    assert (failure.value.kind, failure.value.message) == (
        "suite", "raising: ZeroDivisionError at ACTION1: a fault of the game",
    )  # fmt: skip
    assert events == ["grid.frame"] * 3


def test_an_action_that_a_game_does_not_have_and_a_full_reset_are_refused_and_counted():
    levels = level_set(load_catalogue(), [LevelId("maze_paint", "easy", 1)])
    session = GridSession(
        GridEnvironment(levels), GridLimits(100.0, (10,), None, 2), clock_named("virtual", 100.0), lambda *_: None
    )
    session.open()
    assert "would begin the whole game again" in session.take(GridAction(0))
    assert "got ACTION6, wanted one of RESET, ACTION1" in session.take(GridAction(6, 1, 1))
    assert session.ended().ending == "invalid_action_limit"
