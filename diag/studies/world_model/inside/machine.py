"""Runs an agent's world model, inside the jail: the contract's functions, each called with a limit of time.

A model is a module `model` with `init_state(grid, level)`, `transition(state, action)`, `render(state)` and
`outcome(state)`, and perhaps `observation_variants`, `actions`, `subgoals`, `heuristic`, `planner_key` of a state.
Whatever it does, every call comes back as a value or as one line that says what was wrong. Only numpy and the standard
library: this file is mounted into the jail.
"""

from __future__ import annotations

import importlib
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

MOST_VARIANTS = 5
LONGEST = 300
UNKNOWN = -1
_DIGITS = ".0123456789abcdef"


class Fault(Exception):
    """A function of the model failed; the message is one line."""


class Machine:
    """One model."""

    def __init__(self, module: Any, call_s: float) -> None:
        self.module, self.call_s = module, call_s

    def has(self, name: str) -> bool:
        """Tell whether the model has a function of this name."""
        return callable(getattr(self.module, name, None))

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function of the model. Raises Fault."""
        function = getattr(self.module, name, None)
        if not callable(function):
            raise Fault(f"{name}: the model has no such function")
        return guarded(name, self.call_s, function, *arguments)

    def outcome(self, state: Any) -> str:
        """Return the outcome, whatever its value, as words. Raises Fault."""
        found = self.call("outcome", state)
        return (
            found if isinstance(found, str) and len(found) <= 40 else guarded("outcome", self.call_s, repr, found)[:40]
        )

    def render(self, state: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """Return the render, int16, -1 where it abstains. Raises Fault for any other shape or value."""
        return checked(self.call("render", state), shape)

    def variants(self, state: Any) -> list[Any]:
        """Return what the model gives as variants, one more than allowed at most. Raises Fault."""
        if not self.has("observation_variants"):
            return []
        found = self.call("observation_variants", state)
        first = guarded("observation_variants", self.call_s, lambda: list(islice(iter(found), MOST_VARIANTS + 1)))
        return list(first)


def load(call_s: float) -> Machine:
    """Import the model, which may take five times as long as a call. Raises Fault."""
    return Machine(guarded("import", 5 * call_s, importlib.import_module, "model"), call_s)


def guarded(name: str, call_s: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of foreign code and return what it returns. Raises Fault for all that it may raise."""
    try:
        with _limited(call_s):
            return function(*arguments)
    except BaseException as error:  # foreign code may raise anything, SystemExit too
        try:
            words = " ".join(f"{type(error).__name__}: {error}".split())
        except BaseException:
            words = "an exception that cannot be shown"
        raise Fault(f"{name}: {words}"[:LONGEST]) from None


def checked(value: Any, shape: tuple[int, ...], name: str = "render") -> np.ndarray[Any, Any]:
    """Return a render as int16. Raises Fault."""
    grid = guarded(name, 5.0, np.asarray, value)
    if grid.shape != shape:
        raise Fault(f"{name}: got shape {grid.shape}, wanted {shape}"[:LONGEST])
    if not np.issubdtype(grid.dtype, np.integer):
        raise Fault(f"{name}: got values of type {grid.dtype}, wanted integers from -1 to 15"[:LONGEST])
    low, high = int(grid.min()), int(grid.max())
    if low < UNKNOWN or high > 15:
        raise Fault(f"{name}: got the value {low if low < UNKNOWN else high}, wanted integers from -1 to 15")
    whole: np.ndarray[Any, Any] = grid.astype(np.int16)
    return whole


def predictions(
    machine: Machine, level: int, grid: np.ndarray[Any, Any], actions: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield what the model says of the first state and of the state after each action.

    The state is threaded: no later grid is ever shown to the model. After a fault of `init_state` or `transition` there
    is no state any more, and every later prediction is that fault.
    """
    fault, state = "", None
    for place in range(len(actions) + 1):
        if not fault:
            try:
                if place == 0:
                    state = machine.call("init_state", grid.copy(), level)
                else:
                    state = machine.call("transition", state, dict(actions[place - 1]))
            except Fault as error:
                fault = str(error)
        yield {"fault": fault} if fault else described(machine, state, grid.shape)


def described(machine: Machine, state: Any, shape: tuple[int, ...]) -> dict[str, Any]:
    """Return the render, the variants and the outcome of a state as JSON, or what was wrong with each."""
    found: dict[str, Any] = {}
    try:
        found["render"] = text_of(machine.render(state, shape))
    except Fault as error:
        found["render_fault"] = str(error)
    try:
        found["variants"] = [_variant(one, shape) for one in machine.variants(state)]
    except Fault as error:
        found["variants_fault"] = str(error)
    try:
        found["outcome"] = machine.outcome(state)
    except Fault as error:
        found["outcome_fault"] = str(error)
    return found


def _variant(value: Any, shape: tuple[int, ...]) -> str | None:
    """Return a variant as text; None for one that is no grid of the frame's shape."""
    try:
        return text_of(checked(value, shape, "observation_variants"))
    except Fault:
        return None


def text_of(grid: np.ndarray[Any, Any]) -> str:
    """Return rows of hexadecimal digits, a dot where the model abstains."""
    return "\n".join("".join(_DIGITS[value + 1] for value in row) for row in grid.tolist())


def grid_of(text: str) -> np.ndarray[Any, Any]:
    """Invert `text_of`. Raises ValueError."""
    return np.array([[_DIGITS.index(mark) - 1 for mark in line] for line in text.split("\n")], dtype=np.int16)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in here after so many seconds."""

    def late(number: int, frame: Any) -> None:
        raise TimeoutError(f"not done within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
