"""Errors that a user meets: one line, what was found and what was wanted, no traceback, a non-zero exit code."""

from __future__ import annotations

from diag.foreign_text import neutral, without_credentials


class DiagError(Exception):
    """Something a user can put right. The message is one line; `exit_code` is what the process returns."""

    exit_code = 2


class ConfigError(DiagError):
    """A key, a value or a name in the configuration."""


class IdentityError(DiagError):
    """A study folder holds a plan made under another identity."""


class StudyLocked(DiagError):
    """Another process is running this study."""


class CorruptRecord(DiagError):
    """A file of a study is not what was written. No number is computed from it."""

    exit_code = 3


class StorageError(DiagError):
    """The outputs folder cannot be written: full, read-only or not a folder."""

    exit_code = 4


class StudyFailed(DiagError):
    """No attempt of a study ever ran."""

    exit_code = 5


class IncompleteStudy(DiagError):
    """A study that a launcher ran in another process has units without a valid attempt."""

    exit_code = 1


def one_line(error: BaseException) -> str:
    """Return an error's message on one line; its type's name if it says nothing."""
    return without_credentials(neutral(" ".join(str(error).split()))) or type(error).__name__
