"""Nut and Bolt as somebody who looks at the picture sees it: stacks of colours, and what looks like progress."""

from __future__ import annotations

from games.contract import JsonObject, Option, Tap
from games.nut_and_bolt.stage import taps_for

Stack = list[str]


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return every transfer that the picture shows to be possible, none when all stacks are sorted and full."""
    stacks: list[Stack] = [bolt["nuts"] for bolt in scene["bolts"]]
    capacity = scene["capacity"]
    if all(not stack or (len(stack) == capacity and len(set(stack)) == 1) for stack in stacks):
        return ()
    lifted = next((number for number, bolt in enumerate(scene["bolts"]) if bolt["lifted"]), None)
    places = [_middle(bolt["slot"]) for bolt in scene["bolts"]]
    numbers = range(len(stacks))
    return tuple(
        Option([s, d], taps_for(places, lifted, s, d), _appeal(stacks[s], stacks[d], capacity))
        for s in numbers
        for d in numbers
        if s != d and _fits(stacks[s], stacks[d], capacity)
    )


def _fits(source: Stack, destination: Stack, capacity: int) -> bool:
    return bool(source) and (not destination or (len(destination) < capacity and destination[-1] == source[-1]))


def _appeal(source: Stack, destination: Stack, capacity: int) -> float:
    """Return how much a transfer looks like progress: finishing a colour, joining it, and last an empty bolt."""
    run = _run(source)
    if not destination:
        return 0.02 if run == len(source) else 0.3
    grows = _run(destination) + min(run, capacity - len(destination))
    if grows == capacity:
        return 1.0
    if run > capacity - len(destination):
        return 0.15
    return 0.5 + 0.4 * grows / capacity if len(set(destination)) == 1 else 0.5


def _run(stack: Stack) -> int:
    return next((k for k in range(1, len(stack)) if stack[-1 - k] != stack[-1]), len(stack))


def _middle(slot: list[float]) -> Tap:
    x, y, width, height = slot
    return Tap(x + width / 2, y + height / 2)
