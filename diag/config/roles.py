"""The two roles of a configuration field, and what follows from them.

A field is `identity` (its value can change an outcome: resuming a study with another value is refused) or `runtime`
(workers, ports, paths, reporting: free to change at any time). `tests/diag/test_config.py` fails on an unclassified
one.
"""

from __future__ import annotations

from dataclasses import field, fields, is_dataclass
from enum import Enum
from typing import Any, Literal

from omegaconf import MISSING

Role = Literal["identity", "runtime"]


def identity(default: Any = MISSING) -> Any:
    """Declare a field whose value can change an outcome. A callable default is a factory."""
    return _classified("identity", default)


def runtime(default: Any = MISSING) -> Any:
    """Declare a field that cannot change an outcome. A callable default is a factory."""
    return _classified("runtime", default)


def _classified(role: Role, default: Any) -> Any:
    if callable(default) and not isinstance(default, Enum):
        return field(default_factory=default, metadata={"role": role})
    return field(default=default, metadata={"role": role})


def unclassified(node: type[Any]) -> list[str]:
    """Return `Class.field` of every field below `node` that is neither identity nor runtime."""
    missing: list[str] = []
    for item in fields(node):
        if item.metadata.get("role") not in ("identity", "runtime"):
            missing.append(f"{node.__name__}.{item.name}")
        default: Any = item.default_factory
        if isinstance(default, type) and is_dataclass(default):
            missing += unclassified(default)
    return missing


def identity_values(value: Any) -> Any:
    """Return the identity part of a config dataclass instance as plain JSON: runtime fields are left out."""
    if is_dataclass(value):
        kept = [item for item in fields(value) if item.metadata["role"] == "identity" and item.name != "_target_"]
        return {item.name: identity_values(getattr(value, item.name)) for item in kept}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {key: identity_values(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [identity_values(inner) for inner in value]
    return value
