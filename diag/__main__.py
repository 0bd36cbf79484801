"""`python -m diag`: see `python -m diag --help`, `python -m diag list` and docs/run.md."""

import sys

from diag.app.command_line import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
