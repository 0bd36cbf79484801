"""Marks stand out at 3:1 from what they stand on, and text at 4.5:1, as WCAG 2.2 reckons contrast."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.catalogue import Catalogue, load_catalogue
from games.colours import NAMED, looks
from games.registry import registered_games
from games.suite.page import SuitePage
from games.suite.server import SuiteServer
from solvers.registry import solver_for

pytestmark = pytest.mark.browser
GAMES = Path(__file__).parents[3] / "games"
PACKS = (None, *(GAMES / name / "pack" for name in ("agi_maze", "clue_house")))
MARK, TEXT = 3.0, 4.5

_WATCH = """
window.faint = [];
const write = CanvasRenderingContext2D.prototype.fillText;
const linear = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
const luminance = (rgb) => rgb.reduce((sum, part, k) => sum + [0.2126, 0.7152, 0.0722][k] * linear(part / 255), 0);
CanvasRenderingContext2D.prototype.fillText = function (words, x, y) {
  const half = this.measureText(words).width / 2, { e, f, a } = this.getTransform();
  const middle = { left: x + half, center: x, right: x - half }[this.textAlign] * a + e;
  const ground = this.getImageData(middle - half * a, y * a + f - 4, Math.max(1, 2 * half * a), 8).data;
  const lights = [];
  for (let k = 0; k < ground.length; k += 4) lights.push(luminance([...ground.slice(k, k + 3)]));
  const under = lights.sort((one, other) => one - other)[lights.length >> 1];
  const ink = luminance([1, 3, 5].map((place) => parseInt(this.fillStyle.slice(place, place + 2), 16)));
  const ratio = (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
  window.faint.push([words, this.fillStyle, ratio]);
  write.apply(this, arguments);
};
"""


def _ratio(one: str, other: str) -> float:
    low, high = sorted(_luminance(tone) for tone in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(tone: str) -> float:
    parts = (int(tone[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.fixture(scope="module", params=PACKS, ids=lambda pack: pack.parent.name if pack else "own")
def shown(request, chromium) -> Iterator[tuple[Catalogue, SuitePage]]:
    catalogue = load_catalogue(request.param)
    with SuiteServer(catalogue) as server:
        session = server.open(animate=False, instructions="full")
        with SuitePage(chromium, server, session) as page:
            yield catalogue, page


def test_marks_stand_out(shown):
    catalogue, page = shown
    for name in catalogue.games:
        pairs = page.page.evaluate("name => import(`/games/${name}/view/view.js`).then((view) => view.contrasts)", name)
        assert pairs
        assert [(name, *pair) for pair in pairs if _ratio(*pair[1:]) < MARK] == []


def test_the_sign_of_every_colour_stands_out_from_it(shown):
    names = [name for start in range(0, len(NAMED), 20) for name in looks([*NAMED][start : start + 20]).values()]
    tones = shown[1].page.evaluate(
        """others => import("/suite/paint.js").then(({ PALETTE, colour }) =>
             [...Object.keys(PALETTE), ...others].map((name) => [name, colour(name)]))""",
        [*names, *looks(f"colour {k}" for k in range(60)).values()],
    )
    assert len(tones) > 100
    for name, tone in tones:
        assert _ratio(tone["ink"], tone["fill"]) >= MARK, name
        assert _ratio(tone["dark"], tone["light"]) >= MARK, name


def test_text_stands_out_on_every_screen(shown):
    catalogue, page = shown
    page.page.add_init_script(_WATCH)
    page.show(page.session)
    for name, game in catalogue.games.items():
        level = catalogue.levels(name, catalogue.difficulties(name)[0])[0].id
        start = game.initial_state(catalogue.layout(level))
        state = start
        for move in solver_for(name).certify(start, state_limit=100_000).solution:
            state = game.step(state, move)
        for board in (start, state):
            page.session.place(level, game.state_to_json(board))
            page.settle()
            page.click(60, 860)  # most games answer with a note
        page.key("Escape")
        page.click(260, 52)
        page.key("Escape")
    written = page.page.evaluate("window.faint")
    assert len(written) > 50
    assert [line for line in written if line[2] < TEXT] == []


def test_every_game_is_looked_at():
    assert {name for pack in PACKS for name in load_catalogue(pack).games} == set(registered_games())
