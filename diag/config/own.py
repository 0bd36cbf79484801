"""A user's own options: the folder `conf/` where the user stands, or the one that `--config-dir` names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diag.config import CONF
from diag.errors import ConfigError

_OPTIONS = ("--config-dir", "-cd")


def with_own_conf(arguments: Sequence[str], cwd: Path) -> list[str]:
    """Return the words with `--config-dir conf` added where the user's folder holds one and the words name none.

    Raises:
        ConfigError: an option of the user's has the name of a shipped one, which would be played in its place.
    """
    named = _named(arguments)
    own = cwd / (named or "conf")
    if not own.is_dir() or own.resolve() == CONF.resolve():
        return list(arguments)
    _refuse_hidden(own)
    return list(arguments) if named else ["--config-dir", str(own), *arguments]


def _named(arguments: Sequence[str]) -> str | None:
    for place, word in enumerate(arguments):
        option, equals, value = word.partition("=")
        if option in _OPTIONS:
            return value if equals else next(iter(arguments[place + 1 :]), None)
    return None


def _refuse_hidden(own: Path) -> None:
    for path in sorted(own.glob("**/*.yaml")):
        place = path.relative_to(own)
        if len(place.parts) > 1 and (CONF / place).is_file():
            raise ConfigError(
                f"{path}: found the name of a shipped option, which hides it; wanted a name of its own, "
                f"as in {place.with_stem(f'my_{place.stem}')}"
            )
