"""The sentences a simulated player gives as its reasons, several wordings for each intention.

They are ordinary English, so that rationale coding reads them as it reads a model's; which ones are coded is decided
by `diag.grading.rationale` alone, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

Intention = Literal[
    "play", "continue", "fruitless", "blame", "cause", "restart", "told", "resume", "navigate", "next", "done", "quit",
    "wait", "oracle",
]  # fmt: skip

PHRASES: Mapping[Intention, tuple[str, ...]] = {
    "play": (
        "This looks like progress, so I make this move next.",
        "I make a move that should loosen the board.",
        "Next I move this piece; it opens up the position.",
        "A reasonable next step from what I see.",
    ),
    "continue": (
        "I carry out the second half of the planned move.",
        "Now I complete the move I began.",
        "The piece is picked up; I put it down where I planned.",
    ),
    "fruitless": (
        "I continue with this screw.",
        "Let me look at what this one does.",
        "I go on with the piece in the middle.",
        "I keep working on the upper part of the board.",
    ),
    "blame": (
        "The move did not take effect, I will try another hole.",
        "My last click did not register; I retry with a click on the centre.",
        "Nothing changed after the click, so I try a different screw.",
        "The previous tap seems to have missed; I click more precisely.",
        "The placement was not accepted, I will try a different target.",
    ),
    "cause": (
        "All holes are full; no destination remains. I restart the level.",
        "There is no free hole left for any screw, so the level has to be restarted.",
        "Every hole is occupied and no legal move remains. I use the restart button.",
    ),
    "restart": (
        "I am stuck on this board and start over.",
        "This line of play leads nowhere; I restart the level.",
        "I go back to the beginning of the level.",
    ),
    "told": (
        "I was told that the board is stuck, so I restart the level.",
        "According to the information given this board is lost; restarting is the way forward.",
    ),
    "resume": ("The level is back at its start; I play again.", "A fresh board. I begin again."),
    "navigate": ("I open what the task asks for.", "I go on through the menu."),
    "next": ("The level is complete; I go to the next one.", "Solved. On to the next level."),
    "done": ("Everything I was asked for is complete.",),
    "quit": ("I do not see a way to make further progress and stop here.", "I end my session here."),
    "wait": ("I wait.",),
    "oracle": ("The next move of the plan.",),
}


def say(intention: Intention, rng: np.random.Generator) -> str:
    """Return one of the wordings."""
    wordings = PHRASES[intention]
    return wordings[int(rng.integers(len(wordings)))]
