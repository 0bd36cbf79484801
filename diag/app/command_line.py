"""The command line: a command or a study, and every error as one line and a code.

Hydra, pandas and the kinds of study take seconds to import. A command that needs none of them does not wait for them,
so that it says at once what it does; that is why they are imported inside functions here.
"""

from __future__ import annotations

import difflib
import errno
import os
import sys
from collections.abc import Sequence
from shlex import join

from diag.app.dispatch import COMMANDS, command_names, run_command
from diag.app.signals import Interrupted, interruptions
from diag.errors import ConfigError, CorruptRecord, DiagError, one_line
from diag.proxies import spare_loopback
from diag.terminal import complain, say

INTERRUPTED = 130
_FOLDER_ERRORS = (PermissionError, NotADirectoryError, FileExistsError, IsADirectoryError)
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ENAMETOOLONG)
_SHOW_TRACEBACKS = "HYDRA_FULL_ERROR"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, by default this process's own, and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    wants_traceback = os.environ.get(_SHOW_TRACEBACKS, "0") not in ("", "0")
    spare_loopback()
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
    first = arguments[0] if arguments else ""
    if first.replace("-", "_").isidentifier() and (first in COMMANDS or first in command_names()):
        return run_command(first, arguments[1:])
    from diag.app.composing import run_studies
    from diag.app.listing import long_help

    if list(arguments) in (["--help"], ["-h"]):
        say(long_help())
        return 0
    if first.isidentifier():
        raise ConfigError(_unknown_command(first, arguments[1:]))
    return run_studies(arguments, lambda failure: complain(f"error: {_known(failure) or failure!r}"))


def _unknown_command(found: str, others: Sequence[str]) -> str:
    from diag.config import Mode

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
    if isinstance(error, DiagError):
        return error
    from checkpoints.store import UnknownCheckpoint
    from diag.app.explain import explain
    from diag.config import CONF
    from diag.records.sealed import storage_error

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
