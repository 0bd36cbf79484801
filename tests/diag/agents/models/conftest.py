"""What the tests of model agents share: a way to `fake_server` and `shown`, a factory over a URL."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))  # its modules are imported by name


@pytest.fixture
def factory() -> Callable[..., Any]:
    """A model factory over a URL; any field can be set."""
    from shown import QUICK

    from diag.agents.models import ModelFactory, OpenAIChat, ToolCall

    def make(url: str | None, **fields: Any) -> ModelFactory:
        return replace(ModelFactory("fake", "fake-1", OpenAIChat(url), ToolCall(), patience=QUICK), **fields)

    return make
