"""Nut and Bolt boards as text: one word a bolt, bottom to top, one letter a nut; "-" is an empty bolt."""

from games.nut_and_bolt.layout import COLOURS, Layout
from games.nut_and_bolt.rules import State

LETTER = {"r": "red", "b": "blue", "y": "yellow", "g": "green", "p": "purple"}
assert set(LETTER.values()) <= set(COLOURS)


def bolts(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(() if word == "-" else tuple(LETTER[nut] for nut in word) for word in text.split())


def board(text: str, capacity: int) -> State:
    """Return a board; the layout is taken to start with it."""
    return State(Layout(capacity, bolts(text)), bolts(text))


def drawn(state: State) -> str:
    return " ".join("".join(nut[0] for nut in bolt) or "-" for bolt in state.bolts)
