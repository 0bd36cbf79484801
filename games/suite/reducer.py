"""The suite as a pure function: a state and a gesture give the next state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from games.catalogue import Catalogue
from games.contract import Drag, Gesture, JsonObject, JsonValue, KeyPress, LevelId, Reaction, Table, Tap
from games.suite.controls import control_at, controls_of, is_on_board, next_level
from games.suite.snapshot import Transition, TransitionKind
from games.suite.state import Message, Play, SuiteState, game_in_play, is_complete
from games.suite.texts import LANGUAGES


def handle(catalogue: Catalogue, state: SuiteState, gesture: Gesture) -> SuiteState:
    """Return the suite after a gesture; `state` is untouched."""
    state = replace(state, seq=state.seq + 1, motion=None, fresh=())
    match gesture:
        case Tap(x, y):
            return _tap(catalogue, state, gesture, x, y)
        case Drag():
            return _drag(catalogue, state, gesture)
        case KeyPress(key):
            return _key(catalogue, state, gesture, key)


def open_level(catalogue: Catalogue, state: SuiteState, level: LevelId) -> SuiteState:
    """Return the suite with a level's first board. Raises KeyError if there is no such level."""
    first = catalogue.games[level.game].initial_state(catalogue.layout(level))
    play = Play(level, Table(first))
    state = replace(state, screen="playing", game=level.game, difficulty=level.difficulty, play=play, message=None)
    return record(catalogue, state, "enter")


def record(catalogue: Catalogue, state: SuiteState, kind: TransitionKind, move: JsonValue | None = None) -> SuiteState:
    """Return the state with the transition that led to its board. Raises ValueError outside `playing`."""
    play, game = state.on_board, game_in_play(catalogue, state)
    board = play.table.state
    transition = Transition(
        index=state.n_transitions,
        kind=kind,
        level=play.level,
        move=move,
        state=game.state_to_json(board),
        won=game.is_won(board),
        potential=game.potential(board),
    )
    return replace(state, n_transitions=state.n_transitions + 1, fresh=(*state.fresh, transition))


def _tap(catalogue: Catalogue, state: SuiteState, gesture: Gesture, x: float, y: float) -> SuiteState:
    control = control_at(controls_of(catalogue, state), x, y)
    if control is not None:
        return _press(catalogue, state, control.id)
    return _on_board(catalogue, state, gesture) if is_on_board(x, y) else state


def _drag(catalogue: Catalogue, state: SuiteState, drag: Drag) -> SuiteState:
    """A shaky click on a button still counts if it ends on the button; a drag from the board belongs to the game."""
    controls = controls_of(catalogue, state)
    control = control_at(controls, drag.x0, drag.y0)
    if control is not None:
        ends_there = drag.finished and control_at(controls, drag.x1, drag.y1) == control
        return _press(catalogue, state, control.id) if ends_there else state
    return _on_board(catalogue, state, drag) if is_on_board(drag.x0, drag.y0) else state


def _key(catalogue: Catalogue, state: SuiteState, gesture: Gesture, key: str) -> SuiteState:
    if state.screen == "playing":
        if state.on_board.dialog:
            wanted = {"Enter": ("next_level", "levels"), "Escape": ("close_dialog",)}.get(key, ())
            enabled = [control.id for control in controls_of(catalogue, state) if control.enabled]
            return next((_press(catalogue, state, name) for name in wanted if name in enabled), state)
        return _on_board(catalogue, state, gesture)
    if key == "Escape" and state.screen != "home":
        return (
            _show_difficulties(catalogue, state, str(state.game))
            if state.screen == "levels"
            else _show_home(catalogue, state, "")
        )
    return state


def _press(catalogue: Catalogue, state: SuiteState, control_id: str) -> SuiteState:
    name, _, value = control_id.partition(":")
    return _BUTTONS[name](catalogue, state, value)


def _show_home(catalogue: Catalogue, state: SuiteState, _value: str) -> SuiteState:
    return replace(_leave(catalogue, state), screen="home", game=None, difficulty=None)


def _show_difficulties(_catalogue: Catalogue, state: SuiteState, game: str) -> SuiteState:
    return replace(state, screen="difficulties", game=game, difficulty=None)


def _show_levels(catalogue: Catalogue, state: SuiteState, difficulty: str) -> SuiteState:
    return replace(_leave(catalogue, state), screen="levels", difficulty=difficulty or state.difficulty)


def _leave(catalogue: Catalogue, state: SuiteState) -> SuiteState:
    if state.play is None:
        return state
    return replace(record(catalogue, state, "leave"), play=None, message=None)


def _open_number(catalogue: Catalogue, state: SuiteState, number: str) -> SuiteState:
    return open_level(catalogue, state, LevelId(str(state.game), str(state.difficulty), int(number)))


def _open_next(catalogue: Catalogue, state: SuiteState, _value: str) -> SuiteState:
    following = next_level(catalogue, state.on_board.level)
    assert following is not None, "the button is only there when there is a next level"
    return open_level(catalogue, _leave(catalogue, state), following)


def _restart(catalogue: Catalogue, state: SuiteState, _value: str) -> SuiteState:
    level = state.on_board.level
    first = game_in_play(catalogue, state).initial_state(catalogue.layout(level))
    return record(catalogue, replace(state, play=Play(level, Table(first)), message=None), "restart")


def _undo(catalogue: Catalogue, state: SuiteState, _value: str) -> SuiteState:
    """The button never changes its looks: two ways to one board must look alike."""
    play = state.on_board
    if is_complete(catalogue, state):
        return replace(state, message=Message("board_complete", own=True))
    if not play.history:
        return replace(state, message=Message("nothing_to_undo", tone="mistake", own=True))
    play = replace(play, table=Table(play.history[-1]), history=play.history[:-1])
    return record(catalogue, replace(state, play=play, message=None), "undo")


def _close_dialog(_catalogue: Catalogue, state: SuiteState, _value: str) -> SuiteState:
    return replace(state, play=replace(state.on_board, dialog=False), message=Message("board_complete", own=True))


def _switch_language(_catalogue: Catalogue, state: SuiteState, _value: str) -> SuiteState:
    after = LANGUAGES[(LANGUAGES.index(state.language) + 1) % len(LANGUAGES)]
    return replace(state, language=after)


_BUTTONS: Mapping[str, Callable[[Catalogue, SuiteState, str], SuiteState]] = {
    "home": _show_home,
    "game": _show_difficulties,
    "difficulty": _show_levels,
    "levels": _show_levels,
    "level": _open_number,
    "next_level": _open_next,
    "restart": _restart,
    "undo": _undo,
    "close_dialog": _close_dialog,
    "language": _switch_language,
}


def _on_board(catalogue: Catalogue, state: SuiteState, gesture: Gesture) -> SuiteState:
    """Let the game react; a complete board and a board under the dialog take no input."""
    if state.screen != "playing" or state.on_board.dialog:
        return state
    if is_complete(catalogue, state):
        return replace(state, message=Message("board_complete", own=True))
    play, game = state.on_board, game_in_play(catalogue, state)
    reaction = game.react(play.table, gesture)
    state = replace(state, message=_message(reaction), motion=reaction.motion)
    if reaction.move is None:
        return replace(state, play=replace(play, table=replace(play.table, held=reaction.held)))
    return _moved(catalogue, state, reaction)


def _moved(catalogue: Catalogue, state: SuiteState, reaction: Reaction) -> SuiteState:
    play, game = state.on_board, game_in_play(catalogue, state)
    before = play.table.state
    after = game.step(before, reaction.move)
    won = game.is_won(after)
    play = replace(play, table=Table(after, reaction.held), history=(*play.history, before), dialog=won)
    state = replace(state, play=play)
    if won and play.level not in state.won_levels:
        state = replace(state, won_levels=(*state.won_levels, play.level))
    return record(catalogue, state, "move", game.move_to_json(reaction.move))


def _message(reaction: Reaction) -> Message | None:
    note = reaction.note
    return None if note is None else Message(note.key, note.values, note.tone)


def placed(
    catalogue: Catalogue,
    state: SuiteState,
    level: LevelId,
    board: JsonObject,
    won_levels: tuple[LevelId, ...],
    history: tuple[JsonObject, ...],
) -> SuiteState:
    """Return the suite as a player left it who had reached this board. Raises KeyError, ValueError."""
    game, layout = catalogue.games[catalogue.level(level).id.game], catalogue.layout(level)
    table = Table(game.state_from_json(layout, board))
    past = tuple(game.state_from_json(layout, item) for item in history)
    return record(
        catalogue,
        replace(
            state,
            seq=state.seq + 1,
            screen="playing",
            game=level.game,
            difficulty=level.difficulty,
            play=Play(level, table, past, dialog=game.is_won(table.state)),
            message=None,
            motion=None,
            won_levels=won_levels,
            fresh=(),
        ),
        "placed",
    )
