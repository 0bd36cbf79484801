"""`python -m checkpoints build | repaint | verify | list [NAME]`: make, picture anew, prove and show libraries."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

from checkpoints.build import Builder, browser_pages, build_rq2
from checkpoints.controller import RestorationFailure
from checkpoints.failures import build_rq3, library_of, sources
from checkpoints.repaint import repainted
from checkpoints.second_game import build_rq2_nut
from checkpoints.store import CheckpointError, load_library, save_library, shipped_libraries
from checkpoints.verify import verify_by_rules, verify_in_browser
from games.catalogue import load_catalogue
from solvers.certificate import CertificateError

HARVEST = "diag.studies.retry.harvest"
"""Module that yields recorded source failures (`shipped_failures`, `failures_below`)."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0, or 1 with one line on standard error."""
    parser = argparse.ArgumentParser(prog="python -m checkpoints", description=__doc__)
    parser.add_argument("command", choices=("build", "repaint", "verify", "list"))
    parser.add_argument("library", nargs="?", default="rq2", help="a shipped library or the folder of one (rq2)")
    parser.add_argument("--rules-only", action="store_true", help="verify without a browser")
    parser.add_argument(
        "--from", dest="recorded", help="build: folder with recorded sessions to harvest source failures (rq3) from"
    )
    parser.add_argument("--into", help="build: folder of the library made with --from")
    options = parser.parse_args(arguments)
    try:
        {"build": _build, "repaint": _repaint, "verify": _verify, "list": _list}[options.command](options)
    except (CheckpointError, CertificateError, RestorationFailure, ValueError, OSError) as error:
        print(f"checkpoints {options.command}: {error}", file=sys.stderr)
        return 1
    return 0


def _build(options: argparse.Namespace) -> None:
    recipes = {"rq2": _rq2, "rq2_nut": _rq2_nut, "rq3": _rq3}
    if options.library not in recipes:
        raise ValueError(f"there are recipes for {', '.join(recipes)}, not for {options.library!r}")
    catalogue = load_catalogue()
    with browser_pages(catalogue) as (open_page, build):
        builder = Builder(catalogue, open_page, build, lambda line: print(line, flush=True))
        library, pictures = recipes[options.library](builder, options)
    save_library(library, pictures)
    print(f"{library.name}: {len(library.checkpoints)} checkpoints, {len(pictures)} pictures, digest {library.digest}")


def _rq2(builder: Any, options: argparse.Namespace) -> Any:
    del options
    return build_rq2(builder)


def _rq2_nut(builder: Any, options: argparse.Namespace) -> Any:
    del options
    return build_rq2_nut(builder)


def _rq3(builder: Any, options: argparse.Namespace) -> Any:
    """Record (or, with `--from`, harvest) source failures.

    Whoever plays and reads event logs is above this room, and this room imports nothing from there; the command line is
    handed the harvest by name, as a configuration would.
    """
    harvest: Any = import_module(HARVEST)
    if options.recorded is None:
        return build_rq3(builder, harvest.shipped_failures(builder.catalogue))
    if options.into is None:
        raise ValueError("--from wants --into, the folder of the library to make")
    found = sources(harvest.failures_below(Path(options.recorded)), builder.catalogue)
    if not found:
        raise ValueError(f"no source failure below {options.recorded}")
    folder = Path(options.into)
    return library_of(found, builder.catalogue, name=folder.name, folder=folder, builder=builder)


def _repaint(options: argparse.Namespace) -> None:
    """Take a library's pictures anew; its boards stay."""
    before, catalogue = load_library(options.library), load_catalogue()
    with browser_pages(catalogue) as (open_page, build):
        builder = Builder(catalogue, open_page, build, lambda line: print(line, flush=True))
        library, pictures = repainted(builder, before)
    save_library(library, pictures)
    print(f"{library.name}: {len(library.checkpoints)} checkpoints, {len(pictures)} pictures, digest {library.digest}")


def _verify(options: argparse.Namespace) -> None:
    library = load_library(options.library)
    catalogue = load_catalogue()
    for checkpoint in library.checkpoints:
        verify_by_rules(checkpoint, catalogue)
        for turn in checkpoint.prefix:
            if turn.picture:
                library.picture_png(turn.picture)
    print(f"{library.name}: {len(library.checkpoints)} checkpoints hold by the rules, every picture is intact")
    if options.rules_only:
        return
    with browser_pages(catalogue) as (open_page, build):
        for checkpoint in library.checkpoints:
            with ExitStack() as stack:
                verify_in_browser(checkpoint, [stack.enter_context(open_page()) for _ in range(3)], build)
            known = "the stored pixels" if build in checkpoint.pixels else f"equal pixels (none stored for {build})"
            print(f"{checkpoint.checkpoint_id}: two replays and the fast path show {known}")


def _list(options: argparse.Namespace) -> None:
    library = load_library(options.library)
    print(f"libraries: {', '.join(shipped_libraries())}. {library.name}, digest {library.digest}:")
    for one in library.checkpoints:
        print(f"  {one.checkpoint_id}  {one.level}  {len(one.moves)} moves  {one.certificate}"[:160])


if __name__ == "__main__":
    sys.exit(main())
