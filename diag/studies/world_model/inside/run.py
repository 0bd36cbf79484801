"""What the jail runs: a model's predictions, a search in a model, or an agent's own code.

`/in/job.json` says which. Predictions and plans go to the first descriptor, one JSON line each, and what the model
itself prints goes nowhere. The agent's own code prints as it likes.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from . import machine as machines
from . import search, wmlib


def main() -> None:
    """Do the job."""
    job = json.loads(Path("/in/job.json").read_text())
    {"predict": _predict, "plan": _plan, "python": _python}[job["mode"]](job)


def _predict(job: dict[str, Any]) -> None:
    out = _private_output()
    model = _loaded(job, out)
    for number, one in enumerate(job["attempts"] if model else ()):
        grid = machines.grid_of(one["grid"])
        for place, found in enumerate(machines.predictions(model, one["level"], grid, one["actions"])):
            _say(out, {"attempt": number, "place": place, **found})


def _plan(job: dict[str, Any]) -> None:
    out = _private_output()
    model = _loaded(job, out)
    if model:
        _say(out, search.plan(model, job, machines.grid_of(job["grid"])))


def _loaded(job: dict[str, Any], out: TextIO) -> Any:
    sys.path.insert(0, "/model")
    sys.dont_write_bytecode = True
    try:
        return machines.load(job["call_s"])
    except machines.Fault as error:
        _say(out, {"status": "fault", "fault": str(error), "import": True})
        return None


def _python(job: dict[str, Any]) -> None:
    sys.modules["wmlib"] = wmlib
    sys.path.insert(0, "/job")
    sys.dont_write_bytecode = True
    names: dict[str, Any] = {"__name__": "__main__", "np": np, "wmlib": wmlib, "grid": wmlib.current_grid()}
    try:
        exec(compile(job["code"], "code", "exec"), names)  # noqa: S102 - running the agent's code is what the jail is for
    except SystemExit:
        pass
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()


def _private_output() -> TextIO:
    """Return the run's output, and leave the model none."""
    out = os.fdopen(os.dup(1), "w")
    nowhere = os.open("/dev/null", os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return out


def _say(out: TextIO, data: dict[str, Any]) -> None:
    out.write(json.dumps(data) + "\n")
    out.flush()
