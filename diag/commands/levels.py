"""`python -m diag levels`: check a level pack, or draw its first boards to one picture.

levels check PACK [--solve [--limit N]]                      every fault, one a line; exit code 1 if there is one
levels render SHEET.png [--catalogue PACK] [--only GAME]     the first boards as one picture

--solve also has every level solved: one that cannot be won is a fault, and so is a stated optimum that is not the least
number of moves. What the search does not decide within N states (200000) is said and is no fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from diag.errors import ConfigError
from diag.terminal import say

if TYPE_CHECKING:
    from games.catalogue import Catalogue, Level

STATE_LIMIT = 200_000


def main(arguments: Sequence[str]) -> int:
    """Say everything that is wrong with a level pack, or draw its first boards to one picture."""
    match list(arguments):
        case ["render", _, *_]:
            from games.suite.render import main as render

            return render(arguments[1:])
        case ["check", folder]:
            return _check(folder, None)
        case ["check", folder, "--solve"]:
            return _check(folder, STATE_LIMIT)
        case ["check", folder, "--solve", "--limit", limit] if limit.isdecimal() and int(limit) > 0:
            return _check(folder, int(limit))
    found = " ".join(("levels", *arguments))
    raise ConfigError(
        f"found {found}, wanted: levels check PACK [--solve [--limit N]], or levels render SHEET.png "
        "[--catalogue PACK] [--only GAME]"
    )


def _check(folder: str, state_limit: int | None) -> int:
    """Return 0 if the pack can be played, 1 after one line per fault if not."""
    from games.catalogue import check_pack, load_catalogue

    faults: list[str] = list(check_pack(folder))
    undecided: list[str] = []
    if state_limit is not None and not faults:
        faults, undecided = unsolved(load_catalogue(folder), state_limit)
    for line in (*undecided, *faults):
        say(line)
    good = "the form of the pack is right; --solve also proves its levels" if state_limit is None else "no fault"
    say(f"{len(faults)} faults" if faults else good)
    return int(bool(faults))


def unsolved(catalogue: Catalogue, state_limit: int) -> tuple[list[str], list[str]]:
    """Return the levels that cannot be won or misstate their optimum, and those left undecided, a sentence each."""
    faults: list[str] = []
    undecided: list[str] = []
    for level in catalogue.entries:
        verdict = _verdict(catalogue, level, state_limit)
        if verdict is not None:
            (undecided if verdict.startswith("undecided") else faults).append(f"{level.id}: {verdict}")
    return faults, undecided


def _verdict(catalogue: Catalogue, level: Level, state_limit: int) -> str | None:
    """Return what is wrong with a level or not known of it; None if it is won in as many moves as it says."""
    from solvers.certificate import DeadEnd, Solvable
    from solvers.registry import registered_solvers

    solver = registered_solvers().get(level.id.game)
    if solver is None:
        return "undecided: its game has no solver"
    start = catalogue.games[level.id.game].initial_state(catalogue.layout(level.id))
    claim = solver.certify(start, state_limit=state_limit, optimal=level.exact)
    if isinstance(claim, DeadEnd):
        return "cannot be won"
    if not isinstance(claim, Solvable):
        return f"undecided within {state_limit} states"
    if level.optimum is not None and level.optimum < claim.lower_bound:
        return f"optimum: found {level.optimum}, but it takes at least {claim.lower_bound} moves"
    if not level.exact or level.optimum is None:
        return None
    if level.optimum > claim.distance:
        return f"optimum: found {level.optimum} as the least number of moves, but {claim.distance} are enough"
    return None if claim.exact else f"undecided within {state_limit} states: whether its optimum is the least"
