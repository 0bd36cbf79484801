"""`python -m diag levels`: check a level pack, or draw its first boards to one picture.

levels check PACK [--solve [limit=N]]                        every fault, one a line; exit code 1 if there is one
levels render SHEET.png [catalogue=PACK] [only=GAME]         the first boards as one picture

--solve also has every level solved: one that cannot be won is a fault, and so is a stated optimum that is not the least
number of moves. What the search does not decide within N states (200000) is said and is no fault.
"""

from __future__ import annotations

from collections.abc import Sequence

from diag.errors import ConfigError
from diag.terminal import Words, say
from games.catalogue import Catalogue, Level, check_pack, load_catalogue
from games.suite.render import main as render
from solvers.certificate import DeadEnd, Solvable
from solvers.registry import registered_solvers

STATE_LIMIT = 200_000


def main(arguments: Sequence[str]) -> int:
    """Say everything that is wrong with a level pack, or draw its first boards to one picture."""
    match list(arguments):
        case ["-h" | "--help"]:
            say((__doc__ or "").strip())
            return 0
        case ["render", *others]:
            words = Words("levels render", "Draw the first boards of levels to one picture.")
            words.add_argument("sheet", help="the PNG to write")
            words.add_argument("--catalogue", help="a level pack (the shipped levels)")
            words.add_argument("--only", help="a game, a difficulty or a level of it: bolt_unscrew/hard")
            found = words.parse_args(others)
            chosen = {"--catalogue": found.catalogue, "--only": found.only}
            return render([found.sheet, *(word for pair in chosen.items() if pair[1] for word in pair)])
        case ["check", *others]:
            words = Words("levels check", "Say every fault of a level pack.")
            words.add_argument("pack", help="a folder of levels")
            words.add_argument("--solve", action="store_true", help="have every level solved, too")
            words.add_argument(
                "--limit", type=int, help=f"states a level's search may see ({STATE_LIMIT}); with --solve"
            )
            found = words.parse_args(others)
            if found.limit is not None and (found.limit < 1 or not found.solve):
                words.error(f"found limit={found.limit}, wanted a number from 1, beside --solve")
            return _check(found.pack, (found.limit or STATE_LIMIT) if found.solve else None)
    raise ConfigError(f"found {' '.join(('levels', *arguments))}, wanted levels check PACK or levels render SHEET.png")


def _check(folder: str, state_limit: int | None) -> int:
    """Return 0 if the pack can be played, 1 after one line per fault if not."""
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
