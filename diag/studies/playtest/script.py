"""Scripts: what a hand does on a build, in words, and the moments at which somebody looks.

`enter`            from the home screen into level 1
`moves 2`          the next two moves of a solution of level 1
`almost` / `win`   all further moves but the last / all further moves
`press restart`    the middle of a button
`key ArrowUp`, `tap 460 490`, `drag 400 500 600 500`
`look`             a moment to look

Where buttons and pieces are is read off the game as it is meant, so a script is the same on every build of a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from diag.studies.playtest.builds.bundle import bundle_catalogue, solution
from games.contract import Drag, Gesture, JsonObject, JsonValue, KeyPress, Rect, Table, Tap
from games.suite.session import SuiteSession


@dataclass(frozen=True)
class Step:
    """One gesture, or a look."""

    word: str
    """The word of the script that the step belongs to."""
    gesture: Gesture | None
    """None for a look."""
    picture: JsonObject | None
    """At a look: what the game as it is meant shows then."""


@cache
def steps_of(game: str, script: Sequence[str]) -> tuple[Step, ...]:
    """Return the steps of a script on a game's bundle.

    Raises:
        ValueError: a word is unknown, or a button is not there.
    """
    return tuple(_Player(game).play(script))


class _Player:
    """Plays a script on the game as it is meant, in this process, and notes the gestures."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._session = SuiteSession(bundle_catalogue(game), animate=False, instructions="full")
        self._moves = list(solution(game))

    def play(self, script: Sequence[str]) -> Iterator[Step]:
        for word in script:
            if word == "look":
                yield Step(word, None, self._session.picture())
                continue
            for gesture in self._gestures(word):
                self._session.gesture(gesture)
                yield Step(word, gesture, None)

    def _gestures(self, word: str) -> Iterator[Gesture]:
        """Yield one by one: where the next button is depends on the gesture before."""
        match word.split():
            case ["enter"]:
                for style in ("card", "card", "level"):
                    yield self._button(lambda one, style=style: one["style"] == style)
            case ["moves", count]:
                yield from self._play(int(count))
            case ["almost"]:
                yield from self._play(len(self._moves) - 1)
            case ["win"]:
                yield from self._play(len(self._moves))
            case ["press", name]:
                yield self._button(lambda one: one["id"] == name)
            case ["key", key]:
                yield KeyPress(key)
            case ["tap", x, y]:
                yield Tap(float(x), float(y))
            case ["drag", x0, y0, x1, y1]:
                yield Drag(float(x0), float(y0), float(x1), float(y1))
            case _:
                raise ValueError(f"script of {self._game}: unknown word {word!r}")

    def _play(self, count: int) -> Iterator[Gesture]:
        for _ in range(count):
            yield from self._move(self._moves.pop(0))

    def _move(self, move: JsonValue) -> tuple[Gesture, ...]:
        catalogue = self._session.catalogue
        game, seen = catalogue.games[self._game], self._session.snapshot()
        assert seen.level is not None
        assert seen.state is not None
        state = game.state_from_json(catalogue.layout(seen.level), seen.state)
        return game.gestures(Table(state, seen.held), game.move_from_json(move))

    def _button(self, wanted: object) -> Tap:
        assert callable(wanted)
        found = [one for one in self._session.picture()["controls"] if one["enabled"] and wanted(one)]
        if not found:
            raise ValueError(f"script of {self._game}: the button is not there")
        rect = Rect(*found[0]["rect"])
        return Tap(round(rect.x + rect.width / 2), round(rect.y + rect.height / 2))
