"""`python -m diag`: see `python -m diag --help`, `python -m diag list` and docs/how-to/run.md."""

import sys

from diag.app.command_line import main
from diag.shadowing import hiding_others, hiding_own


def start() -> int:
    """Run this process's command line; a file of the working folder in the way is one line."""
    line = hiding_own()
    if not line:
        try:
            return main(sys.argv[1:])
        except Exception:
            line = hiding_others()
            if not line:
                raise
    sys.stderr.write(f"{line}\n")  # nothing of the program may be importable yet
    return 2


if __name__ == "__main__":
    sys.exit(start())
