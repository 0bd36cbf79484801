"""`python -m diag watch [FOLDER] [port=0]`: a live page of running studies on this machine; no outcome is shown.

FOLDER is a study or holds some (outputs, the default). The page shows units, screens, errors, cost and pace, and what
is on the screens now, by block and not by arm. It renews itself, needs no script, and only this machine can open it;
over ssh, `python -m diag status` shows the same in the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from markupsafe import Markup

from diag.commands.status import BLIND, facts, given_folder
from diag.errors import ConfigError, DiagError, one_line
from diag.reading.live import Live, Watcher
from diag.reading.markup import Section, joined, section, table
from diag.report.page_files import TEMPLATES, report_environment
from diag.session.pictures import PictureError, PictureStore
from diag.summary.rows import study_folders
from diag.terminal import say

HOST = "127.0.0.1"
EVERY_S = 3


def main(arguments: Sequence[str]) -> int:
    """Serve until Ctrl-C; return 0."""
    root, port = given_folder(arguments, {"port": "0"}, "port")
    study_folders([root])
    with open_server(root, int(port)) as server:
        say(f"open http://{HOST}:{server.server_address[1]}/   (Ctrl-C ends; it reads files alone and disturbs no run)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("")
    return 0


def open_server(root: Path, port: int) -> ThreadingHTTPServer:
    """Return a server on the loopback that is bound and not yet serving. Raises ConfigError: the port is taken."""
    page = LivePage(root)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = urlsplit(f"//{self.headers.get('Host', '')}").hostname
            code, kind, body = page.answer(self.path) if host in (HOST, "localhost") else NOT_HERE
            self.send_response(code)
            headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": "no-store"}
            for name, value in (headers | {"X-Content-Type-Options": "nosniff"}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Say nothing: the terminal is for errors."""

    try:
        return ThreadingHTTPServer((HOST, port), Handler)
    except (OSError, OverflowError) as error:
        raise ConfigError(f"port={port} on {HOST}: {one_line(error)}; wanted a free port, or 0 for any") from error


Answer = tuple[int, str, bytes]
NOT_HERE: Answer = (403, "text/plain", b"this page is for 127.0.0.1 alone\n")
NOTHING: Answer = (404, "text/plain", b"nothing here\n")


class LivePage:
    """What the server answers: the page, and the pictures that it shows."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._watchers: dict[Path, Watcher] = {}
        self._shown: dict[str, Path] = {}

    def answer(self, path: str) -> Answer:
        """Return status, media type and body for a path."""
        name = urlsplit(path).path.strip("/")
        if not name:
            return 200, "text/html; charset=utf-8", self._page().encode()
        if name not in self._shown:  # a picture that the page has shown, and nothing else of the disk
            return NOTHING
        try:
            return 200, "image/png", PictureStore(self._shown[name]).load(name)
        except PictureError:
            return NOTHING

    def _page(self) -> str:
        try:
            lives = [self._watchers.setdefault(folder, Watcher(folder)).look() for folder in study_folders([self.root])]
            sections = [self._section(place, live) for place, live in enumerate(lives)]
        except DiagError as error:
            sections = [section("error", "This cannot be read", Markup("<p>{}</p>").format(one_line(error)))]
        values = {"title": "Studies under way", "lead": BLIND, "sections": sections, "every_s": EVERY_S}
        css = Markup((TEMPLATES / "report.css").read_text())  # noqa: S704 - our own
        now = datetime.now(UTC).isoformat(" ", timespec="seconds")
        return report_environment().get_template("live.html.j2").render(**values, css=css, now=now)

    def _section(self, place: int, live: Live) -> Section:
        head = ("Cohort", "Arm", "Valid", "To run", "Infrastructure failures")
        rows = [
            (cohort, arm, f"{n_valid} of {n_units}", str(n_units - n_valid), str(n_failures))
            for cohort, arm, n_units, n_valid, n_failures in live.arms
        ]
        return section(
            f"study-{place}",
            f"{live.study}, {live.agent}: {live.state}",
            table(("", ""), facts(live), "The study now", words=2),
            table(head, rows, "Units by arm", words=2),
            joined(self._screens(live)),
        )

    def _screens(self, live: Live) -> list[Markup]:
        figures = []
        for one in live.running:
            if one.picture:
                self._shown[one.picture] = live.folder / "pictures"
                said = f"{one.block_id}, {one.n_screens} screens"
                figures.append(_FIGURE.format(one.picture, said, said))
        return figures


_FIGURE = Markup(
    '<figure><img src="/{}" width="640" height="450" alt="Screen now: {}"><figcaption>{}</figcaption></figure>'
)
