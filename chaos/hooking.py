"""Wraps functions of the program in a victim's process, right after their modules were imported."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from chaos.phases import Phase, phase_named

ORDERS = "DIAG_CHAOS"
"""Environment variable that holds a victim's orders as JSON."""
ATTEMPTS = ("diag.records.study_folder", "StudyFolder.begin_attempt")

Patch = Callable[[ModuleType], None]


@dataclass(frozen=True)
class Orders:
    """What is to happen in a victim, once among all of its processes."""

    phase: str
    strike: str
    outputs: str
    """The study's outputs, for faults of the disk."""
    marks: str
    """Folder where a strike leaves a mark before it is done."""

    def to_environment(self) -> dict[str, str]:
        """Return the variable that carries the orders."""
        return {ORDERS: json.dumps(asdict(self))}

    def claim(self) -> bool:
        """Tell whether this process is the one to strike; only the first to ask is."""
        try:
            (Path(self.marks) / "struck").open("x").close()
        except FileExistsError:
            return False
        return True


def arm_from_environment() -> None:
    """Arm what the environment orders; does nothing without orders."""
    if ORDERS in os.environ:
        arm(Orders(**json.loads(os.environ[ORDERS])))


def arm(orders: Orders) -> None:
    """Let the ordered strike happen when this process reaches its phase."""
    moment = Moment(phase_named(orders.phase), orders)
    patches: dict[str, list[Patch]] = {}
    patches.setdefault(moment.phase.module, []).append(lambda module: wrap(module, moment.phase.function, moment.call))
    patches.setdefault(ATTEMPTS[0], []).append(lambda module: wrap(module, ATTEMPTS[1], moment.attempt_begins))
    sys.meta_path.insert(0, AfterImport(patches))


class Moment:
    """Counts calls until the phase is reached, then strikes."""

    def __init__(self, phase: Phase, orders: Orders) -> None:
        self.phase, self.orders = phase, orders
        self.n_attempts = self.n_calls = 0

    def attempt_begins(self, inner: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Count an attempt; calls are counted from its beginning."""
        self.n_attempts += 1
        self.n_calls = 0
        return inner(*arguments, **named)

    def call(self, inner: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call the function, and strike before or after it if this is the moment."""
        now = self._is_now(arguments)
        if now and self.phase.when == "before":
            self._strike()
        result = inner(*arguments, **named)
        if now and self.phase.when == "after":
            self._strike()
        return result

    def _is_now(self, arguments: tuple[Any, ...]) -> bool:
        if self.phase.having and self.phase.having not in repr(arguments):
            return False
        if self.n_attempts < self.phase.attempt:
            return False
        self.n_calls += 1
        return self.n_calls == self.phase.call

    def _strike(self) -> None:
        from chaos.strikes import STRIKES

        if self.orders.claim():
            STRIKES[self.orders.strike](self.orders)


def wrap(module: ModuleType, function: str, around: Callable[..., Any]) -> None:
    """Replace `function` of a module (`name` or `Class.name`) by one that calls `around(inner, arguments, named)`."""
    *path, name = function.split(".")
    owner: Any = functools.reduce(getattr, path, module)
    inner = getattr(owner, name)

    @functools.wraps(inner)
    def wrapper(*arguments: Any, **named: Any) -> Any:
        return around(inner, arguments, named)

    setattr(owner, name, wrapper)


class AfterImport(MetaPathFinder):
    """Applies patches to modules right after they were executed, before anybody can import a name from them."""

    def __init__(self, patches: dict[str, list[Patch]]) -> None:
        self._patches = patches

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that is waited for as Python itself would, with its patches behind its loader."""
        if fullname not in self._patches:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Patching(spec.loader, self._patches.pop(fullname))
        return spec


class _Patching(Loader):
    def __init__(self, inner: Any, patches: list[Patch]) -> None:
        self._inner, self._patches_to_apply = inner, patches

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        created: ModuleType | None = self._inner.create_module(spec)
        return created

    def exec_module(self, module: ModuleType) -> None:
        self._inner.exec_module(module)
        for patch in self._patches_to_apply:
            patch(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
