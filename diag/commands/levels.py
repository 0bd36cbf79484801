"""`python -m diag levels check FOLDER`: say everything that is wrong with a level pack."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from diag.errors import ConfigError


def main(arguments: Sequence[str]) -> int:
    """Check a pack; 0 if it can be played, 1 and one line per fault if not."""
    if len(arguments) != 2 or arguments[0] != "check":
        raise ConfigError(f"found levels {' '.join(arguments)}, wanted: levels check FOLDER")
    from games.catalogue import check_pack

    faults = check_pack(arguments[1])
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write("the pack can be played\n" if not faults else f"{len(faults)} faults\n")
    return int(bool(faults))
