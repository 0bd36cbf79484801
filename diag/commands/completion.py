"""`python -m diag completion bash|zsh|fish`: completion of `diag` and `python -m diag`, for a shell's start-up file.

    eval "$(python -m diag completion bash)"        zsh likewise; fish: python -m diag completion fish | source
    diag +exp<TAB>        python -m diag mode=<TAB>

The words (commands, experiments, agents, modes, keys) are listed once, so that a completion starts no Python. Hydra's
own completion does not know programs that are started with `python -m`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from diag.app.dispatch import command_names
from diag.app.explain import group_options, known_keys
from diag.config import CONF, Mode
from diag.terminal import Words, say

_CHOICES = ("agent", "suite", "execution", "tracking", "clock")
_OPTIONS = ("--multirun", "--cfg", "--config-dir", "--help")

_BASH = """diag() {{ {python} -m diag "$@"; }}
_diag_words={words}
_diag_complete() {{ COMPREPLY=($(compgen -W "$_diag_words" -- "${{COMP_WORDS[COMP_CWORD]}}")); }}
_diag_python() {{
  COMPREPLY=()
  [ "$COMP_CWORD" -lt 3 ] || [ "${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}" != "-m diag" ] || _diag_complete
}}
COMP_WORDBREAKS=${{COMP_WORDBREAKS//=}}
complete -o nospace -o default -F _diag_complete diag
complete -o nospace -o bashdefault -o default -F _diag_python python python3
"""
_FISH = """function diag; {python} -m diag $argv; end
set -g _diag_words {words}
function _diag_python
  set -l typed (commandline -opc)
  test (count $typed) -ge 3; and test "$typed[2] $typed[3]" = "-m diag"
end
complete -c diag -a '$_diag_words'
complete -c python -n _diag_python -a '$_diag_words'
complete -c python3 -n _diag_python -a '$_diag_words'
"""
_ZSH = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"


def main(arguments: Sequence[str]) -> int:
    """Print the script; return 0."""
    parser = Words("completion", __doc__)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    shell = parser.parse_args(arguments).shell
    python, found = quote(sys.executable), words()
    if shell == "fish":
        script = _FISH.format(python=python, words=" ".join(map(quote, found)))
    else:
        script = (_ZSH if shell == "zsh" else "") + _BASH.format(python=python, words=quote(" ".join(found)))
    say(script.removesuffix("\n"))
    return 0


def words(conf: Path = CONF) -> tuple[str, ...]:
    """Return everything that can stand on the command line."""
    experiments = (f"+experiment={name}" for name in group_options(conf, "experiment"))
    chosen = (f"{group}={name}" for group in _CHOICES for name in group_options(conf, group))
    keys = (f"{key}=" for key in known_keys() if "_target_" not in key)
    modes = (f"mode={mode.value}" for mode in Mode)
    return tuple(dict.fromkeys((*command_names(), *experiments, *chosen, *modes, *_OPTIONS, *keys)))
