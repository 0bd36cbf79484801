"""What a model says outside its thoughts: nothing between `<think>` and `</think>` is an action, a claim or a reason.

Servers without a reasoning parser leave thoughts in the text, and chat templates that open them in the prompt leave
only the closing tag. So a closing tag without an opening one ends a thought that began with the text, and an opening
one without a closing one is a thought to the end.
"""

from __future__ import annotations

import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_TAG = re.compile(
    rf"<(?P<xml>/?)(?:\w+:)?(?:{_NAMES})\s*>|\[(?P<square>/?)THINK\]|◁(?P<moon>/?)think▷"
    r"|<\|(?P<word>begin|end)_of_thought\|>",
    re.IGNORECASE,
)


def spoken(text: str) -> str:
    """Return a text without its thoughts."""
    kept: list[str] = []
    place, thinking = 0, False
    for tag in _TAG.finditer(text):
        closes = "/" in (tag["xml"], tag["square"], tag["moon"]) or (tag["word"] or "").lower() == "end"
        if closes and not thinking:
            kept.clear()
        elif not closes and not thinking:
            kept.append(text[place : tag.start()])
        thinking = not closes
        place = tag.end()
    if not thinking:
        kept.append(text[place:])
    return "".join(kept).strip() if place else text
