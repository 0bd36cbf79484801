"""The description of an environment that the client files at initialisation: the same for every condition."""

from __future__ import annotations

from games.contract import Game

GENERAL = """# The environment

{goal}

There are {count} levels, played in order; a level that is finished does not come back. In the state `GAME_OVER` only
RESET is answered: it begins the level again. RESET counts as an action and does not set the count of the level's
actions back. Every action counts, also one that changes nothing. The same actions from the start of a level always give
the same result. The environment ends when all levels are finished or when a level has taken too many actions.

## Actions

One JSON object each:

    {{"id": "RESET"}}  {{"id": "ACTION1"}}  ...  {{"id": "ACTION5"}}  {{"id": "ACTION7"}}
    {{"id": "ACTION6", "data": {{"x": 12, "y": 34}}}}      a click: x is the column, y the row, from 0 at the top left

ACTION1 to ACTION4 are up, down, left, right, ACTION7 is undo, where there is one. `available_actions` in metadata.txt
names those that this environment has.

## What every step shows

- `metadata.txt`: JSON: step, action, state (NOT_FINISHED, WIN, GAME_OVER), levels_completed, levels, available_actions,
  attempt_actions (since this attempt at the level began), level_actions (since the last level was finished)
- `final.txt`: the picture, 64 lines of 64 hexadecimal digits, a colour each; `final.png`: the same as an image
- `intermediate_00.txt` and so on: what was shown before it, if anything: the last picture of a finished level
"""
WORDS = """- `scene.json`: the picture in words; `feedback.txt`: what the last action came to

## The rules

{rules}
{surface}"""
MAZE_SURFACE = """
ACTION6 on the arrows below the map throws (upper row) or looks (lower row): up, right, down, left from the left, at
x = 2, 10, 18, 26 and y = 59 or 61. In `scene.json`: `cells` has a line per row, `?` unknown, `.` floor, `k` key,
`t` treasure, `x` exit, `e` exit key, `b` boat, `g` grenade, `f` flashlight, `o` pit, `^ > v <` river with its
direction, `m` mouth; `edges` lists borders that are known: row, column, side, wall or open."""


def describe(goal: str, count: int, game: Game, language: str) -> str:
    """Return the description. A game whose scenes say in words what happened also states its rules."""
    text = GENERAL.format(goal=goal, count=count)
    if game.name != "agi_maze":
        return text
    rules = game.texts("zh" if language == "zh" else "en")["instructions"]
    return text + WORDS.format(rules="\n".join(f"- {rule}" for rule in rules), surface=MAZE_SURFACE) + "\n"
