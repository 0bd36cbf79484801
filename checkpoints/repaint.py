"""Takes a library's pictures anew after the screen has changed its looks; boards, moves and claims stay what they are.

    python -m checkpoints repaint rq2

Every checkpoint is verified by the rules, replayed twice in the browser and restored by both paths, as when it was
made.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from checkpoints.build import Builder, with_pictures
from checkpoints.failures import pictured
from checkpoints.store import Checkpoint, Library
from checkpoints.verify import verify_by_rules, verify_in_browser


def repainted(builder: Builder, library: Library) -> tuple[Library, dict[str, bytes]]:
    """Return the library with the pictures and pixel digests of today's screen, and those pictures (digest -> PNG).

    Raises:
        CheckpointError, CertificateError, RestorationFailure: a checkpoint does not stand up to verification.
    """
    pictures: dict[str, bytes] = {}
    fresh = tuple(_repainted(builder, one, pictures) for one in library.checkpoints)
    return replace(library, checkpoints=fresh), pictures


def _repainted(builder: Builder, checkpoint: Checkpoint, pictures: dict[str, bytes]) -> Checkpoint:
    bare = unpictured(checkpoint)
    verify_by_rules(bare, builder.catalogue)
    if bare.cohort == "F":
        fresh = pictured(builder, bare, pictures)
    else:
        fresh = with_pictures(builder, bare, pictures)
        with ExitStack() as stack:
            pages = [stack.enter_context(builder.open_page()) for _ in range(3)]
            verify_in_browser(fresh, pages, builder.browser_build)
    builder.report(f"{fresh.checkpoint_id}: {fresh.level}, {len(fresh.moves)} moves")
    return fresh


def unpictured(checkpoint: Checkpoint) -> Checkpoint:
    """Return a checkpoint without anything that was seen of it: what the rules alone say."""
    provenance = dict(checkpoint.provenance)
    if "restart" in provenance:
        provenance["restart"] = {name: one for name, one in provenance["restart"].items() if name != "pixels"}
    prefix = tuple(replace(turn, picture=None) for turn in checkpoint.prefix)
    return replace(checkpoint, pixels={}, prefix=prefix, provenance=provenance)
