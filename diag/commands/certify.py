"""`python -m diag certify [LIBRARY] [--rules-only]`: prove every checkpoint of a library again."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Replay every certificate with the rules, and every checkpoint in the browser unless told otherwise."""
    from checkpoints.__main__ import main as checkpoints

    return checkpoints(["verify", *arguments])
