"""The host's side of running an agent's code: its model and its scripts, in the jail that exists and nowhere else.

A model is a set of files. What it says of a level is a function of those files, the first grid, and the actions, so
answers are kept: nothing is asked twice. A run that hangs, raises, ends itself or prints without end is a verdict on
the model. The host compares; a model never sees the frame that it is judged by.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diag.agents.code_execution.sandbox import Ended, SandboxLimits, run_python
from diag.studies.world_model.history import Grid, action_json, action_of, grid_of
from diag.studies.world_model.inside import machine
from diag.studies.world_model.verifier import Predicted
from diag.studies.world_model.workspace import Files, digest_of, read_folder, write_folder
from games.contract import JsonObject
from games.grid.actions import GridAction

INSIDE = Path(__file__).parent / "inside"
_START = ("-I", "-B", "-c", "import sys; sys.path[:0] = ['/packages', '/in']; from inside.run import main; main()")


@dataclass(frozen=True)
class Replay:
    """A line of play that a model is asked about."""

    level: int
    grid: Grid
    actions: tuple[GridAction, ...]


@dataclass(frozen=True)
class Searched:
    """What a search came to."""

    status: str
    """found, none, limit, fault, replay: see `inside/search.py`."""
    fault: str = ""
    actions: tuple[GridAction, ...] = ()


@dataclass(frozen=True)
class Script:
    """What an agent's own code came to."""

    output: str
    files: Files
    """The workspace afterwards."""


@dataclass
class Jailed:
    """Runs code for one attempt."""

    limits: SandboxLimits = field(default_factory=SandboxLimits)
    call_s: float = 2.0
    """Most seconds of one call of a model's function."""
    n_runs: int = field(default=0, init=False)
    _known: dict[tuple[str, int, bytes], dict[tuple[GridAction, ...], Predicted]] = field(
        default_factory=dict, init=False
    )

    def predict(self, model: Files, replays: Sequence[Replay]) -> list[tuple[Predicted, ...]]:
        """Return, for each line, what the model says of its first state and of the state after each action."""
        digest = digest_of(model)
        asked = [one for one in replays if not self._is_known(digest, one)]
        if asked:
            lines, why = self._asked(model, {"mode": "predict", "attempts": [_line_json(one) for one in asked]})
            for number, one in enumerate(asked):
                self._keep(digest, one, [line for line in lines if line.get("attempt") == number], _verdict(lines, why))
        return [self._states(digest, one) for one in replays]

    def plan(
        self, model: Files, line: Replay, plain: Sequence[str], *, method: str, states: int, seconds: float
    ) -> Searched:
        """Search the model from the end of a line; what it says of the plan's states is kept."""
        job = {"mode": "plan", **_line_json(line), "plain": list(plain), "method": method, "states": states,
               "seconds": seconds}  # fmt: skip
        lines, why = self._asked(model, job)
        if not lines:
            return Searched("fault", why or "the model's process ended early")
        found = lines[-1]
        try:
            actions = tuple(action_of(one) for one in found.get("actions", ()))
            steps = [_predicted(one) for one in found.get("steps", ())]
        except (TypeError, AttributeError, ValueError):  # a model that got hold of the output
            return Searched("fault", "the search's answer cannot be read")
        whole = (*line.actions, *actions)
        for place, step in enumerate(steps[: len(whole) + 1]):
            self._answers(digest_of(model), line).setdefault(whole[:place], step)
        return Searched(str(found.get("status")), str(found.get("fault") or ""), actions)

    def script(self, code: str, files: Files, evidence: Path) -> Script:
        """Run an agent's own code on its workspace, with the evidence to read."""
        with tempfile.TemporaryDirectory(prefix="diag-model-", ignore_cleanup_errors=True) as folder:
            scratch = _scratch(Path(folder))
            write_folder(scratch / "job", files)
            ended = self._run(scratch, {"mode": "python", "code": code}, ((str(evidence), "/evidence"),))
            output = ended.text if ended.why is None else f"{ended.text.rstrip()}\n[{ended.why}]"
            return Script(output.strip(), read_folder(scratch / "job"))

    def _asked(self, model: Files, job: JsonObject) -> tuple[list[dict[str, Any]], str | None]:
        with tempfile.TemporaryDirectory(prefix="diag-model-", ignore_cleanup_errors=True) as folder:
            scratch = _scratch(Path(folder))
            write_folder(scratch / "model", model)
            ended = self._run(scratch, {**job, "call_s": self.call_s}, ((str(scratch / "model"), "/model"),))
        return _lines(ended.text), ended.why

    def _run(self, scratch: Path, job: JsonObject, given: tuple[tuple[str, str], ...]) -> Ended:
        self.n_runs += 1
        (scratch / "in" / "job.json").write_text(json.dumps(job))
        shutil.copytree(INSIDE, scratch / "in" / "inside", ignore=shutil.ignore_patterns("__pycache__"))
        return run_python(scratch, ((str(scratch / "in"), "/in"), *given), _START, self.limits)

    def _answers(self, digest: str, line: Replay) -> dict[tuple[GridAction, ...], Predicted]:
        return self._known.setdefault((digest, line.level, line.grid.tobytes()), {})

    def _is_known(self, digest: str, line: Replay) -> bool:
        known = self._answers(digest, line)
        return all(line.actions[:place] in known for place in range(len(line.actions) + 1))

    def _states(self, digest: str, line: Replay) -> tuple[Predicted, ...]:
        known = self._answers(digest, line)
        return tuple(known[line.actions[:place]] for place in range(len(line.actions) + 1))

    def _keep(self, digest: str, line: Replay, lines: Sequence[dict[str, Any]], verdict: str) -> None:
        """Keep what was answered; a state that was not answered failed for the reason that the run ended."""
        known = self._answers(digest, line)
        found = {one.get("place"): one for one in lines}
        for place in range(len(line.actions) + 1):
            said = found.get(place)
            answer = Predicted(faults=(verdict,)) if said is None else _predicted(said)
            known.setdefault(line.actions[:place], answer)


def _scratch(folder: Path) -> Path:
    for name in ("root", "job", "in", "model"):
        (folder / name).mkdir()
    return folder


def _lines(text: str) -> list[dict[str, Any]]:
    """Return the lines that are JSON objects; a model that got hold of the output may have written others."""
    found = []
    for line in text.split("\n"):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict):
            found.append(data)
    return found


def _verdict(lines: Sequence[dict[str, Any]], why: str | None) -> str:
    broken = next((str(one.get("fault")) for one in lines if one.get("import")), None)
    return (broken or why or "the model's process ended early")[: machine.LONGEST]


def _line_json(line: Replay) -> JsonObject:
    grid = machine.text_of(line.grid)
    return {"level": line.level, "grid": grid, "actions": [action_json(one) for one in line.actions]}


def _predicted(said: Mapping[str, Any]) -> Predicted:
    faults = tuple(str(said[name]) for name in said if name == "fault" or name.endswith("_fault"))
    variants = said.get("variants") or ()
    outcome = said.get("outcome")
    return Predicted(
        _grid(said.get("render")),
        tuple(_grid(one) for one in variants) if isinstance(variants, list) else (),
        outcome if isinstance(outcome, str) else None,
        faults,
    )


def _grid(text: Any) -> Grid | None:
    try:
        return grid_of(machine.grid_of(text)) if isinstance(text, str) else None
    except ValueError:
        return None
