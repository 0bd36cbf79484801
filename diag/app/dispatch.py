"""Commands that are no study, such as `list` and `show`. Found before Hydra starts.

A command is `module:function`, taking the remaining arguments and returning an exit code. A package adds its own
through the entry point group `diag.commands`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points

from diag.errors import ConfigError
from diag.terminal import say

Command = Callable[[Sequence[str]], int]

COMMANDS: Mapping[str, str] = {
    "list": "diag.commands.listing:main",
    "show": "diag.commands.show:main",
    "ui": "diag.commands.ui:main",
    "status": "diag.commands.status:main",
    "watch": "diag.commands.watch:main",
    "certify": "diag.commands.certify:main",
    "relocate": "diag.commands.relocate:main",
    "levels": "diag.commands.levels:main",
    "compare": "diag.commands.compare:main",
    "pool": "diag.commands.pool:main",
    "panel": "diag.commands.panel:main",
    "published": "diag.commands.published:main",
    "summary": "diag.summary.command:main",
    "index": "diag.commands.index:main",
    "new": "diag.scaffold.command:main",
    "completion": "diag.commands.completion:main",
    "check": "diag.commands.check:main",
    "schema": "diag.commands.schema:main",
    "reference": "diag.commands.reference:main",
    "serving": "diag.commands.serving:main",
    "export": "diag.commands.export:main",
    "agent-check": "diag.commands.agent_check:main",
    "harvest-web": "diag.commands.harvest_web:main",
    "arcade": "diag.commands.arcade:main",
}


def command_names() -> tuple[str, ...]:
    """Return the names of all commands: the core's, those of the kinds of study, and those of other packages."""
    return (*COMMANDS, *_of_kinds(), *(entry.name for entry in entry_points(group="diag.commands")))


def _of_kinds() -> dict[str, str]:
    from diag.studies.registry import kinds

    return {name: target for kind in kinds().values() for name, target in kind.commands.items()}


def find_command(name: str) -> Command:
    """Return a command. Raises ConfigError if this build does not have it."""
    target = COMMANDS.get(name) or _of_kinds().get(name)
    if target is not None:
        module, _, function = target.partition(":")
        try:
            command: Command = getattr(importlib.import_module(module), function)
        except ModuleNotFoundError as error:
            if error.name is None or not module.startswith(error.name):
                raise
            raise ConfigError(f"command {name!r} is not part of this build") from error
        return command
    entries = {entry.name: entry for entry in entry_points(group="diag.commands")}
    loaded: Command = entries[name].load()
    return loaded


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Run a command, or, asked for help, print what its module says of it. Returns the exit code."""
    command = find_command(name)
    module = sys.modules[command.__module__]
    explains_itself = hasattr(module, "Words")
    if not {"-h", "--help"}.isdisjoint(arguments) and not explains_itself:
        say((module.__doc__ or name).strip())
        return 0
    return command(arguments)
