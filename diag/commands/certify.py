"""`python -m diag certify`: prove the checkpoints of a library again, or certify a state or a whole trajectory.

certify [LIBRARY] [--rules-only]
certify level=GAME/DIFFICULTY/N [state=FILE|JSON] [trajectory=FILE|JSON] [levels=FOLDER] [limit=200000]
"""

from __future__ import annotations

from collections.abc import Sequence

from checkpoints.__main__ import main as checkpoints
from diag.commands.certificates import main as certificates


def main(arguments: Sequence[str]) -> int:
    """Without `key=value` arguments replay a library's certificates; else print those of a state or trajectory."""
    if any("=" in argument for argument in arguments):
        return certificates(arguments)
    return checkpoints(["verify", *arguments])
