"""What restoring a checkpoint costs against opening the page, and that it does not grow with the prefix.

    python benchmarks/restore.py [--repeats 8]

Plain: a session in a fresh browser context until its home screen is drawn, and a screenshot. Restored: the same with
the fast path to a checkpoint before the screenshot, state and pixels checked. Replayed: the same by the legal prefix.
The checkpoints are the shipped ones with the shortest and the longest prefix; all kinds take turns in one run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from checkpoints.build import OpenPage, browser_pages
from checkpoints.controller import restore
from checkpoints.store import load_library
from games.catalogue import load_catalogue


def main() -> None:
    """Run the comparison and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=8)
    repeats = parser.parse_args().repeats
    ordered = sorted(load_library("rq2").checkpoints, key=lambda one: len(one.prefix))
    short, long = ordered[0], ordered[-1]
    with browser_pages(load_catalogue()) as (open_page, build):
        kinds: dict[str, Callable[[], float]] = {
            "plain page load": lambda: _plain(open_page),
            f"restore, prefix of {len(short.prefix)}": lambda: _restore(open_page, short, "fast", build),
            f"restore, prefix of {len(long.prefix)}": lambda: _restore(open_page, long, "fast", build),
            f"replay, prefix of {len(long.prefix)}": lambda: _restore(open_page, long, "replay", build),
        }
        seconds: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(repeats):
            for kind, run in kinds.items():
                seconds[kind].append(run())
    plain = np.median(seconds["plain page load"])
    for kind, times in seconds.items():
        middle = np.median(times)
        print(f"{kind:26} median {middle * 1000:6.0f} ms   ratio to plain {middle / plain:.2f}")


def _plain(open_page: OpenPage) -> float:
    began = time.perf_counter()
    with open_page() as (_, page):
        page.settle()
        page.screenshot()
        return time.perf_counter() - began


def _restore(open_page: OpenPage, checkpoint, path, build: str) -> float:  # type: ignore[no-untyped-def]  # a script
    began = time.perf_counter()
    with open_page() as (session, page):
        restore(session, checkpoint, page, path=path, browser_build=build)
        return time.perf_counter() - began


if __name__ == "__main__":
    main()
