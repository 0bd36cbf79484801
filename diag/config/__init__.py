"""The typed configuration: Hydra composes `conf/` against these schemas, so a misspelt key stops at once."""

from pathlib import Path

from diag.config.arms import TextConfig
from diag.config.roles import identity, identity_values, runtime, unclassified
from diag.config.schema import Backend, CatalogConfig, ClockKind, Config, ExecutionConfig, Mode, SuiteConfig
from diag.config.study import StudyConfig

CONF = Path(__file__).parent.parent.parent / "conf"
"""The groups and options that Hydra composes."""

__all__ = [
    "CONF",
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
