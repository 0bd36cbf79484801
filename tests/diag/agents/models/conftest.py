"""What the tests of model agents share: a way to `fake_server`, an observation, an agent over a URL."""

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from diag.agents.contract import Observation, PublicContext
from diag.agents.models import ModelFactory, OpenAIChat, Patience, ToolCall

QUICK = Patience(request_timeout_s=0.6, tries=3, first_wait_s=0.02, longest_wait_s=0.05, wait_limit_s=2.0)


def png(shade: int = 200) -> bytes:
    """A screenshot of one colour."""
    buffer = io.BytesIO()
    Image.new("RGB", (1280, 900), (shade, shade, shade)).save(buffer, "PNG")
    return buffer.getvalue()


def seen(shade: int = 200, **context: Any) -> Observation:
    return Observation(PublicContext(**{"instruction": "Win.", **context}), png(shade), None, 0.0)


@pytest.fixture
def factory() -> Callable[..., ModelFactory]:
    """A factory over a URL; any field can be set."""

    def make(url: str | None, **fields: Any) -> ModelFactory:
        base = ModelFactory("fake", "fake-1", OpenAIChat(url), ToolCall(), patience=QUICK)
        return replace(base, **fields)

    return make
