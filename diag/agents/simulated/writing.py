"""What a simulated player writes when it is asked for words: summaries, the account of a failure, rules it knows."""

from __future__ import annotations

import numpy as np

from diag.agents.simulated.view import View
from diag.session.contract import PublicContext, Turn


def summary(context: PublicContext) -> str:
    """Return a summary of the recent turns: what was done, and what the dispatcher said last."""
    if not context.recent:
        return "Nothing has been done yet."
    n_actions = sum(len(turn.actions) for turn in context.recent)
    last = context.recent[-1]
    return (
        f"In the last {len(context.recent)} turns I made {n_actions} actions. "
        f"My latest thought was: {last.reason} The latest feedback was: {last.feedback}"
    )


def account(context: PublicContext, headings: tuple[str, str], *, insight: bool = False) -> str:
    """Return the structured account of a failure that memory arm M2 asks for, from the player's own turns.

    Its two headings are those asked for; its sentences are English. With `insight` it names the cause and another plan;
    without, it blames placements and goes on as before.
    """
    turns: tuple[Turn, ...] = (*context.prefix, *context.recent)
    if insight:
        return (
            f"{headings[0]}\n"
            f"I made {sum(len(turn.actions) for turn in turns)} actions before the restart. The free holes were used "
            "up: every hole was occupied and no destination remained.\n\n"
            f"{headings[1]}\n"
            "The level is back at its first board. I use a different order and keep holes free after every move."
        )
    thoughts = list(dict.fromkeys(turn.reason for turn in turns if turn.reason))[-3:]
    return (
        f"{headings[0]}\n"
        f"I made {sum(len(turn.actions) for turn in turns)} actions before the restart. {' '.join(thoughts)} "
        "Some placements seemed not to be accepted, and I could not confirm their outcome.\n\n"
        f"{headings[1]}\n"
        "The level is back at its first board. I continue with the same plan and check each move on the screen."
    )


def rules_known(view: View, share: float, rng: np.random.Generator) -> str:
    """Return the rules the player can state: a share of the sentences in front of it.

    It knows the visible instructions of the game and the memory in its own context, never the rules themselves.
    """
    sentences = [str(item) for item in view.picture.get("instructions", ())] if view.observation.scene else []
    memory = view.observation.context.memory
    sentences += [line.strip() for line in (memory or "").splitlines() if line.strip()]
    known = [sentence for sentence in sentences if rng.random() < share]
    return " ".join(known) if known else "I do not know the rules yet."
