"""`python -m diag harvest-web adapter=my.yaml [into=FOLDER]`: states of a page of yours as checkpoints of a study.

Reaches every state that the adapter asks for (`states`, `walks`) twice, refuses a page that is not the same twice and
names the first picture that differs, and writes the library that `+experiment=web env.adapter=my.yaml` starts from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from checkpoints.controller import RestorationFailure
from checkpoints.pages import UnsteadyPage, harvest
from checkpoints.store import CheckpointError
from diag.errors import ConfigError, one_line
from diag.terminal import Words, say
from games.suite.browser import BrowserMissing
from games.suite.page import PageFailure
from games.suite.server import ServerError
from games.web import Web
from games.web.adapter import AdapterError

_REFUSALS = (AdapterError, UnsteadyPage, PageFailure, RestorationFailure, ServerError, BrowserMissing, CheckpointError)


def main(arguments: Sequence[str]) -> int:
    """Harvest, say what became of each state, write the library. Raises ConfigError."""
    parser = Words("harvest-web", __doc__)
    parser.add_argument("--adapter", required=True, help="a YAML file or package.module:Class (docs/how-to/web.md)")
    parser.add_argument("--into", help="folder of the library; default: NAME-states beside the adapter")
    given = parser.parse_args(list(arguments))
    try:
        web = Web(given.adapter)
        into = Path(given.into or web.library)
        library = harvest(web, into, say)
    except _REFUSALS as error:
        raise ConfigError(
            f"{given.adapter}: {one_line(error)}".replace(f"{given.adapter}: {given.adapter}", given.adapter)
        ) from error
    cohorts = Counter(one.cohort for one in library.checkpoints)
    say(
        f"{into}: {len(library.checkpoints)} states ({', '.join(f'{name} {n}' for name, n in sorted(cohorts.items()))})"
    )
    words = [f"env.adapter={given.adapter}"]
    words += [f"catalog.library={into}"] if given.into else []
    words += [] if set(cohorts) == {"uncertified"} else [f"study.cohorts=[{','.join(sorted(cohorts))}]"]
    say(f"python -m diag +experiment=web {' '.join(quote(word) for word in words)}")
    return 0
