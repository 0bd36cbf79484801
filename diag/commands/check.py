"""`python -m diag check FOLDER`: every YAML of your own composed, planned, and two units of it run on the rules.

No model is asked: where an experiment's agent is a model, `simulated/sol` plays in its place. Nothing is kept.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diag.app.command_line import main as run_words
from diag.config import CONF
from diag.errors import ConfigError
from diag.reading.frames import load
from diag.terminal import Words, say

N_UNITS = 2
STAND_IN = "simulated/sol"
ARM = "X"
"""Where an intervention is put."""
_COMMON = ("suite=rules", "tracking=none", "execution.n_jobs=1", "execution.progress=false", "study.analysis.draws=100")


@dataclass(frozen=True)
class Checked:
    """What became of one file: the error in words, or how far it was taken."""

    name: str
    words: str
    good: bool


def main(arguments: Sequence[str]) -> int:
    """Check every file and print a line for each; return 0 if all are good, else 2."""
    parser = Words("check", __doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("conf"), help="your options; default: conf/")
    own = parser.parse_args(list(arguments)).folder
    files = sorted(own.glob("*/**/*.yaml")) if own.is_dir() else []
    if not files:
        raise ConfigError(f"{own}: found no GROUP/NAME.yaml in it, wanted a folder as for --config-dir")
    n_bad = 0
    for path in files:
        found = _checked(own, path.relative_to(own))
        n_bad += not found.good
        say(f"{'good' if found.good else 'BAD '}  {found.name}: {found.words}")
    say(f"{len(files) - n_bad} of {len(files)} files are good; nothing was sent to a model and nothing was kept")
    return 2 if n_bad else 0


def _checked(own: Path, place: Path) -> Checked:
    group, option = place.parts[0], place.with_suffix("").relative_to(place.parts[0]).as_posix()
    conf = ("--config-dir", str(own))
    if group == "experiment":
        return _tried(str(place), (*conf, f"+experiment={option}"))
    if group == "intervention":
        return _as_an_arm(str(place), conf, option)
    if (CONF / group).is_dir():
        return _tried(str(place), (*conf, "+experiment=rq2", f"{group}={option}"))
    groups = ", ".join(sorted(one.name for one in CONF.iterdir() if one.is_dir()))
    return Checked(str(place), f"found the group {group!r}, wanted one of {groups}", good=False)


def _as_an_arm(name: str, conf: Sequence[str], option: str) -> Checked:
    """Try an intervention in the shipped studies, RQ2 first; where it fits none, RQ2 says why."""
    studies = sorted(
        (path.stem for path in (CONF / "experiment").glob("*.yaml")), key=lambda stem: (stem != "rq2", stem)
    )
    first = None
    for study in studies:
        arm = f"+intervention@study.arms.{ARM}={option}"
        found = _tried(name, (*conf, f"+experiment={study}", arm), note=f"as an arm of {study}; ")
        if found.good:
            return found
        first = first or found
    assert first is not None
    return first


def _tried(name: str, words: Sequence[str], note: str = "") -> Checked:
    """Plan the whole study, then run the first units, those of an added arm where there is one."""
    with tempfile.TemporaryDirectory() as folder:
        common = (*words, *_COMMON, f"outputs={folder}/plan")
        code, error = _silently((*common, "mode=plan"))
        if code:
            return Checked(name, error, good=False)
        (planned,) = (load(path.parent) for path in Path(folder, "plan").glob("*/*/plan.json"))
        stands_in = () if planned.plan.identity["agent"]["simulated"] else (f"agent={STAND_IN}",)
        units = [unit for unit in planned.plan.units if unit.arm == ARM] or list(planned.plan.units)
        chosen = ",".join(unit.unit_id for unit in units[:N_UNITS])
        run = (*words, *_COMMON, *stands_in, f"outputs={folder}/run", "--only", chosen)
        code, error = _silently((*run, "mode=all"))
        if code:
            return Checked(name, error, good=False)
    player = f", played by {STAND_IN}" if stands_in else ""
    played = min(N_UNITS, len(units))
    return Checked(name, f"{note}{len(planned.plan.units)} units planned, {played} ran on the rules{player}", good=True)


def _silently(words: Sequence[str]) -> tuple[int, str]:
    """Return the exit code, and the last line said of what went wrong."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = run_words(words)
    said = [line for line in errors.getvalue().splitlines() if line.strip()] or [f"ended with exit code {code}"]
    return code, said[-1].removeprefix("error: ")
