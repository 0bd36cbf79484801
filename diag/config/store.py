"""Makes the schemas known to Hydra."""

from __future__ import annotations

from hydra.core.config_store import ConfigStore

from diag.config.arms import FirstActionConfig, TextConfig
from diag.config.schema import Config
from diag.config.studies import (
    BranchConfig,
    EpisodesConfig,
    PanelTakeoverConfig,
    RetryConfig,
    TakeoverConfig,
    WorkflowConfig,
)


def register() -> None:
    """Store every schema under its name; once or twice makes no difference."""
    store = ConfigStore.instance()
    store.store(name="schema", node=Config)
    store.store(group="study", name="takeover", node=TakeoverConfig)
    store.store(group="study", name="retry", node=RetryConfig)
    store.store(group="study", name="workflow_cells", node=WorkflowConfig)
    store.store(group="study", name="takeover_panel", node=PanelTakeoverConfig)
    store.store(group="study", name="episodes", node=EpisodesConfig)
    store.store(group="study", name="branch", node=BranchConfig)
    store.store(group="intervention", name="text", node=TextConfig)
    store.store(group="intervention", name="first_action", node=FirstActionConfig)
