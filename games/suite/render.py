"""Draws the first boards of levels to PNG with the games' own views: single boards, or a contact sheet of many.

python -m games.suite.render SHEET.png [--catalogue PACK] [--only bolt_unscrew/hard] [--columns 4]
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from games.catalogue import Catalogue, load_catalogue
from games.contract import BOARD, LevelError, LevelId
from games.suite import browser
from games.suite.page import SuitePage
from games.suite.server import SuiteServer

CAPTION_PX = 28


def render_levels(catalogue: Catalogue, levels: Sequence[LevelId]) -> Iterator[tuple[LevelId, Image.Image]]:
    """Yield the board area (840 x 784 pixels, RGB) of each level's first board.

    Raises:
        games.suite.browser.BrowserMissing: there is no Chromium.
        games.suite.page.PageFailure: a board cannot be drawn.
    """
    from playwright.sync_api import sync_playwright

    browser.ensure_driver()
    with sync_playwright() as playwright, SuiteServer(catalogue) as server:
        chromium = browser.launch(playwright)
        session = server.open(animate=False)
        with SuitePage(chromium, server, session) as page:
            for level in levels:
                game = catalogue.games[level.game]
                session.place(level, game.state_to_json(game.initial_state(catalogue.layout(level))))
                page.settle()
                yield level, _board_area(page.screenshot())
        chromium.close()


def contact_sheet(boards: Sequence[tuple[LevelId, Image.Image]], columns: int = 4, width_px: int = 360) -> Image.Image:
    """Return one picture with all boards in rows, each under its level's name. Raises ValueError on no boards."""
    if not boards:
        raise ValueError("there is no level to show")
    height_px = round(width_px * BOARD.height / BOARD.width)
    rows = -(-len(boards) // columns)
    sheet = Image.new("RGB", (columns * width_px, rows * (height_px + CAPTION_PX)), "#fbf1de")
    pen = ImageDraw.Draw(sheet)
    for place, (level, board) in enumerate(boards):
        x, y = place % columns * width_px, place // columns * (height_px + CAPTION_PX)
        pen.text((x + 10, y + 7), str(level), fill="#4a3524", font_size=15)
        sheet.paste(board.resize((width_px, height_px), Image.Resampling.LANCZOS), (x, y + CAPTION_PX))
    return sheet


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m games.suite.render", description="Draw levels to one PNG.")
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--catalogue", type=Path, help="a level pack instead of our own levels")
    parser.add_argument("--only", default="", help="the beginning of the level ids to draw, as in bolt_unscrew/hard")
    parser.add_argument("--columns", type=int, default=4)
    chosen = parser.parse_args(arguments)
    try:
        catalogue = load_catalogue(chosen.catalogue)
        levels = [level.id for level in catalogue.entries if str(level.id).startswith(chosen.only)]
        contact_sheet(list(render_levels(catalogue, levels)), chosen.columns).save(chosen.sheet)
    except (LevelError, ValueError, browser.BrowserMissing) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{len(levels)} levels drawn to {chosen.sheet}\n")
    return 0


def _board_area(picture: bytes) -> Image.Image:
    box = (int(BOARD.x), int(BOARD.y), int(BOARD.x + BOARD.width), int(BOARD.y + BOARD.height))
    return Image.open(io.BytesIO(picture)).convert("RGB").crop(box)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
