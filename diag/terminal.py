"""What every command of `python -m diag` shares: saying a line, and reading `key=value` words.

Whatever it says is neutral: a file or an endpoint that put control characters into a text does not reach the terminal.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO

from diag.errors import ConfigError
from diag.foreign_text import neutral


def say(line: object) -> None:
    """Write a line to standard output and flush it."""
    sys.stdout.write(f"{neutral(str(line))}\n")
    sys.stdout.flush()


def complain(line: object, out: TextIO | None = None) -> None:
    """Write a line to standard error, or to what stands for it, and flush it."""
    out = out or sys.stderr
    out.write(f"{neutral(str(line))}\n")
    out.flush()


class Words(argparse.ArgumentParser):
    """A command's words in one style, `key=value`, as studies have them; flags such as `--solve` are bare.

    `--key value` and `--key=value` are read as well, because that is what a shell's user tries first.
    """

    def __init__(self, name: str, description: str | None) -> None:
        form = argparse.RawDescriptionHelpFormatter
        super().__init__(f"python -m diag {name}", description=description, formatter_class=form, allow_abbrev=False)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the words, whichever style they have."""
        given = sys.argv[1:] if args is None else args
        return super().parse_known_args([self._as_option(word) for word in given], namespace)

    def _as_option(self, word: str) -> str:
        key, equals, value = word.partition("=")
        if not equals or key.startswith("-"):
            return word
        if any(key == one.dest for one in self._get_positional_actions()):
            return value
        option = f"--{key.replace('_', '-')}"
        if option in self._option_string_actions:
            return f"{option}={value}"
        if key.isidentifier() and not Path(word).exists():
            known = [name.removeprefix("--") for name in self._option_string_actions if name.startswith("--")]
            near = difflib.get_close_matches(key, known, n=1)
            self.error(f"found {word!r}, which is no option of it{f'; did you mean {near[0]}=?' if near else ''}")
        return word

    def format_help(self) -> str:
        """Return the help with the options in the one style."""
        return _one_style(super().format_help())

    def format_usage(self) -> str:
        """Return the usage line with the options in the one style."""
        return _one_style(super().format_usage())

    def error(self, message: str) -> NoReturn:
        """Refuse in one line. Raises ConfigError."""
        usage = " ".join(self.format_usage().split()).removeprefix("usage: ")
        raise ConfigError(f"{self.prog.removeprefix('python -m diag ')}: {message}; wanted {usage}")


def _one_style(text: str) -> str:
    return re.sub(r"--([a-z-]+) ([A-Z][A-Z_]*|\{[^}]*\})(  )?", r"\1=\2\3\3", text)


def options(arguments: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """Return the known keys with the values given, as `key=value`, `--key=value` or `--key value`, or their defaults.

    Raises:
        ConfigError: an argument is no `key=value`, or its key is not known.
    """
    found = dict(known)
    words = iter(arguments)
    for argument in words:
        key, equals, value = argument.removeprefix("--").partition("=")
        if argument.startswith("--") and not equals and key in known:
            equals, value = "=", next(words, "")
        if not equals or key not in known:
            near = difflib.get_close_matches(key, list(known), n=1)
            hint = f"; did you mean {near[0]}=?" if near else ""
            raise ConfigError(f"found {argument!r}, wanted {', '.join(f'{name}=VALUE' for name in known)}{hint}")
        found[key] = value
    return found
