"""Keys that nobody reads are refused: `+key=value` lets Hydra add what no schema has."""

from __future__ import annotations

import difflib
from dataclasses import fields, is_dataclass
from typing import Any

from omegaconf import Container, DictConfig, ListConfig, OmegaConf

from diag.errors import ConfigError


def refuse_unknown(node: Container, name: str = "") -> None:
    """Check every part of a composed configuration that has a schema, however deep, for keys beyond it.

    Args:
        node: the composed configuration, or a part of it.
        name: dotted key of the part; empty for the whole.

    Raises:
        ConfigError: a key is in no schema; the message names it and those there are.
    """
    known = _schema_keys(node)
    for key, value in _items(node):
        dotted = f"{name}.{key}" if name else key
        if known and key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            wanted = ", ".join(one for one in known if one != "kind")
            raise ConfigError(f"unknown key {dotted!r}; wanted one of {wanted or 'kind'}{hint}")
        if isinstance(value, Container):
            refuse_unknown(value, dotted)


def _schema_keys(node: Container) -> list[str]:
    schema: Any = OmegaConf.get_type(node)
    return [one.name for one in fields(schema)] if is_dataclass(schema) else []


def _items(node: Container) -> list[tuple[str, Any]]:
    """Return the children that are there; a missing value is told where it is asked for."""
    if isinstance(node, DictConfig):
        keys = [] if node._is_none() or node._is_missing() else list(node)
        return [(str(key), node[key] if not OmegaConf.is_missing(node, key) else None) for key in keys]
    if isinstance(node, ListConfig) and not (node._is_none() or node._is_missing()):
        return [(str(place), one) for place, one in enumerate(node)]
    return []
