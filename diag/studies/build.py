"""From the composed keys of a study to a `Study`: its kind by name, its arms instantiated."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

from diag.config.language import in_language
from diag.config.unknown import refuse_unknown
from diag.errors import ConfigError
from diag.studies.registry import kind_named
from diag.studies.study import Study
from games.suite.texts import Language


def study_of(composed: DictConfig, language: Language = "en") -> Study:
    """Return the study.

    Args:
        composed: the node `study`, checked by Hydra against the schema of its kind.
        language: of the screen, and of every text that the study tells or asks.

    Raises:
        ConfigError: there is no such kind, or a value that types could not catch.
        Exception: whatever an arm's constructor refuses; Hydra wraps it.
    """
    refuse_unknown(composed, "study")
    keys: Any = OmegaConf.to_object(composed)
    for one in fields(keys):
        if one.name != "arms":
            setattr(keys, one.name, in_language(getattr(keys, one.name), language, f"study.{one.name}"))
    arms = {str(arm): _arm(str(arm), node, language) for arm, node in (composed.arms or {}).items()}
    return Study.of(kind_named(keys.kind), keys, arms, language)


def _arm(arm: str, node: Any, language: Language) -> Any:
    """Return the intervention of an arm. Raises ConfigError for a plain value in its place."""
    if not isinstance(node, DictConfig):
        wanted = f"an intervention, as in +intervention@study.arms.{arm}=ordinary; ~study.arms.{arm} leaves it out"
        raise ConfigError(f"study.arms.{arm}: found {node!r}, wanted {wanted}")
    found = in_language(OmegaConf.to_container(node, resolve=True), language, f"study.arms.{arm}")
    return instantiate(found, _convert_="all")
