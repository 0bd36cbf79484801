"""What is read once a process: the first thread that asks computes it, the others wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


def once(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache a function's last `maxsize` results; unlike `lru_cache` alone, no result is computed twice at a time.

    `lru_cache` lets every thread compute that asks before the first has finished: 96 seats that begin together would
    each read the library.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        lock = threading.RLock()
        kept = lru_cache(maxsize=maxsize)(cast("Callable[..., Hashable]", function))

        @wraps(function)
        def locked(*args: P.args, **kwargs: P.kwargs) -> T:
            with lock:
                return cast("T", kept(*args, **cast("Any", kwargs)))

        return locked

    return decorate
