"""What users type, before Hydra reads it: options before overrides, and names that Hydra would take for values."""

from __future__ import annotations

from collections.abc import Sequence

from diag.app.dispatch import command_names
from diag.config.quoting import as_typed
from diag.errors import ConfigError
from diag.studies.registry import known_text_keys

_OPTIONS_WITH_VALUE = frozenset(
    ("--config-dir", "-cd", "--config-path", "-cp", "--config-name", "-cn", "--package", "-p", "--cfg", "-c")
)


def as_hydra_reads(arguments: Sequence[str]) -> list[str]:
    """Return the command line in the form in which Hydra understands it as it was meant.

    Raises:
        ConfigError: a bare word, which is neither a command nor `key=value`.
    """
    options, overrides = _apart(arguments)
    for word in overrides:
        if "=" not in word and not word.startswith("~"):
            raise ConfigError(f"found {word!r}, wanted key=value, or first a command: {', '.join(command_names())}")
    text = known_text_keys()
    return options + [as_typed(override, text) for override in overrides]


def _apart(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return `--options` and overrides: argparse takes overrides only in one run, users mix them."""
    options: list[str] = []
    overrides: list[str] = []
    takes_value = False
    for argument in arguments:
        is_option = argument.startswith("-") and argument != "-"
        (options if is_option or takes_value else overrides).append(argument)
        takes_value = is_option and argument in _OPTIONS_WITH_VALUE
    return options, overrides
