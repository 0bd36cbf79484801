"""What agents are told. Every text is part of the study's identity."""

# ruff: noqa: E501 - texts as they are told, a paragraph a line

from __future__ import annotations

from collections.abc import Mapping

from diag.agents.models.reply import Tool

ACTOR = """You play a turn-based game on a grid of 64 x 64 cells, values 0 to 15. Nobody tells you the rules: find out what \
the actions do and what completes a level. Complete all levels with as few actions as you can; every action counts, a \
RESET and the actions before it too.

ACTION1 to ACTION4 are up, down, left, right; ACTION6 is a click on a cell and needs row and col; ACTION7 undoes; RESET \
begins the level again, and is all that is left after a loss. You commit one action with take_action and then see what \
came of it. Answer with calls of tools.

Your folder keeps your files over all levels. The conversation is cleared when a level is completed, after you have \
written notes. The tool python runs in your folder, alone and without a network; `grid` is the current grid (numpy), and \
`wmlib` reads the evidence of the whole play in /evidence: wmlib.frames(level), transitions(level, archived=False), \
attempts(level), terminal_events(), death_events(), animation_index(), animation(path), current_grid(). Levels and turns \
count from 0. Two consecutive turns of an attempt are a transition; frames of animations, of completed levels and of \
losses are events of their own."""
MODEL = """

There is a world model of the game, Python files in the folder model/, imported as the module `model`:
  init_state(grid, level) -> state from the first grid of a level (int16 array) and its number from 0
  transition(state, action) -> the next state; action is {"action": "ACTION6", "row": 3, "col": 5}, row and col None for \
others; the argument must not be changed
  render(state) -> int16 grid, 0 to 15, or -1 where it abstains
  outcome(state) -> "ongoing", "level_complete" or "game_over"
and, if you like: observation_variants(state) -> at most five whole grids with the same unknown cells as render; \
actions(state) -> the actions worth searching; subgoals(state) -> functions of a state, to be met in turn; \
heuristic(state) -> number; planner_key(state) -> what makes two states equal.
The state is threaded through the actions and never read off a later grid. verify replays the evidence through the model: \
every claimed cell of the next frame must be right. plan searches the model for level_complete from the present state and \
then recommends its actions one by one, until a frame is not as expected. No plan means that this model has none."""
EDITOR = {
    "single": "\nYou write the model yourself; it is verified after each edit.",
    "orchestrator": "\nA builder writes the model when you call it with call_builder; you cannot edit its files.",
    "trigger": "\nA builder writes the model whenever it disagrees with the evidence; you cannot edit its files.",
    "given": "\nThe model is given and cannot be edited.",
}
BUILDER = """You build and mend the world model of a game that somebody else plays. You see the evidence of the play, not \
the game, and you take no action in it. Make the model agree with every recorded transition, abstain where you do not \
know, and say what completes a level and what loses it. Run verify after your edits; call done when you are through.

The tool python runs in your folder, alone and without a network; `wmlib` reads the evidence in /evidence: \
wmlib.frames(level), transitions(level, archived=False), attempts(level), terminal_events(), death_events(), \
animation_index(), animation(path), current_grid()."""
NOTES = """Level {level} is completed. Before this conversation is cleared, write what you learned to notes/level_{level}.md \
with write_file, then call done."""
NO_CALL = "Nothing was done: answer with a call of one of your tools."

_PATH = {"path": {"type": "string"}}


def _tool(
    name: str, words: str, properties: Mapping[str, object] | None = None, required: tuple[str, ...] = ()
) -> Tool:
    return Tool(name, words, {"type": "object", "properties": dict(properties or {}), "required": list(required)})


LIST_FILES = _tool("list_files", "List your files.")
READ_FILE = _tool("read_file", "Read one of your files.", _PATH, ("path",))
WRITE_FILE = _tool("write_file", "Write one of your files.", {**_PATH, "text": {"type": "string"}}, ("path", "text"))
PYTHON = _tool("python", "Run Python in your folder.", {"code": {"type": "string"}}, ("code",))
VERIFY = _tool("verify", "Verify the model against the evidence.")
PLAN = _tool(
    "plan", "Search the model for a way to complete the level.",
    {"method": {"type": "string", "enum": ["auto", "bfs", "astar", "subgoals"]}},
)  # fmt: skip
CALL_BUILDER = _tool("call_builder", "Have the builder work on the model.", {"request": {"type": "string"}})
DONE = _tool("done", "Say that you are through.", {"summary": {"type": "string"}})
TAKE_ACTION = _tool(
    "take_action", "Commit one action of the game.",
    {
        "action": {"type": "string", "enum": ["RESET", *(f"ACTION{number}" for number in range(1, 8))]},
        "row": {"type": "integer"},
        "col": {"type": "integer"},
    },
    ("action",),
)  # fmt: skip
FILES = (LIST_FILES, READ_FILE, WRITE_FILE, PYTHON)
TEXTS = (ACTOR, MODEL, *EDITOR.values(), BUILDER, NOTES, NO_CALL)
ALL = (*FILES, VERIFY, PLAN, CALL_BUILDER, DONE, TAKE_ACTION)
"""Every tool."""
