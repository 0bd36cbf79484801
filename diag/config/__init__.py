"""The typed configuration: Hydra composes `conf/` against these schemas, so a misspelt key stops at once."""

from diag.config.arms import TextConfig
from diag.config.roles import identity, identity_values, runtime, unclassified
from diag.config.schema import Backend, CatalogConfig, ClockKind, Config, ExecutionConfig, Mode, SuiteConfig
from diag.config.study import StudyConfig

__all__ = [
    "Backend",
    "CatalogConfig",
    "ClockKind",
    "Config",
    "ExecutionConfig",
    "Mode",
    "StudyConfig",
    "SuiteConfig",
    "TextConfig",
    "identity",
    "identity_values",
    "runtime",
    "unclassified",
]
