"""`python -m diag list [--config-dir FOLDER]`: experiments, agents and interventions, each in one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diag.app.listing import listing
from diag.config import CONF
from diag.errors import ConfigError
from diag.terminal import Words, say


def main(arguments: Sequence[str]) -> int:
    """Print what there is to choose from; return 0."""
    parser = Words("list", __doc__)
    parser.add_argument(
        "--config-dir",
        type=Path,
        help="a folder of your own options; default: conf/ here",
    )
    own = parser.parse_args(list(arguments)).config_dir
    if own is not None and not own.is_dir():
        raise ConfigError(f"--config-dir: {own} is no folder")
    beside = Path("conf")
    if own is None and beside.is_dir() and beside.resolve() != CONF.resolve():
        own = beside
    say(listing(own))
    return 0
