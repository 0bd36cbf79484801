"""`python -m chaos`: see the package."""

from __future__ import annotations

import argparse
import fnmatch
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chaos.at_random import COUNTS, counts_of, run_at_random, section_of, table, with_section
from chaos.campaign import Campaign, Observation
from chaos.cells import Cell, all_cells
from chaos.document import document
from chaos.victim import REPOSITORY, hear_signals

DOCUMENT = REPOSITORY / "docs" / "reliability.md"
OWN_MOUNTS = "DIAG_CHAOS_OWN_MOUNTS"


def main(arguments: Sequence[str]) -> int:
    """Run the campaign and return the exit code: 1 if a promise is broken."""
    options = _options(arguments)
    chosen = [cell for cell in all_cells() if options.only is None or fnmatch.fnmatch(cell.name, f"*{options.only}*")]
    if options.list:
        print(*(cell.name for cell in chosen), sep="\n")
        return 0
    hear_signals()
    scratch = Path(tempfile.mkdtemp(prefix="diag-chaos-"))
    began = time.monotonic()
    counts = counts_of(options.rules, options.browser, options.tracking, options.bytes)
    found = run_at_random(scratch, counts, options.seed) if options.only is None and any(counts.values()) else None
    seen = [] if options.at_random else list(_run(chosen, scratch, options.jobs))
    broken = sum(bool(one.broken) for one in seen) + (len(found.broken) if found else 0)
    print(f"{len(seen)} cells; {broken} broken promises in all, {time.monotonic() - began:.0f} s")
    if options.only is None:
        page = DOCUMENT.read_text()
        section = table(found) if found else section_of(page)
        DOCUMENT.write_text(with_section(page, section) if options.at_random else document(seen, section))
        print(DOCUMENT)
    if broken:
        print(f"what the broken cells left: {scratch}")
    else:
        shutil.rmtree(scratch, ignore_errors=True)
    return 1 if broken else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m chaos", description="break a study in every way at every phase")
    parser.add_argument("--only", metavar="PATTERN", help="run the cells whose name matches; write no document")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="cells at a time")
    parser.add_argument("--at-random", action="store_true", help="no cells: random kills and corrupt bytes alone")
    parser.add_argument("--rules", type=_count, help=f"random kills on the rules ({COUNTS['rules']})")
    parser.add_argument("--browser", type=_count, help=f"random kills in Chromium ({COUNTS['browser']})")
    parser.add_argument("--tracking", type=_count, help=f"random kills with tracking ({COUNTS['tracking']})")
    parser.add_argument("--bytes", type=_count, help=f"corrupt bytes ({COUNTS['bytes']})")
    parser.add_argument("--seed", type=int, default=0, help="of kills and bytes")
    parser.add_argument("--list", action="store_true", help="print the names of the cells")
    return parser.parse_args(arguments)


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"found {text}, wanted a number from 0")
    return number


def _run(cells: Sequence[Cell], scratch: Path, jobs: int) -> Iterator[Observation]:
    campaign, out = Campaign(scratch), sys.stdout  # a cell's analysis redirects it for a moment
    with ThreadPoolExecutor(jobs) as pool:
        for number, seen in enumerate(pool.map(campaign.run, cells), start=1):
            verdict = "BROKEN " + "; ".join(seen.broken) if seen.broken else "ok"
            came_to = f"{seen.ended}, {seen.charged}, {seen.resumed} ({_seconds(seen)})"
            print(f"{number}/{len(cells)} {seen.cell.name}: {came_to}: {verdict}", flush=True, file=out)
            yield seen


def _seconds(seen: Observation) -> str:
    """Return how long the struck run and the next took, and how long it went on after the strike if it was to stop."""
    struck_s, again_s = seen.seconds
    stopped = "" if seen.went_on_s is None else f"stopped after {seen.went_on_s:.1f} s, "
    return f"{stopped}{struck_s:.1f} s, {again_s:.1f} s"


def _in_own_mounts(arguments: Sequence[str]) -> int | None:
    """Start again where mounts are this campaign's own and vanish with it; None if this is that place already."""
    if os.environ.get(OWN_MOUNTS):
        return None
    space = ["unshare", "--mount", "--propagation", "private"] + (["--map-root-user"] if os.geteuid() else [])
    command = [*space, sys.executable, "-m", "chaos", *arguments]
    return subprocess.run(command, check=False, env={**os.environ, OWN_MOUNTS: "1"}).returncode


if __name__ == "__main__":
    code = _in_own_mounts(sys.argv[1:])
    sys.exit(main(sys.argv[1:]) if code is None else code)
