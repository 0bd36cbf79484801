"""What can be done in a Clue House without guessing, and how far a fact's showing is from its need. All exact.

An informed player presses a panel's buttons only after it has seen the card of the panel's emblem, and then only the
answer. A play of that kind is a walk over pairs (state, emblems seen), searched breadth first. Guessing is the only
other way to open a door, since nothing outside the card's room depends on the fact (`differing_scene` decides that),
and `games.clue_house.layout.search_size` counts the answers a guesser has to try.

Cost unit: one walk, one take or one press, each one click.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from games.clue_house.layout import Layout, Lock, search_size
from games.clue_house.rules import Move, State, initial_state, is_won, legal_moves, panel_in_use, step
from games.clue_house.stage import scene
from games.contract import Table
from games.grid import Cell
from solvers.certificate import DeadEnd, Solvable
from solvers.clue_house.search import sensible_moves, walk

LIMIT = 200_000
Informed = tuple[State, frozenset[str]]
"""A state and the emblems of the cards seen so far."""


class SearchLimit(RuntimeError):
    """A search met its limit, so nothing is claimed."""


@dataclass(frozen=True)
class NeedOfFact:
    """How far the showing of one card is from the opening of its lock."""

    emblem: str
    least_actions: int
    """Fewest actions from a moment at which the card is on the screen to its door opening, over every informed play."""
    on_shortest_win: int
    """Actions from the first sight of the card to its door opening in a shortest informed win."""
    guesses: int
    """Answers the lock may have for somebody who never saw the card."""


def informed_start(layout: Layout) -> Informed:
    """Return the start and what is seen there."""
    return _seen(initial_state(layout), frozenset())


def solve_informed(layout: Layout) -> Solvable | DeadEnd:
    """Return a shortest win without guessing, or the proof that there is none. Raises SearchLimit."""
    found = walk([informed_start(layout)], following, lambda node: is_won(node[0]), state_limit=LIMIT)
    if found.goal is not None:
        return Solvable(found.moves, exact=True, lower_bound=len(found.moves))
    if not found.complete:
        raise SearchLimit(f"an informed win is not decided within {LIMIT} states")
    return DeadEnd("exhausted_search", len(found.found))


def needs(layout: Layout) -> tuple[NeedOfFact, ...]:
    """Return the distance from showing to need of every lock, in the layout's order.

    Raises:
        ValueError: the level has no informed win, so a fact that is needed is never shown in time.
        SearchLimit: a search is too long.
    """
    solution = solve_informed(layout)
    if isinstance(solution, DeadEnd):
        raise ValueError("the level cannot be won without guessing, wanted a card for every lock in the way")
    everything = walk([informed_start(layout)], following, lambda _: False, state_limit=LIMIT)
    if not everything.complete:
        raise SearchLimit(f"more than {LIMIT} informed states")
    return tuple(_need(layout, lock, everything.found, solution.solution) for lock in layout.locks)


def without_card(layout: Layout, emblem: str) -> Layout:
    """Return the house with that card taken off its wall."""
    return replace(layout, cards=tuple(card for card in layout.cards if card.emblem != emblem))


def differing_scene(one: Layout, other: Layout, emblem: str) -> State | None:
    """Return a state outside the card's room in which two houses look different, None if there is none.

    The houses differ in what the card says and in nothing else. Both are walked side by side over every state that is
    reached without giving the lock either house's answer; only in the card's own room they are not compared.
    """
    rooms = {card.room for card in one.cards if card.emblem == emblem}
    answers = {lock.answer for layout in (one, other) for lock in layout.locks if lock.emblem == emblem}
    lock_room = next(lock.room for lock in one.locks if lock.emblem == emblem)
    pairs = [(initial_state(one), initial_state(other))]
    seen = set(pairs)
    while pairs:
        here, there = pairs.pop()
        if here.room not in rooms and scene(Table(here)) != scene(Table(there)):
            return here
        for move in legal_moves(here):
            full = (*here.entered, move.removeprefix("press:"))
            if here.room == lock_room and move.startswith("press:") and full in answers:
                continue
            pair = (step(here, move), step(there, move))
            if pair not in seen:
                seen.add(pair)
                pairs.append(pair)
    return None


def following(node: Informed) -> Iterable[tuple[Move, Informed]]:
    """Yield what an informed player can do, and what it knows then."""
    state, seen = node
    panel = panel_in_use(state)
    knows = panel is None or panel.emblem in seen
    for move in sensible_moves(state):
        if knows or not move.startswith("press:"):
            yield move, _seen(step(state, move), seen)


def _seen(state: State, seen: frozenset[str]) -> Informed:
    card = state.layout.card_in.get(state.room)
    return state, seen if card is None else seen | {card.emblem}


def _need(layout: Layout, lock: Lock, reached: frozenset[Informed], solution: tuple[Move, ...]) -> NeedOfFact:
    rooms = {card.room for card in layout.cards if card.emblem == lock.emblem}
    showing = [node for node in reached if node[0].room in rooms and lock.room not in node[0].opened]
    opening = walk(showing, following, lambda node: lock.room in node[0].opened, state_limit=LIMIT)
    if opening.goal is None:
        raise ValueError(f"the door of the {lock.emblem} panel cannot be opened after its card was seen")
    return NeedOfFact(lock.emblem, len(opening.moves), _on_way(layout, lock, rooms, solution), search_size(lock))


def _on_way(layout: Layout, lock: Lock, rooms: set[Cell], solution: tuple[Move, ...]) -> int:
    """Return the actions between first sight and opening along one informed win; 0 if it opens another way round."""
    state, sight = initial_state(layout), None
    for number, move in enumerate((None, *solution)):
        state = state if move is None else step(state, move)
        if sight is None and state.room in rooms:
            sight = number
        if sight is not None and lock.room in state.opened:
            return number - sight
    return 0
