"""Types of parts that have no schema in `diag.config`: agents and interventions say them in their own dataclasses."""

from __future__ import annotations

import importlib
from dataclasses import fields, is_dataclass
from typing import Any

from diag.errors import ConfigError

_PLAIN: dict[str, tuple[tuple[type, ...], str]] = {
    "int": ((int,), "an integer"),
    "float": ((int, float), "a number"),
    "str": ((str,), "text"),
    "bool": ((bool,), "true or false"),
}


def check_types(node: Any, name: str) -> None:
    """Check a composed part and everything below it against the dataclasses that its `_target_`s name.

    Args:
        node: plain mappings, lists and values.
        name: dotted key of the node.

    Raises:
        ConfigError: a key that the class does not have, or a value that is not of the plain type it declares.
    """
    if isinstance(node, list):
        for place, item in enumerate(node):
            check_types(item, f"{name}[{place}]")
    if not isinstance(node, dict):
        return
    declared = _declared(node.get("_target_"))
    for key, value in node.items():
        if declared is not None and not str(key).startswith("_"):
            if key not in declared:
                raise ConfigError(f"unknown key {f'{name}.{key}'!r}; wanted one of {', '.join(declared)}")
            _check(value, declared[key], f"{name}.{key}")
        check_types(value, f"{name}.{key}")


def _declared(target: Any) -> dict[str, str] | None:
    """Return the fields of a target that is a dataclass and what they are declared as."""
    if not isinstance(target, str):
        return None
    module, _, attribute = target.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        return None  # instantiating it says what is wrong
    if not is_dataclass(found):
        return None
    return {item.name: str(getattr(item.type, "__name__", item.type)) for item in fields(found) if item.init}


def _check(value: Any, declared: str, name: str) -> None:
    plain = declared.removesuffix(" | None")
    may_be_null = "None" in declared or declared in ("Any", "object")
    if value is None and not may_be_null:
        raise ConfigError(f"{name}: found null, wanted {_PLAIN[plain][1] if plain in _PLAIN else 'a value'}")
    if plain not in _PLAIN or value is None:
        return
    types, wanted = _PLAIN[plain]
    if not isinstance(value, types) or (isinstance(value, bool) and plain != "bool"):
        raise ConfigError(f"{name}: found {value!r}, wanted {wanted}")
