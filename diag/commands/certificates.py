"""The certificate of one state, or the solver-value curve of a trajectory, as lines of JSON.

A state is JSON in the game's own form (`state_to_json`; `start_state` of an event log is one) or the file that holds
it; without one the level's first board is meant. A trajectory is an attempt's `events.jsonl`, or a JSON list of moves
or the file that holds one, played from that state. Claims are checked with the rules alone before they are printed;
`exhausted_search` is the exception, because its check is a search of its own (`checked` is false).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diag.errors import ConfigError
from diag.grading.log import AttemptLog, states_of
from diag.records.event_log import read_events
from diag.terminal import options, say
from games.catalogue import Catalogue, load_catalogue
from games.contract import Game, JsonObject, LevelId
from games.digest import state_digest
from solvers.certificate import Certificate, DeadEnd, Undecided
from solvers.certificate_json import certificate_to_json
from solvers.registry import solver_for
from solvers.verify import verify


@dataclass(frozen=True)
class Board:
    """One board of a trajectory."""

    number: int
    """0 is the board at the start."""
    move: Any
    """JSON of what led here: a move, another kind of transition (restart, undo), or None at the start."""
    state: JsonObject


def main(arguments: Sequence[str]) -> int:
    """Print one line per board: the certificate, the exact distance, and the regret of the move that led to it."""
    known = {"level": "", "game": "", "state": "", "trajectory": "", "levels": "", "limit": "200000"}
    given = options(arguments, known)
    if not given["limit"].isdecimal() or int(given["limit"]) < 1:
        raise ConfigError(f"found limit={given['limit']}, wanted a number of states")
    catalogue = load_catalogue(Path(given["levels"]) if given["levels"] else None)
    try:
        level, boards = _boards(given, catalogue)
        _print_curve(level, boards, catalogue, int(given["limit"]))
    except (ValueError, LookupError, OSError) as error:
        text = str(error.args[0]) if isinstance(error, KeyError) else str(error)  # a KeyError quotes its text
        raise ConfigError(" ".join(text.split())) from error
    return 0


def _boards(given: dict[str, str], catalogue: Catalogue) -> tuple[LevelId, Iterator[Board]]:
    if given["trajectory"].endswith(".jsonl"):
        return _of_log(Path(given["trajectory"]))
    if not given["level"]:
        raise ConfigError("certify wants level=GAME/DIFFICULTY/NUMBER, or trajectory=.../events.jsonl, which names it")
    level = LevelId.parse(f"{given['game']}/{given['level']}" if given["game"] else given["level"])
    game, layout = catalogue.games[level.game], catalogue.layout(level)
    state = game.state_from_json(layout, _json(given["state"])) if given["state"] else game.initial_state(layout)
    moves = _json(given["trajectory"]) if given["trajectory"] else []
    if not isinstance(moves, list):
        raise ConfigError(f"found trajectory of {type(moves).__name__}, wanted a list of moves")
    return level, _played(game, state, moves)


def _json(given: str) -> Any:
    """Return the JSON given, or that of the file it names."""
    text = given if given.lstrip()[:1] in ("{", "[") else Path(given).read_text(encoding="utf-8")
    return json.loads(text)


def _played(game: Game, state: Any, moves: Sequence[Any]) -> Iterator[Board]:
    yield Board(0, None, game.state_to_json(state))
    for number, move in enumerate(moves, start=1):
        state = game.step(state, game.move_from_json(move))
        yield Board(number, move, game.state_to_json(state))


def _of_log(path: Path) -> tuple[LevelId, Iterator[Board]]:
    """Return the level and boards of one attempt, restarts and undos included."""
    log = AttemptLog.read(read_events(path))
    if log.start_state is None:
        raise ConfigError(f"{path}: the attempt did not start on a board; certify single states of it")
    start = Board(0, None, log.start_state)
    steps = states_of(log.steps, log.level)
    return log.level, iter([start, *(Board(n, s.move or s.kind, s.state) for n, s in enumerate(steps, start=1))])


def _print_curve(level: LevelId, boards: Iterator[Board], catalogue: Catalogue, state_limit: int) -> None:
    game, layout, solver = catalogue.games[level.game], catalogue.layout(level), solver_for(level.game)
    before: int | None = None
    for board in boards:
        state = game.state_from_json(layout, board.state)
        claim = solver.certify(state, state_limit=state_limit)
        checkable = not _needs_search(claim)
        if checkable:
            verify(game, state, claim, state_limit=state_limit)
        distance = solver.distance(state, state_limit=state_limit)
        known = None if isinstance(distance, Undecided) else distance
        line = {
            "board": board.number,
            "move": board.move,
            "potential": round(game.potential(state), 4),
            "distance": known,
            "regret": _regret(board.move, before, distance),
            "certificate": certificate_to_json(game, claim),
            "checked": checkable,
            "state_digest": state_digest(level, board.state),
        }
        say(json.dumps({"level": str(level), **line} if board.number == 0 else line))
        before = known


def _needs_search(claim: Certificate) -> bool:
    """Tell whether a claim has no quick check, or claims nothing."""
    return isinstance(claim, Undecided) or (isinstance(claim, DeadEnd) and claim.mechanism == "exhausted_search")


def _regret(move: Any, before: int | None, after: int | Undecided | None) -> int | str | None:
    """Return 1 + d(after) - d(before); "inf" into a dead end; None where it has no meaning or is not known."""
    if move in (None, "restart", "undo", "enter", "placed") or before is None or isinstance(after, Undecided):
        return None
    return "inf" if after is None else 1 + after - before
