"""Makes the schemas known to Hydra: the core's here, those of the kinds of study from the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hydra.core.config_store import ConfigStore

from diag.config.arms import TextConfig
from diag.config.schema import Config

_registered: list[Mapping[str, type[Any]]] = []


def register(studies: Mapping[str, type[Any]], arms: Mapping[str, type[Any]]) -> None:
    """Store every schema under its name; once or twice makes no difference.

    Args:
        studies: kind of study -> its keys.
        arms: name of a kind of arm -> its keys, beside the text arms of the core.
    """
    if _registered == [studies, arms]:
        return
    _registered[:] = [studies, arms]
    store = ConfigStore.instance()
    store.store(name="schema", node=Config)
    for group, schemas in (("study", studies), ("intervention", {"text": TextConfig, **arms})):
        for name, schema in schemas.items():
            store.store(group=group, name=name, node=schema)
