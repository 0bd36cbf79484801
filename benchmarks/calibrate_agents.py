"""Prints what the simulated presets do in dead-end takeovers beside the published rates they aim at.

    python benchmarks/calibrate_agents.py                                   sol, terra and luna
    python benchmarks/calibrate_agents.py --agents sol --repeats 5 --set agent.policy.propensities.skill=0.5

Rules only, virtual clock, from the shipped RQ2 checkpoints. Published rates are printed for comparison and enter no
computation.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.utils import instantiate

from checkpoints.store import load_library
from diag.arms.contract import Intervention
from diag.grading.certifier import SolverCertifier
from diag.records import Outcome, Unit
from diag.session import (
    AttemptSetup,
    EventLog,
    LevelWon,
    PictureStore,
    RulesEnvironment,
    VirtualClock,
    read_events,
    run_attempt,
)
from diag.session.contract import AgentFactory, PublicContext
from diag.studies.registry import register
from diag.studies.takeover.grade import grade_takeover
from games.catalogue import load_catalogue
from games.contract import JsonObject, LevelId
from games.digest import sha256_of
from games.suite.session import SuiteSession

ARMS = {"A": "ordinary", "B": "dead_end_fact", "C": "dead_end_fact_and_restart"}
CONF = str(Path(__file__).resolve().parents[1] / "conf")
OBJECTIVE = "You are playing Bolt Unscrew, Hard, level {}. Complete this level. You may use every button on the screen."
PUBLISHED = {
    "sol": {
        "A": "timely 1/24, verified 8/24, blames 16/24, names cause 7 of 8, wins 0",
        "B": "timely 22/24, verified 23/24, blames 3/24, recur 17/23, median 8 actions 128.8 s, wins 0",
        "C": "timely 22/24, verified 22/24, blames 5/24, recur 17/22, wins 0",
        "N": "finish 20/24 (A 10, B 9 of 12), no restart; longest continuation 24 actions",
    },
    "terra": {"A": "verified 5/6", "B": "verified 16/18 over the three models", "C": "16/18 over the three", "N": "-"},
    "luna": {"A": "verified 2/12 with sol, effect largest", "B": "16/18 over the three", "C": "16/18", "N": "-"},
}


@dataclass(frozen=True)
class Start:
    """A board to hand over."""

    cohort: str
    level: LevelId
    state: JsonObject


def shipped() -> list[Start]:
    """Return the starts of the shipped RQ2 library."""
    return [Start(c.cohort, c.level, c.state) for c in load_library("rq2").checkpoints]


def run(agent: AgentFactory, arm: Intervention, start: Start, seed: int, bench: Any) -> Outcome:
    """Run and grade one takeover."""
    catalogue, certify, folder = bench
    session = SuiteSession(catalogue, animate=False)
    session.place(start.level, start.state)
    base, goal = PublicContext(OBJECTIVE.format(start.level.number)), LevelWon(start.level)
    setup = AttemptSetup(
        unit=Unit("u", "b", start.cohort, "X", 1, "c", "d", str(start.level), seed, 0),
        attempt=1,
        plan_hash="calibration",
        study="calibration",
        level=start.level,
        base_context=base,
        context=arm.apply(base, start.cohort),
        goal=goal,
        stop_conditions=(goal,),
    )
    path = Path(folder) / "events.jsonl"
    path.unlink(missing_ok=True)
    with EventLog(path) as log:
        run_attempt(
            setup,
            agent=agent.build(seed),
            environment=RulesEnvironment(session, catalogue),
            clock=VirtualClock(),
            log=log,
            pictures=PictureStore(Path(folder)),
        )
    return grade_takeover(read_events(path), certify=certify)


def line(outcomes: list[Outcome], cohort: str) -> str:
    """Return one cell's rates as text."""
    n = len(outcomes)

    def share(name: str, among: list[Outcome] = outcomes) -> str:
        hits = sum(bool(item.endpoints[name]) for item in among)
        return f"{hits}/{len(among)} ({hits / max(len(among), 1):.0%})"

    n_actions = sorted(item.n_actions for item in outcomes)
    if cohort == "N":
        return (
            f"finish {share('same_level_win')}, restarted {share('restarted')}, actions {n_actions[0]}..{n_actions[-1]}"
        )
    recovered = [item for item in outcomes if item.endpoints["verified_recovery"]]
    recurred = [item for item in recovered if item.endpoints["recurrence"]]
    codes = {
        name: sum(item.codes[name] for item in among)
        for name, among in (("blames_click", outcomes), ("names_cause", recovered))
    }
    after = [float(item.endpoints["recurrence_after_s"] or 0) for item in recurred]
    moves = [int(item.endpoints["recurrence_after_moves"] or 0) for item in recurred]
    return (
        f"timely {share('timely_restart')}, verified {share('verified_recovery')}, won {share('same_level_win')}, "
        f"blames {codes['blames_click'] / n:.0%}, names cause {codes['names_cause']}/{len(recovered)} recovered, "
        f"recur {share('recurrence', recovered)}, median {median(after) if after else 0:.0f} s "
        f"{median(moves) if moves else 0:.0f} moves, actions {n_actions[0]}..{n_actions[-1]}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", nargs="+", default=["sol", "terra", "luna"])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--set", nargs="*", default=[], help="overrides, as agent.policy.propensities.skill=0.5")
    options = parser.parse_args()
    catalogue = load_catalogue()
    starts = shipped()
    certify = SolverCertifier(catalogue.layout)
    register()
    with tempfile.TemporaryDirectory() as folder, initialize_config_dir(CONF, version_base=None):
        arms: dict[str, Intervention] = {
            arm: instantiate(compose(overrides=[f"+intervention@arm={name}"]).arm, _convert_="all")
            for arm, name in ARMS.items()
        }
        for name in options.agents:
            overrides = [f"+agent=simulated/{name}", *options.set]
            agent: AgentFactory = instantiate(compose(overrides=overrides).agent, _convert_="all")
            cells: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
            for place, start in enumerate(starts):
                for arm, intervention in arms.items():
                    if intervention.covers(start.cohort):
                        for repeat in range(options.repeats):
                            seed = int(sha256_of([name, place, arm, repeat])[:15], 16)
                            outcome = run(agent, intervention, start, seed, (catalogue, certify, folder))
                            cells[start.cohort, arm].append(outcome)
            print(f"\n{agent.name}")
            for (cohort, arm), outcomes in sorted(cells.items()):
                published = PUBLISHED[name]["N" if cohort == "N" else arm]
                print(f"  {cohort} {arm}: {line(outcomes, cohort)}\n     published: {published}")


if __name__ == "__main__":
    main()
