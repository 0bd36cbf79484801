"""`python -m diag show checkpoint=ID [library=rq2] [output=FILE.png] [levels=FOLDER]`: a checkpoint as a picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from checkpoints.controller import restore
from checkpoints.store import load_library
from diag.errors import ConfigError
from diag.running.station import StationSettings, seat
from diag.terminal import options, say


def main(arguments: Sequence[str]) -> int:
    """Restore the checkpoint in a browser, write the screenshot, print its certificate and where it comes from."""
    given = options(arguments, {"checkpoint": "", "library": "rq2", "output": "", "levels": ""})
    if not given["checkpoint"]:
        raise ConfigError("show wants checkpoint=ID; python -m checkpoints list names them")
    checkpoint = load_library(given["library"]).checkpoint(given["checkpoint"])
    levels = Path(given["levels"]).resolve() if given["levels"] else None
    with seat(StationSettings(browser=True, animate=False, language="en", levels=levels)) as place:
        restored = restore(place.session, checkpoint, place.page, browser_build=place.build)
    path = Path(given["output"] or f"{checkpoint.checkpoint_id}.png")
    path.write_bytes(restored.screenshot_png)
    facts = {
        "checkpoint": checkpoint.checkpoint_id,
        "cohort": checkpoint.cohort,
        "level": str(checkpoint.level),
        "moves": len(checkpoint.moves),
        "certificate": checkpoint.certificate,
        "state_digest": checkpoint.state_digest,
        "pixels": "as stored" if restored.pixels_known else f"none stored for {place.build}",
        "provenance": checkpoint.provenance,
    }
    say(json.dumps(facts, indent=1, ensure_ascii=False) + f"\npicture: {path.resolve()}")
    return 0
