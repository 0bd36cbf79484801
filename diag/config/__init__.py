"""The typed configuration: Hydra composes `conf/` against these schemas, so a misspelt key stops at once."""

from diag.config.arms import FirstActionConfig, TextConfig
from diag.config.roles import identity, identity_values, runtime, unclassified
from diag.config.schema import Backend, CatalogConfig, ClockKind, Config, ExecutionConfig, Mode, SuiteConfig
from diag.config.store import register
from diag.config.studies import (
    BranchConfig,
    EpisodesConfig,
    PanelTakeoverConfig,
    RetryConfig,
    TakeoverConfig,
    WorkflowConfig,
)

__all__ = [
    "Backend",
    "BranchConfig",
    "CatalogConfig",
    "ClockKind",
    "Config",
    "EpisodesConfig",
    "ExecutionConfig",
    "FirstActionConfig",
    "Mode",
    "PanelTakeoverConfig",
    "RetryConfig",
    "SuiteConfig",
    "TakeoverConfig",
    "TextConfig",
    "WorkflowConfig",
    "identity",
    "identity_values",
    "register",
    "runtime",
    "unclassified",
]
