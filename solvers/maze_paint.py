"""Exact solving of Maze Paint.

Guarantees: `certify` and `distance` are exact for every state whose search fits the limit: the solution found has the
least number of slides, and `DeadEnd` means that every reachable state was closed without a win. `distances` gives d(s)
of every state reachable from a given one. Leaves out: nothing of the rules. Cost unit: one slide that moves the ball,
of any length. The limit counts stored search states (stop, painted classes); when it is met the answer is `Undecided`.

How: the ball rests only on stops. Cells that the same slides paint become painted together, so they are one class; a
class whose painting paints another one for certain makes that other superfluous. Classes are made anew for each query
from what is still bare and which stops can still be reached, so they hold from any state. A search state is one
integer, `stop * 2^classes + bare classes`; zero bare classes is won.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from games.grid import DIRECTION, Cell
from games.maze_paint.layout import Layout
from games.maze_paint.rules import Move, State, is_won, slide
from solvers.certificate import Certificate, DeadEnd, Solvable, Solved, Solver, Undecided


@dataclass(frozen=True)
class SlideGraph:
    """The slides that matter from one state on: stop numbers, and per stop (move, next stop, classes left bare)."""

    stops: dict[Cell, int]
    n_classes: int
    edges: tuple[tuple[tuple[Move, int, int], ...], ...]
    """`edges[stop]`: (move, next stop shifted by n_classes, mask that keeps the classes the slide does not paint)."""
    class_of: tuple[frozenset[Cell], ...]
    """Bare cells of each class."""
    reaches_all: bool
    """False if some bare cell lies on no slide: a dead end without search."""

    def code(self, ball: Cell, painted: frozenset[Cell]) -> int:
        """Return the integer of a state of this graph: its bare classes and its stop."""
        bare = sum(1 << k for k, cells in enumerate(self.class_of) if not cells <= painted)
        return self.stops[ball] << self.n_classes | bare


def slide_graph(state: State) -> SlideGraph:
    """Return the slides reachable from a state with its bare cells in classes."""
    slides = _reachable_slides(state.layout, state.ball)
    stops = {cell: number for number, cell in enumerate(slides)}
    painters: dict[Cell, set[tuple[Cell, Move]]] = {cell: set() for cell in state.layout.floor - state.painted}
    for stop, ways in slides.items():
        for move, path in ways:
            for cell in path:
                if cell in painters:
                    painters[cell].add((stop, move))
    classes = _classes(painters)
    edges = tuple(tuple(_edge(move, path, stops, classes) for move, path in ways) for ways in slides.values())
    return SlideGraph(stops, len(classes), edges, classes, all(painters.values()))


def _reachable_slides(layout: Layout, start: Cell) -> dict[Cell, list[tuple[Move, tuple[Cell, ...]]]]:
    slides: dict[Cell, list[tuple[Move, tuple[Cell, ...]]]] = {}
    open_stops = [start]
    while open_stops:
        stop = open_stops.pop()
        if stop not in slides:
            slides[stop] = [(move, path) for move in DIRECTION if (path := slide(layout, stop, move))]
            open_stops.extend(path[-1] for _, path in slides[stop])
    return slides


def _classes(painters: dict[Cell, set[tuple[Cell, Move]]]) -> tuple[frozenset[Cell], ...]:
    """Return the bare cells by their sets of painting slides, without the sets that contain a smaller one."""
    by_slides: dict[frozenset[tuple[Cell, Move]], set[Cell]] = {}
    for cell, slides in painters.items():
        by_slides.setdefault(frozenset(slides), set()).add(cell)
    needed = [slides for slides in by_slides if not any(other < slides for other in by_slides)]
    return tuple(sorted((frozenset(by_slides[slides]) for slides in needed), key=min))


def _edge(
    move: Move, path: tuple[Cell, ...], stops: dict[Cell, int], classes: tuple[frozenset[Cell], ...]
) -> tuple[Move, int, int]:
    kept = sum(1 << k for k, cells in enumerate(classes) if not cells & set(path))
    return move, stops[path[-1]] << len(classes), kept


class MazePaintSolver:
    """Breadth-first search over (stop, bare classes)."""

    game = "maze_paint"
    version = "1"

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state. The solution is always a shortest one, so `optimal` changes nothing."""
        if is_won(state):
            return Solved()
        graph = slide_graph(state)
        if not any(graph.edges[0]):
            return DeadEnd("no_available_hole", 1)
        if not graph.reaches_all:
            return DeadEnd("exhausted_search", 1)
        found = _search(graph, graph.code(state.ball, state.painted), state_limit)
        if found.won is None:
            return DeadEnd("exhausted_search", len(found.parents)) if found.complete else Undecided(state_limit)
        solution = _solution(graph, found.parents, found.won)
        return Solvable(solution, exact=True, lower_bound=len(solution))

    def distance(self, state: State, *, state_limit: int) -> int | Undecided | None:
        """Return the least number of slides that paint the rest, None from a dead end."""
        claim = self.certify(state, state_limit=state_limit)
        if isinstance(claim, Undecided):
            return claim
        if isinstance(claim, DeadEnd):
            return None
        return claim.distance if isinstance(claim, Solvable) else 0


@dataclass(frozen=True)
class _Search:
    parents: dict[int, int]
    """Each found code's predecessor, -1 for the start."""
    won: int | None
    complete: bool
    """Every found code was closed."""


def _search(graph: SlideGraph, start: int, state_limit: int) -> _Search:
    """Search breadth first for a won code; stop before a layer once `state_limit` codes are stored."""
    mask = (1 << graph.n_classes) - 1
    steps = tuple(tuple((stop, kept) for _, stop, kept in ways) for ways in graph.edges)
    parents = {start: -1}
    layer = [start]
    while layer and len(parents) < state_limit:
        following = []
        for code in layer:
            bare = code & mask
            for stop, kept in steps[code >> graph.n_classes]:
                successor = stop | bare & kept
                if successor not in parents:
                    parents[successor] = code
                    if not successor & mask:
                        return _Search(parents, successor, complete=False)
                    following.append(successor)
        layer = following
    return _Search(parents, None, complete=not layer)


def _solution(graph: SlideGraph, parents: dict[int, int], won: int) -> tuple[Move, ...]:
    codes = [won]
    while parents[codes[-1]] >= 0:
        codes.append(parents[codes[-1]])
    codes.reverse()
    return tuple(_move_between(graph, before, after) for before, after in pairwise(codes))


def _move_between(graph: SlideGraph, before: int, after: int) -> Move:
    bare = before & ((1 << graph.n_classes) - 1)
    ways = graph.edges[before >> graph.n_classes]
    return next(move for move, stop, kept in ways if stop | bare & kept == after)


@dataclass(frozen=True)
class DistanceTable:
    """d(s) of every state reachable from `start`."""

    start: State
    graph: SlideGraph
    distances: dict[int, int]
    """Search state to least number of slides; a reachable search state that is missing is a dead end."""
    n_states: int
    """Reachable search states, won ones (which have no successors) included."""

    def distance(self, state: State) -> int | None:
        """Return d of a state reachable from `start`, None if it is a dead end.

        Raises:
            ValueError: the layout is another one, or the ball is where it cannot come.
        """
        if state.layout != self.start.layout or state.ball not in self.graph.stops:
            raise ValueError(f"a state with its ball at {state.ball} is not reachable from this table's start")
        return self.distances.get(self.graph.code(state.ball, state.painted))

    @property
    def n_dead(self) -> int:
        """Reachable search states from which no win follows."""
        return self.n_states - len(self.distances)


def distances(state: State, *, state_limit: int) -> DistanceTable | Undecided:
    """Enumerate everything reachable from a state forward, then breadth first backward from the wins."""
    graph = slide_graph(state)
    reached, complete = _reachable(graph, graph.code(state.ball, state.painted), state_limit)
    if not complete:
        return Undecided(state_limit)
    found = _backward(graph, reached) if graph.reaches_all else {}
    return DistanceTable(state, graph, found, len(reached))


def _reachable(graph: SlideGraph, start: int, state_limit: int) -> tuple[set[int], bool]:
    mask = (1 << graph.n_classes) - 1
    steps = tuple(tuple((stop, kept) for _, stop, kept in ways) for ways in graph.edges)
    reached = {start}
    layer = [start] if start & mask else []
    while layer and len(reached) <= state_limit:
        successors = {
            stop | code & mask & kept for code in layer for stop, kept in steps[code >> graph.n_classes]
        } - reached
        reached |= successors
        layer = [code for code in successors if code & mask]
    return reached, not layer


def _backward(graph: SlideGraph, reached: set[int]) -> dict[int, int]:
    before = _predecessors(graph, reached)
    mask = (1 << graph.n_classes) - 1
    layer = [code for code in reached if not code & mask]
    found = dict.fromkeys(layer, 0)
    depth = 0
    while layer:
        depth += 1
        layer = list({code for after in layer for code in before[after] if code not in found})
        found.update(dict.fromkeys(layer, depth))
    return found


def _predecessors(graph: SlideGraph, reached: set[int]) -> dict[int, list[int]]:
    mask = (1 << graph.n_classes) - 1
    steps = tuple(tuple((stop, kept) for _, stop, kept in ways) for ways in graph.edges)
    before: dict[int, list[int]] = {code: [] for code in reached}
    for code in reached:
        bare = code & mask
        if bare:
            for stop, kept in steps[code >> graph.n_classes]:
                before[stop | bare & kept].append(code)
    return before


SOLVER: Solver = MazePaintSolver()
