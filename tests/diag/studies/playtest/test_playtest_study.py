"""The study path: what was planted in the crew is found again, memory passes from task to task, rounds resume."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from diag.app.setup import prepare
from diag.records.event_log import EventLog, read_events
from diag.records.plan import derive_seed
from diag.running.executor import Work
from diag.studies.playtest.chain import finished_rounds
from diag.studies.playtest.grade import rounds_of
from diag.studies.playtest.memory import ANY, ARCHETYPE
from diag.studies.playtest.rubrics import rubric_of
from diag.studies.playtest.tables import arms, curve, judges, passes
from diag.studies.registry import register

CONF = Path(__file__).parents[4] / "conf"
RULES = ("suite=rules", "tracking=none")
SURE = {"fixes": 1, "fixes_known": 1, "brings_back": 0, "avoids": 0, "breaks": 0, "finds": 1, "finds_known": 1,
        "invents": 0}  # fmt: skip


def prepared(tmp_path, *words, **knobs):
    register()
    told = [f"agent.knobs.{name}={value}" for name, value in knobs.items()]
    with initialize_config_dir(str(CONF), version_base=None):
        return prepare(
            compose("config", ["+experiment=rq8", *RULES, f"outputs={tmp_path}", *words, *told]), cwd=tmp_path
        )


def played(one, tmp_path, *wanted, shared=False):
    """Return a row per unit of the wanted arms; with `shared`, the arms of a block and repeat draw the same numbers."""
    rows = []
    for unit in one.plan.units:
        if wanted and unit.arm not in wanted:
            continue
        luck = derive_seed("planted", f"{unit.block_id}-{unit.repeat}", "all arms", seed=0) if shared else unit.seed
        log = tmp_path / f"{unit.unit_id}.jsonl"
        one.executor.execute(replace(unit, seed=luck), 1, log_path=log, pictures=tmp_path / "pictures")
        outcome = one.executor.grade(read_events(log), unit)
        assert outcome.validity == "valid"
        names = {"unit_id": unit.unit_id, "arm": unit.arm, "repeat": unit.repeat, "ending": outcome.ending}
        rows.append({**names, **outcome.endpoints, "details": outcome.details})
    return rows


def rates(rows):
    return {one["arm"]: one for one in arms(rows)}


# --- planted effects --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Rows of a whole study with chances far apart, and the events of every unit."""
    folder = tmp_path_factory.mktemp("planted")
    knobs = {"fixes": 0.4, "fixes_known": 1, "brings_back": 0.5, "avoids": 1, "breaks": 0, "finds": 0.6,
             "finds_known": 1, "invents": 0.2, "reviews": 0.3}  # fmt: skip
    one = prepared(folder, "study.orders=2", **knobs)
    rows = played(one, folder)
    return one, rows, {row["unit_id"]: read_events(folder / f"{row['unit_id']}.jsonl") for row in rows}


def remembered(events, layer, kind):
    """What a task begins with knowing of its own sort of game, by layer and kind."""
    start, archetypes = events[0].data, (ANY, ARCHETYPE[events[0].data["task"]["game"]])
    entries = [one for one in start["memory"] if (one["layer"], one["kind"]) == (layer, kind)]
    return {one["about"] for one in entries if one["archetype"] in archetypes}


def test_the_chances_of_the_crew_are_found_again_as_rates(planted):
    found = rates(planted[1])
    for arm in ("none", "episode"):
        assert found[arm]["repair_rate"] == pytest.approx(0.4, abs=0.11), arm  # two and a half standard errors
        assert found[arm]["find_rate"] == pytest.approx(0.6, abs=0.1), arm
    assert found["none"]["back_rate"] == pytest.approx(0.5, abs=0.13)
    assert [found[arm]["back_rate"] for arm in ("episode", "skill", "full", "no_gui")] == [0.0] * 4
    assert [found[arm]["there_at_first"] for arm in ("none", "episode", "skill", "direct")] == [1.0] * 4
    assert found["full"]["pass_share"] > found["episode"]["pass_share"] > found["none"]["pass_share"]
    assert found["none"]["pass_share"] > found["direct"]["pass_share"] == found["direct"]["first_share"]
    played_rounds = [one for row in planted[1] for one in row["details"]["rounds"] if one["outcome"]]
    invented = sum(len(one["invented"]) for one in played_rounds)
    assert invented / len(played_rounds) == pytest.approx(0.2, abs=0.07)


def test_what_is_remembered_from_earlier_tasks_does_what_was_planted_and_only_that(planted):
    outcomes = {"repaired": [], "not known": [], "noticed": [], "kept out": [], "not kept out": []}
    for row in planted[1]:
        events, rounds = planted[2][row["unit_id"]], row["details"]["rounds"]
        if row["arm"] not in ("skill", "full"):
            continue
        fixes, looks = (remembered(events, "skill", kind) for kind in ("fix_pattern", "interaction_pattern"))
        pitfalls = remembered(events, "world", "pitfall")
        for name in row["details"]["seeded"]:
            outcomes["kept out" if name in pitfalls else "not kept out"].append(rounds[0]["truth"][name])
        for one, later in itertools.pairwise(rounds):
            for name in one["found"]:
                outcomes["repaired" if name in fixes else "not known"].append(later["truth"][name])
        outcomes["noticed"] += [
            name in one["found"] for one in rounds for name in looks if not one["truth"].get(name, 1)
        ]
    assert set(outcomes["repaired"]) == set(outcomes["noticed"]) == set(outcomes["kept out"]) == {True}
    assert set(outcomes["not kept out"]) == {False}
    assert min(map(len, outcomes.values())) > 5
    assert sum(outcomes["not known"]) / len(outcomes["not known"]) == pytest.approx(0.4, abs=0.12)


def test_equal_chances_make_the_memories_equal_to_the_last_digit(tmp_path):
    knobs = {"fixes": 0.5, "fixes_known": 0.5, "brings_back": 0, "avoids": 0, "finds": 0.6, "finds_known": 0.6}
    one = prepared(tmp_path, "study.orders=1", "study.games=[rush_hour,maze_paint,truck_escape]", **knobs)
    rows = played(one, tmp_path, "none", "episode", "skill", "full", shared=True)
    kept = ("n_taken_over", "n_kept", "details", "unit_id", "arm")
    by_arm = {}
    for row in rows:
        by_arm.setdefault(row["arm"], []).append({name: value for name, value in row.items() if name not in kept})
    assert len({json.dumps(found) for found in by_arm.values()}) == 1
    assert len({row["rounds"] for row in rows}) > 1


def test_a_sure_crew_makes_every_build_whole_in_two_rounds_and_nothing_is_missed_or_invented(tmp_path):
    rows = played(prepared(tmp_path, "study.orders=1", **SURE), tmp_path, "none", "build_only", "no_gui")
    for row in (one for one in rows if one["arm"] == "none"):
        assert (row["whole"], row["rounds"], row["ending"], row["stopped_early"]) == (True, 2, "accepted", True)
        assert (row["n_fixed"], row["n_found"], row["n_missed"], row["n_invented"], row["n_left"]) == (4, 4, 0, 0, 0)
    unplayed = [row for row in rows if row["arm"] != "none"]
    assert {row["n_found"] for row in unplayed} == {None}
    assert {(row["arm"], row["ending"], row["rounds"]) for row in unplayed} == {
        ("build_only", "it_starts", 1), ("no_gui", "rounds", 5),
    }  # fmt: skip


def test_a_draft_that_nobody_runs_fails_every_criterion(tmp_path):
    rows = played(prepared(tmp_path, "study.orders=1", breaks=1), tmp_path, "direct", "build_only")
    found = rates(rows)
    assert (found["direct"]["pass_share"], found["direct"]["rounds"]) == (0.0, 1)
    assert found["build_only"]["rounds"] == 2
    assert found["build_only"]["pass_share"] > 0.6


# --- the chain of tasks -----------------------------------------------------------------------------------------------


def test_memory_passes_along_an_order_and_each_order_begins_empty(planted):
    rows = {row["unit_id"]: row for row in planted[1]}
    starts = {name: planted[2][name][0].data for name in rows}
    for name, row in rows.items():
        start, carries = starts[name], row["arm"] in ("skill", "full", "no_gui")
        assert (start["memory_from"] is None) == (row["details"]["position"] == 1 or not carries)
        assert carries or start["memory"] == []
        if start["memory_from"]:
            assert row["n_taken_over"] == rows[start["memory_from"]]["n_kept"]
            before = starts[start["memory_from"]]["task"]
            assert (before["order"], before["position"]) == (row["details"]["order"], row["details"]["position"] - 1)
        else:
            assert row["n_taken_over"] == 0
    assert min(row["n_taken_over"] for row in rows.values() if row["details"]["position"] == 6 and row["arm"] == "full")


def test_every_condition_replays_the_same_orders_of_the_same_builds(tmp_path):
    one = prepared(tmp_path, "study.orders=3")
    tasks = one.executor.source.chosen
    orders = {}
    for task in tasks:
        orders.setdefault(task.order, []).append(task.game)
    assert len({tuple(games) for games in orders.values()}) == 3
    assert {frozenset(games) for games in orders.values()} == {frozenset(orders[1])}
    arms_of = {block.block_id: block.arms for block in one.blocks}
    assert set(map(frozenset, arms_of.values())) == {frozenset(one.study.arms)}
    places = [unit.unit_id for unit in one.plan.units]
    for task in tasks:
        for arm in ("skill", "full") if task.previous else ():
            assert places.index(f"{task.previous}-{arm}-r1") < places.index(f"{task.name}-{arm}-r1")


def test_a_plan_that_leaves_out_what_is_remembered_is_refused(diag, tmp_path, capsys):
    words = ("+experiment=rq8", *RULES, f"outputs={tmp_path}", "execution.n_jobs=1", "mode=run", "study.orders=1")
    name = next(one.name for one in prepared(tmp_path).executor.source.chosen if one.position == 2)
    assert diag(*words, "--only", f"{name}-full") == 2
    assert "which this plan leaves out" in capsys.readouterr().err


# --- resuming ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A unit of several rounds, its log as it was written in one go."""
    folder = tmp_path_factory.mktemp("whole")
    one = prepared(folder, "study.orders=1", "study.games=[rush_hour]", fixes=0.3, brings_back=0.5)
    unit = next(unit for unit in one.plan.units if unit.arm == "none")
    log = folder / "units" / unit.unit_id / "attempt-1.partial" / "events.jsonl"
    log.parent.mkdir(parents=True)
    one.executor.execute(unit, 1, log_path=log, pictures=folder / "pictures")
    return one, unit, log


def interrupted(whole, tmp_path, n_lines, torn=b""):
    """The same attempt again, beside one that was killed after so many lines."""
    one, unit, log = whole
    home = tmp_path / "units" / unit.unit_id
    killed, again = home / "attempt-1.interrupted-1" / "events.jsonl", home / "attempt-1.partial" / "events.jsonl"
    for path in (killed, again):
        path.parent.mkdir(parents=True)
    lines = log.read_bytes().splitlines(keepends=True)
    killed.write_bytes(b"".join(lines[:n_lines]) + torn)
    return Work(one.executor, unit, 1, again, tmp_path / "pictures")


def test_killed_anywhere_it_comes_to_the_same_log(whole, tmp_path):
    log = whole[2]
    n_lines = len(log.read_bytes().splitlines())
    assert sum(event.kind == "playtest.round" for event in read_events(log)) > 2
    for n in range(n_lines):
        work = interrupted(whole, tmp_path / str(n), n, torn=b'{"check":"ab')
        work.executor.execute(work.unit, 1, log_path=work.log_path, pictures=work.pictures)
        assert work.log_path.read_bytes() == log.read_bytes(), n


def test_a_study_killed_within_a_round_goes_on_after_the_last_one(diag, tmp_path, monkeypatch):
    from diag.studies.playtest.simulated import SimulatedCrew

    others = (f"~study.arms.{arm}" for arm in ("episode", "skill", "full", "no_gui", "build_only", "direct"))
    words = ("+experiment=rq8", *RULES, f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false",
             "study.orders=1", "study.games=[rush_hour]", "study.contrasts=[]", "agent.knobs.fixes=0.3", "mode=run",
             *others)  # fmt: skip
    assert diag(*words) == 0
    (done,) = tmp_path.rglob("attempt-1")
    whole = (done / "events.jsonl").read_bytes()
    kinds = [event.kind for event in read_events(done / "events.jsonl")]
    second = [place for place, kind in enumerate(kinds) if kind == "playtest.round"][1]
    killed = done.rename(done.with_name("attempt-1.partial"))
    (killed / "outcome.json").unlink()
    (killed / "events.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[: second + 2]) + b'{"check')
    rounds, code = [], SimulatedCrew.code
    monkeypatch.setattr(SimulatedCrew, "code", lambda self, view: (rounds.append(view.round), code(self, view))[1])
    assert diag(*words) == 0
    assert (done / "events.jsonl").read_bytes() == whole
    assert (done.with_name("attempt-1.interrupted-1") / "events.jsonl").is_file()
    assert rounds == list(range(3, 1 + kinds.count("playtest.round")))


def test_finished_rounds_are_not_played_again(whole, tmp_path, monkeypatch):
    from diag.studies.playtest.simulated import SimulatedCrew

    rounds, code = [], SimulatedCrew.code
    monkeypatch.setattr(SimulatedCrew, "code", lambda self, view: (rounds.append(view.round), code(self, view))[1])
    events = read_events(whole[2])
    second = [place for place, event in enumerate(events) if event.kind == "playtest.round"][1]
    for n in (second + 1, second + 2, second + 3):
        work = interrupted(whole, tmp_path / str(n), n)
        assert [event.data["round"] for event in finished_rounds(work) if event.kind == "playtest.round"] == [1, 2]
        rounds.clear()
        work.executor.execute(work.unit, 1, log_path=work.log_path, pictures=work.pictures)
        assert rounds == list(range(3, 1 + max(one.number for one in rounds_of(events))))


def test_the_rounds_of_another_plan_or_unit_are_not_taken(whole, tmp_path):
    log = whole[2]
    for name, change in (("plan", {"plan_hash": "x"}), ("unit", {"unit_id": "y"}), ("attempt", {"attempt": 2})):
        work = interrupted(whole, tmp_path / name, 0)
        (killed,) = work.log_path.parent.parent.glob("*interrupted*/events.jsonl")
        killed.unlink()
        with EventLog(killed) as other:
            for event in read_events(log):
                data = {**event.data, **change} if event.kind == "episode_start" else event.data
                other.append(event.kind, event.clock_s, data)
        assert finished_rounds(work) == (), name


# --- tables and grading -----------------------------------------------------------------------------------------------


def test_the_curve_keeps_the_last_build_of_a_task_that_stopped(tmp_path):
    rows = played(prepared(tmp_path, "study.orders=1", **SURE), tmp_path, "none")
    course = {one["round"]: one for one in curve(rows, 5) if one["game"] == "all"}
    assert [course[n]["running"] for n in range(1, 6)] == [6, 6, 0, 0, 0]
    assert [course[n]["mean_share"] for n in range(2, 6)] == [1.0] * 4
    first = [1 - 4 / len(rubric_of(row["details"]["game"]).criteria) for row in rows]
    assert course[1]["mean_share"] == pytest.approx(sum(first) / 6)
    assert {(one["rollouts"], one["whole"], one["k"], one["pass_at_k"]) for one in passes(rows)} == {(1, 1, 1, 1.0)}
    assert judges(rows) == [], "without a browser there is one judge"


def test_rounds_add_up(planted):
    for row in planted[1]:
        seeded = set(row["details"]["seeded"])
        there = [{name for name in seeded if not one["truth"][name]} for one in row["details"]["rounds"]]
        assert row["n_left"] == len(there[-1])
        assert len(seeded) - row["n_fixed"] + row["n_brought_back"] == row["n_left"]
        assert row["n_brought_back"] == sum(len(later - one) for one, later in itertools.pairwise(there))
        assert row["best_share"] == max(one["share"] for one in row["details"]["rounds"]) >= row["pass_share"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("study.games=[tetris]", "found 'tetris', wanted some of"),
        ("study.defects=99", "study.defects is from 0 to"),
        ("study.orders=0", "study.orders is from 1 to 720, found 0"),
        ("study.rounds=0", "study.rounds is from 1 to 20, found 0"),
        ("study.judge_limit_s=0", "study.judge_limit_s: found 0.0"),
        ("study.code_calls=0", "study.code_calls: found 0"),
        ("study.limits.actions=5", "study.limits.actions: found 5"),
        ("suite.language=zh", "suite.language: found zh, wanted en"),
        ("+intervention@study.arms.X=placebo_sentence", "no condition of playtest"),
        ("study.arms.full.memory=all", "memory 'all', wanted one of none, episode, skill, full"),
        ("study.arms.full.loop=race", "loop 'race', wanted one of playtest, no_gui, direct, build_only"),
        ("agent.knobs.fixes=2", "knobs.fixes is from 0 to 1, found 2"),
    ],
)
def test_a_wrong_setting_is_one_line(diag, tmp_path, capsys, words, message):
    assert diag("+experiment=rq8", *RULES, f"outputs={tmp_path}", words, "mode=plan") in (2, 3)
    error = capsys.readouterr().err.strip()
    assert message in error
    assert len(error.splitlines()) == 1


def test_an_agent_that_is_no_crew_is_one_line(diag, tmp_path, capsys):
    words = ("+experiment=rq8", *RULES, f"outputs={tmp_path}", "agent=greedy", "execution.n_jobs=1", "mode=run")
    assert diag(*words) == 2
    error = capsys.readouterr().err.strip()
    assert "codes and plays no builds" in error
    assert len(error.splitlines()) == 1
