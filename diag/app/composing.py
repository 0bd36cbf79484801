"""A study's command line: composed by Hydra, checked, and run, once or once per value with --multirun."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import hydra
from omegaconf import DictConfig

from diag.app.display import Display
from diag.app.door import as_hydra_reads
from diag.app.listing import short_help
from diag.app.modes import run_mode
from diag.app.setup import prepare
from diag.config import CONF, Mode
from diag.config.own import with_own_conf
from diag.config.unknown import refuse_unknown
from diag.errors import IncompleteStudy
from diag.studies.registry import register
from diag.terminal import complain

USAGE = 2
SHOW_TRACEBACKS = "HYDRA_FULL_ERROR"


def run_studies(arguments: Sequence[str], say_failure: Callable[[Exception], None]) -> int:
    """Let Hydra compose and run; all failures but the first are said, and that one is raised."""
    register()
    codes: list[int] = []
    failures: list[Exception] = []
    job = hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")(_job(codes, failures, Path.cwd()))
    before = sys.argv, os.environ.get(SHOW_TRACEBACKS, "")
    sys.argv, os.environ[SHOW_TRACEBACKS] = (
        ["python -m diag", *as_hydra_reads(with_own_conf(arguments, Path.cwd()))],
        "1",
    )  # errors come as they are
    try:
        job()
    finally:
        sys.argv, os.environ[SHOW_TRACEBACKS] = before
    for failure in failures[1:]:
        say_failure(failure)
    if failures:
        raise failures[0]
    return max(codes, default=0)


def _job(codes: list[int], failures: list[Exception], cwd: Path) -> Callable[[DictConfig], None]:
    """Return the task for Hydra. Errors go around Hydra, which would decorate them and end a multirun at the first.

    A launcher runs the task in another process, whose lists nobody reads: there an error is raised, and so is a code.
    """
    parent_pid = os.getpid()

    def diag(config: DictConfig) -> None:
        elsewhere = os.getpid() != parent_pid
        try:
            code = _one_study(config, cwd)
            if code and elsewhere:
                raise IncompleteStudy("a study has units without a valid attempt; the same command tries them again")
            codes.append(code)
        except Exception as error:
            if elsewhere:
                raise
            failures.append(error)

    return diag


def _one_study(config: DictConfig, cwd: Path) -> int:
    refuse_unknown(config)
    if config.study is None:
        complain(short_help())
        return USAGE
    mode: Mode = config.mode
    return run_mode(mode, prepare(config, cwd=cwd), Display())
