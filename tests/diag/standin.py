"""A stand-in for tests of the study machinery: real checkpoints of Maze Paint boards and an agent that plays at sight.

The cohorts have the design of RQ2 (24 D blocks from seven levels, 12 N blocks of one level), so plans, units and
clusters are those of the study; the boards are all solvable, so certificates are stand-ins too.

    python standin.py FOLDER      writes the library
"""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from checkpoints.controller import action_of
from checkpoints.store import Checkpoint, Library, PrefixTurn, save_library
from diag.records import InfrastructureFailure
from diag.session.contract import Decision, Observation, PublicContext
from games.catalogue import Catalogue, load_catalogue
from games.contract import LevelId
from games.digest import state_digest
from games.registry import game_named

GAME = "maze_paint"
D_LEVELS = {2: 4, 3: 4, 4: 4, 5: 3, 6: 3, 7: 3, 8: 3}


def standin_library(folder: Path) -> Library:
    """Return 24 D and 12 N checkpoints, made the same way each time."""
    catalogue = load_catalogue(None)
    places = [("D", number, depth) for number, n in D_LEVELS.items() for depth in range(1, n + 1)]
    places += [("N", 1, depth) for depth in range(12)]
    return Library("standin", tuple(_checkpoint(catalogue, *place) for place in places), folder)


def _checkpoint(catalogue: Catalogue, cohort: str, number: int, depth: int) -> Checkpoint:
    game, level = game_named(GAME), LevelId(GAME, "hard", number)
    state = game.initial_state(catalogue.layout(level))
    rng = np.random.default_rng(number)
    moves = []
    for _ in range(depth):
        moves.append(game.legal_moves(state)[int(rng.integers(len(game.legal_moves(state))))])
        state = game.step(state, moves[-1])
    written = game.state_to_json(state)
    return Checkpoint(
        checkpoint_id=f"{cohort}-hard{number}-{depth:02d}",
        cohort=cohort,  # type: ignore[arg-type]
        level=level,
        layout=catalogue.level(level).layout_json,
        state=written,
        state_digest=state_digest(level, written),
        moves=tuple(game.move_to_json(move) for move in moves),
        prefix=tuple(PrefixTurn({"name": "key", "key": "a"}, "done", None) for _ in moves),
        certificate={"kind": "dead_end", "mechanism": "stand-in", "states_closed": 1}
        if cohort == "D"
        else {"kind": "solvable"},
        restart_solution=(),
        pixels={},
        provenance={"stand_in": True},
    )


@dataclass(frozen=True)
class Standin:
    """Agent factory. It may break in the ways an apparatus does: see the fields."""

    name: str = "standin"
    restart_when_told: float = 0.9
    latency_s: float = 15.0
    sleep_s: float = 0.0
    """Real seconds per decision."""
    break_share: float = 0.0
    """Share of attempts whose endpoint fails (by unit seed; the first attempt only, if `marks` is a folder)."""
    marks: str | None = None
    """Folder where broken attempts leave a mark, so that the second try of a unit works."""
    kill_worker: bool = False
    """Break by killing the process instead of raising."""
    simulated: bool = True
    privilege: str = "none"

    def build(self, seed: int) -> StandinAgent:
        """Return an agent; fail as configured."""
        if (seed % 1000) / 1000 < self.break_share and self._first_time(seed):
            if self.kill_worker:
                os.kill(os.getpid(), signal.SIGKILL)
            raise InfrastructureFailure("api", "the stand-in endpoint is down")
        return StandinAgent(self, np.random.default_rng(seed))

    def identity(self) -> dict[str, object]:
        """Return what can change an outcome."""
        return {"restart_when_told": self.restart_when_told, "latency_s": self.latency_s}

    def _first_time(self, seed: int) -> bool:
        if self.marks is None:
            return True
        mark = Path(self.marks) / str(seed)
        found = mark.exists()
        mark.touch()
        return not found


class StandinAgent:
    """Restarts when it is told of a dead end, else plays any visible move."""

    reads_scene = True
    simulated = True
    privilege = "none"

    def __init__(self, settings: Standin, rng: np.random.Generator) -> None:
        self.name = settings.name
        self._settings, self._rng = settings, rng
        self._decided = False

    def decide(self, observation: Observation) -> Decision:
        """Return one action."""
        if self._settings.sleep_s:
            time.sleep(self._settings.sleep_s)
        scene = observation.scene
        assert scene is not None
        told = "No legal relocation" in observation.context.instruction
        latency_s = self._settings.latency_s * (1 + float(self._rng.random()))
        if told and not self._decided and self._rng.random() < self._settings.restart_when_told:
            self._decided = True
            x, y, width, height = next(one["rect"] for one in scene["controls"] if one["id"] == "restart")
            return Decision(
                ({"name": "click", "x": int(x + width / 2), "y": int(y + height / 2)},), "restart", latency_s
            )
        options = game_named(GAME).options(scene["board"]) if scene["board"] else ()
        if not options or scene["dialog"]:
            return Decision((), "nothing to do", latency_s, stop=True)
        chosen = options[int(self._rng.integers(len(options)))]
        return Decision(
            tuple(action_of(one) for one in chosen.gestures), "that click did nothing, try again", latency_s
        )

    def summarize(self, context: PublicContext) -> str:
        """Return a summary."""
        return f"{len(context.recent)} turns"


if __name__ == "__main__":
    save_library(standin_library(Path(sys.argv[1])), {})
