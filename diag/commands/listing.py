"""`python -m diag list`: the experiments, agents and interventions there are, each in one line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from diag.app_list import listing
from diag.errors import ConfigError


def main(arguments: Sequence[str]) -> int:
    """Print what there is to choose from; return 0."""
    if arguments:
        raise ConfigError(f"list takes no arguments, found {arguments[0]!r}")
    sys.stdout.write(listing() + "\n")
    return 0
