"""`python -m diag completion bash|zsh`: a shell function `diag` with completion, for the start-up file of a shell.

    eval "$(python -m diag completion bash)"        then:  diag +exp<TAB>

The words (commands, experiments, agents, modes, keys) are listed once, so that a completion starts no Python. Hydra's
own completion does not know programs that are started with `python -m`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from diag.app.dispatch import command_names
from diag.app.explain import group_options, known_keys
from diag.config import CONF, Mode
from diag.terminal import say

_CHOICES = ("agent", "suite", "execution", "tracking", "clock")
_OPTIONS = ("--multirun", "--cfg", "--config-dir", "--help")

_SCRIPT = """diag() {{ {python} -m diag "$@"; }}
_diag_words={words}
_diag_complete() {{ COMPREPLY=($(compgen -W "$_diag_words" -- "${{COMP_WORDS[COMP_CWORD]}}")); }}
COMP_WORDBREAKS=${{COMP_WORDBREAKS//=}}
complete -o nospace -o default -F _diag_complete diag
"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def main(arguments: Sequence[str]) -> int:
    """Print the script; return 0."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m diag completion", description=__doc__, formatter_class=form)
    parser.add_argument("shell", choices=("bash", "zsh"))
    shell = parser.parse_args(arguments).shell
    script = _SCRIPT.format(python=quote(sys.executable), words=quote(" ".join(words())))
    say(((_ZSH if shell == "zsh" else "") + script).removesuffix("\n"))
    return 0


def words(conf: Path = CONF) -> tuple[str, ...]:
    """Return everything that can stand on the command line."""
    experiments = (f"+experiment={name}" for name in group_options(conf, "experiment"))
    chosen = (f"{group}={name}" for group in _CHOICES for name in group_options(conf, group))
    keys = (f"{key}=" for key in known_keys() if "_target_" not in key)
    modes = (f"mode={mode.value}" for mode in Mode)
    return tuple(dict.fromkeys((*command_names(), *experiments, *chosen, *modes, *_OPTIONS, *keys)))
