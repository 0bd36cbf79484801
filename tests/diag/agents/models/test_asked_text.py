"""A text that an arm asks for (RQ3): its own words close the request, with the screenshot of the restored board."""

from dataclasses import replace

import pytest

from diag.agents.models import CoordinateContract
from diag.agents.models.conversation import Picture, Text, summary_request
from diag.agents.models.formats import ToolCall
from diag.agents.models.prompts import Prompts
from diag.session.contract import Asked, PublicContext, Turn

TURN = Turn(({"name": "click", "x": 1, "y": 2},), "executed", "because", "earlier")
BASE = PublicContext("Play.", recent=(TURN,))


def closing(context: PublicContext, language: str = "en"):
    """Return the parts that follow the history in the request."""
    sent = summary_request(
        context,
        prompts=Prompts(language),
        system="system",
        render=lambda turn, place: ToolCall().render(turn, place, CoordinateContract()),
        load=lambda name: Picture(name, b"png", (1280, 900)),
    )
    parts = [part for message in sent.messages for part in message.parts]
    last = max(n for n, part in enumerate(parts) if not isinstance(part, Text | Picture) or "executed" in str(part))
    return parts[last + 1 :]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_request_and_the_restored_board_close_the_call_and_no_other_request_does(language):
    parts = closing(replace(BASE, asked=Asked("Write 240 words.", "restored")), language)
    assert [part.sha256 for part in parts if isinstance(part, Picture)][-1:] == ["restored"]
    words = [part.text for part in parts if isinstance(part, Text)]
    assert words[-1] == "Write 240 words."
    assert not any("200" in text for text in words)


def test_without_a_picture_the_request_stands_alone():
    parts = closing(replace(BASE, asked=Asked("Write.", None)))
    assert [part.text for part in parts if isinstance(part, Text)][-1] == "Write."
    assert "restored" not in [part.sha256 for part in parts if isinstance(part, Picture)]


def test_an_ordinary_summary_is_asked_for_in_the_harness_words():
    assert closing(BASE)[-1] == Text(Prompts("en").text("summary"))
    assert "200 words" in Prompts("en").text("summary")
