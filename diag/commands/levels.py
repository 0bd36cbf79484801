"""`python -m diag levels check FOLDER` and `levels render SHEET.png [--catalogue FOLDER] [--only GAME/DIFFICULTY]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from diag.errors import ConfigError


def main(arguments: Sequence[str]) -> int:
    """Say everything that is wrong with a level pack, or draw its first boards to one picture."""
    if len(arguments) > 1 and arguments[0] == "render":
        from games.suite.render import main as render

        return render(arguments[1:])
    if len(arguments) == 2 and arguments[0] == "check":
        return _check(arguments[1])
    found = " ".join(("levels", *arguments))
    raise ConfigError(
        f"found {found}, wanted: levels check FOLDER, or levels render SHEET.png [--catalogue FOLDER] [--only GAME]"
    )


def _check(folder: str) -> int:
    """Return 0 if the pack can be played, 1 after one line per fault if not."""
    from games.catalogue import check_pack

    faults = check_pack(folder)
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write("the pack can be played\n" if not faults else f"{len(faults)} faults\n")
    return int(bool(faults))
