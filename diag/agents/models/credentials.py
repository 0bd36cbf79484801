"""API keys: read from the environment when a connection opens, never from a config, never written anywhere.

This is the one place below the command line that reads the environment: a key in a config would end in `config.yaml`,
the plan and the tracker.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from diag.agents.models.hiding import HIDDEN, credentials_in
from diag.errors import ConfigError

NO_KEY = "not-needed"
"""What is sent to a server that checks no key; the clients refuse to send nothing."""


class Key:
    """A secret that prints, pickles and compares as nothing."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key for the client that sends it."""
        return self._value

    def __repr__(self) -> str:
        return HIDDEN

    def __reduce__(self) -> tuple[type[Key], tuple[str]]:
        raise TypeError("a key does not leave its process")


def read_key(names: Sequence[str], *, required: bool) -> Key:
    """Return the key from the first environment variable that is set.

    Raises:
        ConfigError: it is required and none is set.
    """
    for name in names:
        if os.environ.get(name):
            return Key(os.environ[name].strip())
    if required:
        raise ConfigError(f"no API key: set the environment variable {' or '.join(names)}")
    return Key(NO_KEY)


def secrets_of_addresses() -> tuple[str, ...]:
    """Return the users and passwords in the addresses of the environment: endpoints and proxies."""
    return tuple(secret for value in os.environ.values() if "://" in value for secret in credentials_in(value.strip()))
