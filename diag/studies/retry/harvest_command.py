"""`python -m diag harvest --from FOLDER --into LIBRARY`: source failures (cohort F) for RQ3 from recorded studies.

Reads every event log below FOLDER and keeps the failures that are an agent's own: from the home screen into a certified
dead end, and out of it by its native restart. A line for each failure says whether it became a source, and if not, why.
`+experiment=rq3 study.failures=LIBRARY` retries them. `--rules-only` needs no browser; it is for suite=rules. In the
browser a source must show one picture by replay and by the fast path.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote

from checkpoints.build import Builder, browser_pages
from checkpoints.controller import RestorationFailure
from checkpoints.failures import RefusedSource, SourceFailure, certified, library_of, replays_to_empty_hands
from checkpoints.store import Checkpoint, Library, save_library
from diag.errors import ConfigError
from diag.studies.retry.harvest import failures_below
from diag.terminal import Words, say
from games.catalogue import Catalogue, load_catalogue
from games.digest import state_digest

LOST_HAND = "its history, replayed, does not end on the failed board with nothing lifted"
TWICE = "the same failed board as one before"


def main(arguments: Sequence[str]) -> int:
    """Harvest, say what became of each failure, write the library.

    Raises:
        ConfigError: the folder does not exist or holds no source failure.
        LogError: an event log is damaged.
    """
    chosen = _chosen(arguments)
    if not chosen.recorded.is_dir():
        raise ConfigError(f"--from: found {chosen.recorded}, wanted a folder of recorded sessions")
    catalogue = load_catalogue(chosen.levels)
    found = _kept(failures_below(chosen.recorded), catalogue)
    library, pictures = _library(found, catalogue, chosen.into, rules_only=chosen.rules_only)
    if not library.checkpoints:
        raise ConfigError(f"no source failure below {chosen.recorded}")
    save_library(library, pictures)
    players = Counter(str(one.provenance["player"]) for one in library.checkpoints)
    named = ", ".join(f"{name} {n}" for name, n in sorted(players.items()))
    say(f"{chosen.into}: {len(library.checkpoints)} sources ({named})")
    rules = " suite=rules" if chosen.rules_only else ""
    say(f"python -m diag +experiment=rq3 {quote(f'study.failures={chosen.into}')}{rules}")
    return 0


def why_not(failure: SourceFailure, catalogue: Catalogue, known: Iterable[str]) -> str | None:
    """Return why a failure becomes no source; None if it can be one.

    Args:
        failure: what a record shows.
        catalogue: its levels.
        known: digests of failed boards that there is a source of already.
    """
    try:
        certified(failure, catalogue)
    except RefusedSource as error:
        return str(error)
    if not replays_to_empty_hands(failure, catalogue):
        return f"{failure.level}: {LOST_HAND}"
    return f"{failure.level}: {TWICE}" if state_digest(failure.level, failure.state) in known else None


def _kept(failures: Iterable[SourceFailure], catalogue: Catalogue) -> list[SourceFailure]:
    """Return the failures that become sources, each said with its origin."""
    kept: dict[str, SourceFailure] = {}
    for failure in failures:
        reason = why_not(failure, catalogue, kept)
        origin = f"{failure.provenance.get('study')} {failure.provenance.get('unit_id')}"
        if reason is None:
            kept[state_digest(failure.level, failure.state)] = failure
        became = f"{failure.level}: a source" if reason is None else reason
        say(f"{origin}, after {len(failure.turns)} actions: {became}")
    return list(kept.values())


def _library(
    found: Sequence[SourceFailure], catalogue: Catalogue, folder: Path, *, rules_only: bool
) -> tuple[Library, dict[str, bytes]]:
    """Return the library; with a browser, each source is replayed there and keeps its last pictures."""
    if rules_only or not found:
        return library_of(found, catalogue, name=folder.name, folder=folder, builder=None)
    with browser_pages(catalogue) as (open_page, build):
        return _seen(found, Builder(catalogue, open_page, build, say), folder)


def _seen(found: Sequence[SourceFailure], builder: Builder, folder: Path) -> tuple[Library, dict[str, bytes]]:
    """Return the sources whose restart was verified in the browser, numbered as they are kept; say what was not."""
    kept: list[Checkpoint] = []
    pictures: dict[str, bytes] = {}
    for failure in found:
        try:
            one, shown = library_of([failure], builder.catalogue, name=folder.name, folder=folder, builder=builder)
        except RestorationFailure as error:
            say(f"{failure.level}, after {len(failure.turns)} actions: no source in the browser: {error}")
            continue
        kept.append(replace(one.checkpoints[0], checkpoint_id=f"F{len(kept) + 1:02d}"))
        pictures |= shown
    return Library(folder.name, tuple(kept), folder), pictures


def _chosen(arguments: Sequence[str]) -> argparse.Namespace:
    parser = Words("harvest", __doc__)
    parser.add_argument("--from", dest="recorded", type=Path, required=True, help="folder with recorded sessions")
    parser.add_argument("--into", type=Path, required=True, help="folder of the library to write")
    parser.add_argument("--levels", type=Path, default=None, help="level pack that was played (the shipped levels)")
    parser.add_argument("--rules-only", action="store_true", help="no pictures; the library holds for suite=rules")
    return parser.parse_args(arguments)
