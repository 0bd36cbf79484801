"""Everything a player sees, as JSON for the page. Nothing else of a session ever travels to the page."""

from __future__ import annotations

from games.catalogue import Catalogue
from games.contract import JsonObject, JsonValue
from games.suite.controls import DIALOG, controls_of, next_level
from games.suite.state import SuiteState, game_in_play
from games.suite.texts import difficulty_label, instructions_of, note_text, suite_text


def picture_of(catalogue: Catalogue, state: SuiteState) -> dict[str, JsonValue]:
    """Return the picture of a state; rectangles are [x, y, width, height] in viewport pixels."""
    return {
        "screen": state.screen,
        "language": state.language,
        "controls": [control.to_json(catalogue) for control in controls_of(catalogue, state)],
        "title": _title(catalogue, state),
        "subtitle": _subtitle(catalogue, state),
        "instructions": _instructions(catalogue, state),
        "labels": {key: suite_text(state.language, key) for key in ("how_to_play", "message")},
        "note": _note(catalogue, state),
        "dialog": _dialog(catalogue, state),
        "game": state.game,
        "board": None if state.play is None else game_in_play(catalogue, state).scene(state.play.table),
        "motion": state.motion,
        "seq": state.seq,
    }


def _title(catalogue: Catalogue, state: SuiteState) -> str:
    if state.game is None:
        return suite_text(state.language, "suite_title")
    title: str = catalogue.games[state.game].texts(state.language)["title"]
    return title


def _subtitle(catalogue: Catalogue, state: SuiteState) -> str:
    match state.screen:
        case "home":
            return suite_text(state.language, "suite_subtitle")
        case "difficulties":
            return suite_text(state.language, "choose_difficulty")
        case "levels":
            chosen = difficulty_label(catalogue.games[str(state.game)], state.language, str(state.difficulty))
            return f"{chosen} · {suite_text(state.language, 'choose_level')}"
        case "playing":
            return _level_text(catalogue, state, "level_title")


def _level_text(catalogue: Catalogue, state: SuiteState, key: str) -> str:
    level = state.on_board.level
    label = difficulty_label(game_in_play(catalogue, state), state.language, level.difficulty)
    return suite_text(state.language, key, difficulty=label, number=level.number)


def _instructions(catalogue: Catalogue, state: SuiteState) -> list[str]:
    if state.play is None:
        return []
    return instructions_of(game_in_play(catalogue, state), state.language, state.instructions)


def _note(catalogue: Catalogue, state: SuiteState) -> JsonObject | None:
    message = state.message
    if message is None or state.play is None:
        return None
    if message.own:
        text = suite_text(state.language, message.key, **message.values)
    else:
        text = note_text(game_in_play(catalogue, state), state.language, message.key, message.values)
    return {"text": text, "tone": message.tone}


def _dialog(catalogue: Catalogue, state: SuiteState) -> JsonObject | None:
    if state.play is None or not state.play.dialog:
        return None
    level = state.play.level
    siblings = {entry.id for entry in catalogue.levels(level.game, level.difficulty)}
    kind = "won"
    if siblings <= set(state.won_levels):
        kind = "all_done"
    title = suite_text(state.language, f"{kind}_title")
    if kind == "won" and next_level(catalogue, level) is None:
        return {"title": title, "text": _level_text(catalogue, state, "last_text"), "rect": list(DIALOG)}
    return {"title": title, "text": _level_text(catalogue, state, f"{kind}_text"), "rect": list(DIALOG)}
