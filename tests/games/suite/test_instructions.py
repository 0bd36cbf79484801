"""What stands beside a board: the goal and the gesture, every rule as well, or nothing."""

import pytest

from games.catalogue import load_catalogue
from games.suite.session import SuiteSession
from games.suite.texts import LANGUAGES

CATALOGUE = load_catalogue()
GAMES = sorted(CATALOGUE.games)


def beside(game, language="en", **settings):
    session = SuiteSession(CATALOGUE, language, **settings)
    level = next(entry for entry in CATALOGUE.entries if entry.id.game == game)
    opened = CATALOGUE.games[game].initial_state(CATALOGUE.layout(level.id))
    session.place(level.id, CATALOGUE.games[game].state_to_json(opened))
    return session.picture()["instructions"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_amount_of_instructions(game, language):
    texts = CATALOGUE.games[game].texts(language)
    assert beside(game, language) == beside(game, language, instructions="brief") == texts["brief"]
    assert 1 <= len(texts["brief"]) <= 2
    assert beside(game, language, instructions="full") == texts["instructions"]
    assert beside(game, language, instructions="none") == []


def test_another_amount_is_refused():
    with pytest.raises(ValueError, match=r"instructions: wanted one of brief, full, none, got 'some'"):
        SuiteSession(CATALOGUE, instructions="some")
