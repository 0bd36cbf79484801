"""The continuation study (EnvTraverse): what does it do to an agent that it may stop, report, and be resumed?

`KIND` is imported when it is asked for: the game's process imports this package and needs none of it.
"""

from __future__ import annotations

from typing import Any

__all__ = ["KIND"]


def __getattr__(name: str) -> Any:
    if name != "KIND":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from diag.studies.continuation.kind import KIND

    return KIND
