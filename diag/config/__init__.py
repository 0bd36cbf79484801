"""The typed configuration: Hydra composes `conf/` against these schemas, so a misspelt key stops at once."""

from pathlib import Path

from diag.config.arms import TextConfig
from diag.config.roles import identity, identity_values, runtime, unclassified
from diag.config.schema import Backend, CatalogConfig, ClockKind, Config, ExecutionConfig, Mode, SuiteConfig
from diag.config.study import StudyConfig

_PACKAGE = Path(__file__).parent.parent
CHECKOUT = _PACKAGE.parent if (_PACKAGE.parent / "pyproject.toml").is_file() else None
"""The repository that this code lies in; None where it was installed as a package."""
CONF = (CHECKOUT or _PACKAGE) / "conf"
"""The groups and options that Hydra composes; a wheel holds them inside the package."""
LOCK = (CHECKOUT or _PACKAGE) / "requirements.lock"
"""The versions that this code was tested with."""

__all__ = [
    "CHECKOUT",
    "CONF",
    "LOCK",
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
