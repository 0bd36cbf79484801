"""The model agent that the words of a command name, composed as a study would compose it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diag.agents.models import ModelFactory
from diag.config import CONF
from diag.config.quoting import as_typed
from diag.errors import ConfigError, one_line
from diag.studies.registry import known_text_keys, register


def model_factory(arguments: Sequence[str], command: str) -> Any:
    """Return the model agent that the overrides of a command name. Raises ConfigError: it is none."""
    from hydra import compose, initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra

    register()
    text = known_text_keys()
    GlobalHydra.instance().clear()
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        composed = compose("config", overrides=[as_typed(argument, text) for argument in arguments])
    factory = _instantiated(composed)
    if not isinstance(factory, ModelFactory):
        raise ConfigError(f"{command} is for model agents; give one, as in agent=openai agent.model=NAME")
    return factory


def _instantiated(composed: Any) -> Any:
    """Build the agent; what its constructor refuses is the user's to put right."""
    from hydra.utils import instantiate

    try:
        return instantiate(composed.agent, _convert_="all")
    except Exception as error:
        cause = error.__cause__ or error
        if isinstance(cause, TypeError | ValueError | ImportError):
            raise ConfigError(f"agent: {one_line(cause)}") from error
        raise
