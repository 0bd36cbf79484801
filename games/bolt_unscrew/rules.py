"""Bolt Unscrew rules: a screw moves to a free hole of the plate, then the boards settle. Pure functions.

A move takes a screw to an empty anchor whose whole circle is free of solid wood; if a board's hole is aligned with it
the screw pins that board. The move is atomic: the screw lands first, then boards turn or drop, so the last screw of a
board can move to another aligned hole of it without dropping it. All boards out = won. `mechanics` says how boards
settle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.bolt_unscrew import layout as layouts
from games.bolt_unscrew.layout import Layout, Point
from games.bolt_unscrew.mechanics import FULL_TURN, NANO, OUT, PEG, BoardAutomaton, Pose, automata
from games.contract import IllegalMove, JsonObject, JsonValue, LevelError


class Move(NamedTuple):
    """Take the screw at anchor `source` to the empty anchor `target`."""

    source: int
    target: int


@dataclass(frozen=True)
class State:
    """A settled board. Only the layout and these two fields decide what can happen."""

    layout: Layout = field(hash=False, repr=False)
    occupied: int
    """Mask of the anchors that hold a screw: bit i for anchor i."""
    poses: tuple[Pose | None, ...]
    """Where each board rests; None once it is out."""

    @property
    def screws(self) -> tuple[int, ...]:
        """Anchors that hold a screw, ascending."""
        return _bits(self.occupied)

    @property
    def boards_out(self) -> int:
        """Boards that have left the plate."""
        return self.poses.count(None)


@dataclass(frozen=True)
class Turn:
    """A board turns about a screw."""

    board: int
    pivot: int
    """The anchor it turns about."""
    start: Pose
    end: Pose
    sweep_rad: float
    """Signed angle from start to end, positive clockwise on screen, in [-pi, pi]."""


@dataclass(frozen=True)
class Fall:
    """A board drops off the plate from where it rested."""

    board: int
    start: Pose


Motion = Turn | Fall


def parse_layout(data: JsonObject) -> Layout:
    """Read a layout and check that it can be played: every board pinned, no screw in solid wood. Raises LevelError."""
    layout = layouts.parse_layout(data)
    occupied = sum(1 << index for index in layout.screws)
    for index, automaton in enumerate(automata(layout)):
        pinned, buried = (mask[automaton.authored] & occupied for mask in (automaton.aligned, automaton.covered))
        if not pinned:
            raise LevelError(f"boards[{index}].holes: found no screw in them, wanted at least one")
        if buried:
            raise LevelError(f"anchors[{_bits(buried)[0]}].screw: found in the solid wood of boards[{index}]")
    return layout


def initial_state(layout: Layout) -> State:
    """Return the authored board after it has settled."""
    occupied = sum(1 << index for index in layout.screws)
    return State(layout, occupied, tuple(_rest(a, a.poses[a.authored], occupied) for a in automata(layout)))


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return all admissible moves, by source, then target; none if won or if no hole is available."""
    if is_won(state):
        return ()
    targets = free_anchors(state)
    return tuple(Move(source, target) for source in state.screws for target in targets)


def free_anchors(state: State) -> tuple[int, ...]:
    """Return the empty anchors whose whole circle is free of solid wood, ascending."""
    holes = range(len(state.layout.anchors))
    unavailable = state.occupied | covered_mask(state)
    return tuple(hole for hole in holes if not unavailable >> hole & 1)


def covered_mask(state: State) -> int:
    """Return the mask of the anchors that some board's solid wood covers, wholly or in part."""
    covered = 0
    for automaton, pose in zip(automata(state.layout), state.poses, strict=True):
        if pose is not None:
            covered |= automaton.covered[automaton.id_of(pose)]
    return covered


def step(state: State, move: Move) -> State:
    """Return the settled state after `move`. Raises IllegalMove if the rules do not allow it here."""
    occupied = _moved(state, move)
    pairs = zip(automata(state.layout), state.poses, strict=True)
    return State(state.layout, occupied, tuple(_rest(automaton, pose, occupied) for automaton, pose in pairs))


def settle(state: State) -> State:
    """Return the state in which every board rests; a settled state is returned equal."""
    pairs = zip(automata(state.layout), state.poses, strict=True)
    return State(state.layout, state.occupied, tuple(_rest(a, pose, state.occupied) for a, pose in pairs))


def motions(state: State, move: Move) -> tuple[Motion, ...]:
    """Return how the boards move after the screw has landed, in board order; they move at the same time.

    Raises:
        IllegalMove: the rules do not allow the move here.
    """
    after = step(state, move)
    return tuple(
        _motion(index, automata(state.layout)[index], start, end, after.occupied)
        for index, (start, end) in enumerate(zip(state.poses, after.poses, strict=True))
        if start is not None and start != end
    )


def pins(state: State, board: int) -> tuple[int, ...]:
    """Return the anchors whose screw pins a board, ascending; none once it is out."""
    pose, automaton = state.poses[board], automata(state.layout)[board]
    return () if pose is None else _bits(automaton.aligned[automaton.id_of(pose)] & state.occupied)


def hole_places(state: State, board: int) -> tuple[Point, ...]:
    """Return where the drilled holes of a board are now, in authoring units; none once it is out."""
    pose = state.poses[board]
    return () if pose is None else tuple(pose.to_world(hole) for hole in state.layout.boards[board].holes)


def is_won(state: State) -> bool:
    """Tell whether all boards are out."""
    return not any(state.poses)


def potential(state: State) -> float:
    """Return (boards out + 0.5 x released) / boards; in a settled state none is released, that is, still falling."""
    return state.boards_out / len(state.poses)


def state_to_json(state: State) -> JsonObject:
    """Return `{"screws": [anchor, ...], "boards": [[x, y, angle] | null, ...]}`, in micro-units and nanoradians."""
    return {"screws": list(state.screws), "boards": [None if pose is None else list(pose) for pose in state.poses]}


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`. Raises ValueError on another form, or on boards that do not rest."""
    if not isinstance(data, dict) or set(data) != {"screws", "boards"}:
        raise ValueError(f"bolt_unscrew state {data!r}: wanted the fields 'screws' and 'boards'")
    screws, boards = data["screws"], data["boards"]
    if not _are_integers(screws) or screws != sorted({index for index in screws if 0 <= index < len(layout.anchors)}):
        raise ValueError(f"screws {screws!r}: wanted ascending anchors below {len(layout.anchors)}")
    if not isinstance(boards, list) or len(boards) != len(layout.boards):
        raise ValueError(f"boards {boards!r}: wanted {len(layout.boards)} poses")
    state = State(layout, sum(1 << index for index in screws), tuple(_pose(pose) for pose in boards))
    if settle(state) != state or covered_mask(state) & state.occupied:
        raise ValueError(f"bolt_unscrew state {data!r}: wanted a settled board with no screw in solid wood")
    return state


def move_to_json(move: Move) -> JsonValue:
    """Return `[source, target]`."""
    return list(move)


def move_from_json(data: JsonValue) -> Move:
    """Invert `move_to_json`. Raises ValueError."""
    if not _are_integers(data) or len(data) != 2:
        raise ValueError(f"bolt_unscrew move {data!r}: wanted [source, target]")
    return Move(*data)


def _moved(state: State, move: Move) -> int:
    source, target = move
    holes = len(state.layout.anchors)
    if is_won(state):
        raise IllegalMove(f"{source} to {target}: the level is complete")
    if not (0 <= source < holes and 0 <= target < holes):
        raise IllegalMove(f"{source} to {target}: wanted anchors below {holes}")
    if not state.occupied >> source & 1:
        raise IllegalMove(f"{source} to {target}: no screw stands at {source}")
    if state.occupied >> target & 1:
        raise IllegalMove(f"{source} to {target}: a screw stands at {target}")
    if covered_mask(state) >> target & 1:
        raise IllegalMove(f"{source} to {target}: wood is within {PEG:g} units of {target}")
    return state.occupied ^ (1 << source) ^ (1 << target)


def _rest(automaton: BoardAutomaton, pose: Pose | None, occupied: int) -> Pose | None:
    if pose is None:
        return None
    number = automaton.rest(automaton.id_of(pose), occupied)
    return None if number == OUT else automaton.poses[number]


def _motion(board: int, automaton: BoardAutomaton, start: Pose, end: Pose | None, occupied: int) -> Motion:
    if end is None:
        return Fall(board, start)
    number = automaton.id_of(start)
    pivot = (automaton.aligned[number] & occupied).bit_length() - 1
    turn = automaton.swing(number, pivot).turn
    return Turn(board, pivot, start, end, _sweep_rad(start, end, turn))


def _sweep_rad(start: Pose, end: Pose, turn: int) -> float:
    return turn * ((end.angle - start.angle) * turn % FULL_TURN) / NANO


def _pose(data: JsonValue) -> Pose | None:
    if data is None:
        return None
    if not _are_integers(data) or len(data) != 3:
        raise ValueError(f"board {data!r}: wanted [x, y, angle] in micro-units and nanoradians, or null")
    return Pose(*data)


def _are_integers(data: JsonValue) -> bool:
    return isinstance(data, list) and all(type(value) is int for value in data)


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(index for index in range(mask.bit_length()) if mask >> index & 1)
