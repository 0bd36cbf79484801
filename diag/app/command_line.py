"""The application: composes a configuration with Hydra, runs the mode, turns every error into one line and a code."""

from __future__ import annotations

import difflib
import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from shlex import join

import hydra
from omegaconf import DictConfig

from diag.app.dispatch import command_names, run_command
from diag.app.door import as_hydra_reads
from diag.app.explain import explain
from diag.app.listing import long_help, short_help
from diag.app.signals import Interrupted, interruptions
from diag.config import CONF, Mode
from diag.config.own import with_own_conf
from diag.config.unknown import refuse_unknown
from diag.errors import ConfigError, CorruptRecord, DiagError, IncompleteStudy, one_line
from diag.records.sealed import storage_error
from diag.studies.registry import register
from diag.terminal import complain, say

INTERRUPTED = 130
USAGE = 2
_FOLDER_ERRORS = (PermissionError, NotADirectoryError, FileExistsError, IsADirectoryError)
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ENAMETOOLONG)
_SHOW_TRACEBACKS = "HYDRA_FULL_ERROR"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, by default this process's own, and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    wants_traceback = os.environ.get(_SHOW_TRACEBACKS, "0") not in ("", "0")
    try:
        with interruptions():
            return _run(arguments)
    except KeyboardInterrupt as interrupt:
        complain("interrupted; what is finished is kept, and the same command goes on from there")
        return interrupt.exit_code if isinstance(interrupt, Interrupted) else INTERRUPTED
    except Exception as error:
        known = None if wants_traceback else _known(error, arguments)
        if known is None:
            raise
        complain(f"error: {known}")
        return known.exit_code


def _run(arguments: Sequence[str]) -> int:
    if arguments and arguments[0].replace("-", "_").isidentifier() and arguments[0] in command_names():
        return run_command(arguments[0], arguments[1:])
    if list(arguments) in (["--help"], ["-h"]):
        say(long_help())
        return 0
    if arguments and arguments[0].isidentifier():
        raise ConfigError(_unknown_command(arguments[0], arguments[1:]))
    return _studies(arguments)


def _unknown_command(found: str, others: Sequence[str]) -> str:
    rest = join(others) or "+experiment=NAME"
    if found == "run":
        return f"no command 'run': a study has no command word; drop it: python -m diag {rest}"
    if found in (mode.value for mode in Mode):
        return f"no command {found!r}: it is a mode; wanted python -m diag {rest} mode={found}"
    near = difflib.get_close_matches(found, command_names(), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"no command {found!r}; wanted key=value, or one of {', '.join(command_names())}{hint}"


def _known(error: BaseException, typed: Sequence[str] = ()) -> DiagError | None:
    """Return the one-line form of an error that a user can put right; None for a fault of the program."""
    from checkpoints.store import UnknownCheckpoint

    found = explain(error, CONF, typed)
    if found is not None:
        return found
    damaged, wrong = _data_errors()
    if isinstance(error, UnknownCheckpoint):
        return ConfigError(one_line(error))
    if isinstance(error, damaged):
        return CorruptRecord(one_line(error))
    if isinstance(error, wrong):
        return DiagError(one_line(error))
    if isinstance(error, OSError) and (isinstance(error, _FOLDER_ERRORS) or error.errno in _DISK_ERRORS):
        return storage_error(error.filename or "a file of the study", error)
    return None


def _data_errors() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """Return the errors of damaged data, and those of a machine or a pack that cannot do what was asked."""
    from checkpoints.controller import RestorationFailure
    from checkpoints.store import CheckpointError
    from diag.records import InfrastructureFailure
    from diag.records.event_log import LogError
    from games.contract import LevelError
    from games.suite.browser import BrowserMissing
    from solvers.certificate import CertificateError

    damaged: list[type[Exception]] = [CheckpointError, LogError, RestorationFailure, CertificateError]
    if "diag.grading.table" in sys.modules:  # only an analysis, which has imported it, can raise this
        damaged.append(sys.modules["diag.grading.table"].TableError)
    return tuple(damaged), (BrowserMissing, LevelError, InfrastructureFailure)


def _studies(arguments: Sequence[str]) -> int:
    """Let Hydra compose and run: once, or once per value with --multirun."""
    register()
    codes: list[int] = []
    failures: list[Exception] = []
    job = hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")(_job(codes, failures, Path.cwd()))
    before = sys.argv, os.environ.get(_SHOW_TRACEBACKS, "")
    sys.argv, os.environ[_SHOW_TRACEBACKS] = (
        ["python -m diag", *as_hydra_reads(with_own_conf(arguments, Path.cwd()))],
        "1",
    )  # errors come as they are
    try:
        job()
    finally:
        sys.argv, os.environ[_SHOW_TRACEBACKS] = before
    for failure in failures[1:]:
        complain(f"error: {_known(failure) or failure!r}")
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
    from diag.app.display import Display
    from diag.app.modes import run_mode
    from diag.app.setup import prepare

    mode: Mode = config.mode
    return run_mode(mode, prepare(config, cwd=cwd), Display())
