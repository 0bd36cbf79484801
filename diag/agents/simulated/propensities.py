"""What kind of player a simulated agent is: every tendency a number, chosen to imitate published rates or freely."""

from __future__ import annotations

from dataclasses import dataclass, fields

_COUNTS = ("patience", "cramped_holes")


@dataclass(frozen=True)
class Propensities:
    """Tendencies of a parametric player; probabilities in [0, 1] unless said otherwise.

    "Per decision" is drawn anew at every decision; "per attempt" is drawn once and then is a trait of the player.
    """

    # play
    skill: float = 0.5
    """Per move: takes the move that looks most like progress; else any move that looks legal."""
    overreach: float = 0.0
    """Per move in a cramped position (`cramped_holes`): takes the visible move that leaves fewest destinations."""
    cramped_holes: int = 2
    """At most so many visible destinations make a position cramped. A count."""
    misclick: float = 0.02
    """Per gesture: the hand lands up to `MISCLICK_PX` beside its aim."""
    single_action: float = 0.8
    """Per move: performs its gestures one decision at a time instead of in one batch."""
    forget: float = 0.02
    """Per decision: loses the rest of its plan, and how long it has been stuck."""

    # in a visible dead end (no move can be read off the scene)
    patience: int = 8
    """Decisions it keeps trying before it may well notice. A count."""
    recognise_early: float = 0.005
    """Per decision before `patience` is used up: notices by itself."""
    recognise_dead_end: float = 0.03
    """Per decision afterwards: notices by itself."""
    restart_when_told: float = 0.9
    """Per attempt: acts on a sentence in its context that no move remains."""
    restart_when_named: float = 0.9
    """Per attempt: the same when the sentence also names a button that is on the screen."""
    heed: float = 0.7
    """Per decision: a player that acts on such a sentence does so now."""
    trust_against_sight: float = 0.0
    """Per attempt: acts on such a sentence although it sees moves."""
    blame_click: float = 0.6
    """Per attempt: explains fruitless clicks by clicks that did not take effect, when nobody told it otherwise."""
    blame_click_when_told: float = 0.15
    """The same when it was told that no move remains."""
    names_cause: float = 0.85
    """Per recovery: its reason says that the holes are full or no destination remains."""

    # memory at retry
    account_insight: float = 0.0
    """Per account: names the exhausted holes as the cause and a different order as the plan."""
    heed_account: float = 0.0
    """Per attempt: a memory that says to keep holes free makes it take moves that leave most destinations."""

    # knowledge
    lost_without_card: float = 0.0
    """Per attempt: without a rules card it does not know how to move and stops at the first board."""

    # episodes
    stop_early: float = 0.0
    """Per decision: ends the session without success."""
    claim_when_stopping: float = 0.5
    """Per such end: claims completion instead of saying that it stops."""
    wander: float = 0.0
    """Per menu decision: opens something other than what it was asked for."""
    knows_rule: float = 0.7
    """Per rule and attempt: states it when asked in a probe."""

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name in _COUNTS:
                if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                    raise ValueError(f"{item.name} must be an integer from 0, got {value!r}")
            elif not 0 <= value <= 1:
                raise ValueError(f"{item.name} must be in [0, 1], got {value!r}")
