"""One cell of knowledge x workflow (protocol 5): with or without the rules card, menus by the agent or a controller."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from diag.session.contract import Privilege, PublicContext
from diag.studies.knowledge_workflow.cards import Language, card_of
from games.registry import registered_games

Workflow = Literal["agent", "controller"]
COHORT = "E"
WORKFLOW_SENTENCE: dict[Workflow, dict[Language, str]] = {
    "agent": {
        "en": "You are at the home screen and the menus are yours: open the game and the difficulty, check them before "
        "you start, and go on to the next level after each completed one. Every move on the board is yours.",
        "zh": "你现在在主页，菜单由你操作：请打开游戏和难度，开始前核对，"  # noqa: RUF001 - Chinese punctuation
        "并在每关完成后进入下一关。棋盘上的每一步都由你来走。",
    },
    "controller": {
        "en": "The menus are worked for you: a controller opens the game and, after each completed level, the next "
        "one. Every move on the board is yours.",
        "zh": "菜单由控制器代为操作：它会打开游戏，并在每关完成后进入下一关。"  # noqa: RUF001
        "棋盘上的每一步都由你来走。",
    },
}
"""Who works the menus. The objective says nothing of it, so that it is true under P0 and P1."""


@dataclass(frozen=True)
class Cell:
    """K0 or K1 by `card`, P0 or P1 by `workflow`; `restart_dead_ends` adds the restart controller."""

    name: str
    card: bool
    workflow: Workflow
    restart_dead_ends: bool = False
    """A controller restarts the level after a certified dead end; Bolt Unscrew objectives only."""
    language: Language = "en"
    description: str = ""
    privilege: Privilege = "none"

    def __post_init__(self) -> None:
        if self.workflow not in get_args(Workflow):
            raise ValueError(f"{self.name}: workflow {self.workflow!r}, wanted one of {', '.join(get_args(Workflow))}")
        if self.language not in get_args(Language):
            raise ValueError(f"{self.name}: language {self.language!r}, wanted one of {', '.join(get_args(Language))}")

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort consists of episodes."""
        return cohort == COHORT

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context with the sentence on the menus and, under K1, the card as a note.

        The card stands in `memory`, so that it is there in rule probes, whose question takes the instruction's place.

        Raises:
            ValueError: another cohort, or an instruction that names no game.
        """
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}; wanted {COHORT}")
        if self.card:
            context = replace(context, memory=card_of(game_of(context.instruction)).text(self.language))
        sentence = WORKFLOW_SENTENCE[self.workflow][self.language]
        return replace(context, instruction=f"{context.instruction}\n\n{sentence}")


def game_of(instruction: str) -> str:
    """Return the one game whose on-screen title an instruction names. Raises ValueError for none or several."""
    found = {
        name
        for name, game in registered_games().items()
        for language in get_args(Language)
        if str(game.texts(language)["title"]) in instruction
    }
    if len(found) != 1:
        raise ValueError(
            f"an instruction that names {sorted(found) or 'no game'}; wanted exactly one: {instruction!r:.80}"
        )
    return found.pop()
