"""What a player and a judge are asked, word for word. Data that enters the identity of a plan.

The strict forms are those of `diag.studies.clue_memory.formats`; each request shows its own by example.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from diag.studies.clue_memory.memories import Mapping

SEEK = """\
Phase: seek. Explore, and look for what may matter later. Actions left in this phase: {left}.
Whenever the screen shows something worth remembering, put it into the words you say before you act, as
<clues>[{{"name": "...", "description": "every detail that may be needed", "location": {{"spot": "...", "surroundings":
"..."}}, "type": "item|note|code|visual cue|status|conversation", "interactable": false, "usage_hint": "..."}}]</clues>
<episodes>[{{"action": "what you did last, and what came of it", "place": "..."}}]</episodes>
Both tags or neither; a list may be empty. One action per answer."""
DONE = """
If nothing is left to explore, say <done>true</done> and do not act: the next phase begins."""
SOLVE = """\
Phase: solve. Work on this one task, with what is remembered: <task>{task}</task>
Actions left for it: {left}. One action per answer.
When the game has visibly changed because of it, say
<result>{{"success": true, "change": "item|area|state|story"}}</result>
and do not act. When it cannot succeed, or no action is left, say
<result>{{"success": false}}</result>
and do not act."""
MAP = """\
Write this account: which remembered clue belongs to what else is remembered or seen, and what to do about it. Your
answer is nothing but
<mappings>[{{"clue": "the name of a remembered clue", "related_memory": "...", "expected_action": "..."}}]</mappings>
with at most {most} entries, the most promising first, none that is solved already; [] if none is promising."""
NOTES = """\
Write this account: your notes for the rest of the game, in any form, at most {capacity} tokens; they replace your
earlier notes, and turns that are older than a few will be forgotten."""
JUDGE = """\
You check what somebody else has reached in a game. You have your own copy of it and may act to look around; nothing you
do counts for the game. The statement to check: {text}
Navigate: close what covers the screen and look at the board and its surroundings. Stop as soon as you know. Then say
<verdict>true</verdict> or <verdict>false</verdict> and do not act. Actions left: {left}."""


def seek(left: int, *, may_be_done: bool) -> str:
    """Return the request of a seek."""
    return SEEK.format(left=left) + (DONE if may_be_done else "")


def solve(task: Mapping, left: int) -> str:
    """Return the request of a solve."""
    return SOLVE.format(task=json.dumps(asdict(task), ensure_ascii=False), left=left)
