"""What tests show to a model: screenshots of one colour, observations, little patience."""

import io
from typing import Any

from hypothesis import HealthCheck, settings
from PIL import Image

from diag.agents.models import Patience
from diag.session.contract import Observation, PublicContext

QUICK = Patience(request_timeout_s=0.6, tries=3, first_wait_s=0.02, longest_wait_s=0.05, wait_limit_s=5.0)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Properties do not depend on how busy a machine is."""


def png(shade: int = 200) -> bytes:
    """A screenshot of one colour."""
    buffer = io.BytesIO()
    Image.new("RGB", (1280, 900), (shade, shade, shade)).save(buffer, "PNG")
    return buffer.getvalue()


def seen(shade: int = 200, **context: Any) -> Observation:
    """An observation at time 0."""
    return Observation(PublicContext(**{"instruction": "Win.", **context}), png(shade), None, 0.0)
