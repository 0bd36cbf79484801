"""Defects of the games themselves: in their rules, in what a gesture comes to, in the drawing, in the words."""

from __future__ import annotations

from collections.abc import Mapping

from diag.studies.playtest.builds.bundle import LEVELS
from diag.studies.playtest.builds.defect import Defect
from diag.studies.playtest.builds.page_defects import PAGE_DEFECTS


def _legend(game: str, right: str, wrong: str) -> Defect:
    return Defect("legend_wrong", "legend", f"{game}/texts/en.json", right, wrong, "The instructions are wrong.")


_MAZE_PAINT = (
    Defect(
        "key_dead",
        "keys",
        "maze_paint/stage.py",
        'KEYS = {"ArrowUp": "up", ',
        "KEYS = {",
        "The up key does nothing.",
    ),
    Defect(
        "diagonal_counts",
        "diagonal",
        "maze_paint/stage.py",
        "if abs(right) == abs(down):",
        "if right == down == 0:",
        "A diagonal swipe rolls the ball.",
    ),
    Defect(
        "wall_bounces",
        "wall",
        "maze_paint/stage.py",
        "    path = slide(state.layout, state.ball, move)\n    if not path:",
        '    opposite = {"up": "down", "down": "up", "left": "right", "right": "left"}[move]\n'
        "    move = move if slide(state.layout, state.ball, move) else opposite\n"
        "    path = slide(state.layout, state.ball, move)\n    if not path:",
        "A swipe against a wall rolls the ball the other way.",
    ),
    Defect(
        "ball_still",
        "ball",
        "maze_paint/view/view.js",
        "const place = ballPlace(scene, motion, t);",
        "const place = (draw.first ??= ballPlace(scene, motion, 1));",
        "The ball is always drawn at one place.",
    ),
    Defect(
        "paint_unseen",
        "trail",
        "maze_paint/view/view.js",
        "else drawPaint(ctx, left, top, tile, cover(row, column), odd);",
        "else drawStud(ctx, left + tile / 2, top + tile / 2, tile);",
        "Painted cells look bare.",
    ),
    _legend("maze_paint", "The ball slides until a wall stops it", "The ball rolls one cell at a time"),
)
_NUT_AND_BOLT = (
    Defect(
        "undo_broken",
        "undo",
        "suite/reducer.py",
        "play = replace(play, table=Table(play.history[-1]), history=play.history[:-1])",
        "play = replace(play, history=play.history[:-1])",
        "Undo does nothing.",
    ),
    Defect(
        "put_back_dead",
        "put_back",
        "nut_and_bolt/stage.py",
        'return Reaction(motion={"kind": "drop"',
        'return Reaction(held=bolt, motion={"kind": "drop"',
        "Lifted nuts cannot be put back.",
    ),
    Defect(
        "colours_mix",
        "colours",
        "nut_and_bolt/rules.py",
        "or not taken or (onto and onto[-1] != taken[-1]):",
        "or not taken:",
        "A nut goes onto any colour.",
    ),
    Defect(
        "lift_unseen",
        "lifted",
        "nut_and_bolt/view/view.js",
        "return [bolt.lifted, LIFT];",
        "return [bolt.lifted, 0];",
        "Lifted nuts look as if they lay on the bolt.",
    ),
    _legend("nut_and_bolt", "or onto a nut of the same colour", "or onto a nut of another colour"),
)
_TRUCK_ESCAPE = (
    Defect(
        "trucks_pass",
        "bump",
        "truck_escape/rules.py",
        "for other in state.layout.lanes[tail] if other in state.parked",
        "for other in state.layout.lanes[tail][:0] if other in state.parked",
        "A blocked vehicle drives through the others.",
    ),
    Defect(
        "stray_click",
        "stray",
        "truck_escape/stage.py",
        "    if vehicle is None:\n",
        "    if vehicle is None:\n"
        "        parked = (v for v in state.layout.vehicles if v.tail in state.parked)\n"
        "        vehicle = next((v for v in parked if blocker(state, v.tail) is None), None)\n"
        "    if vehicle is None:\n",
        "A click on an empty place sends a vehicle off.",
    ),
    Defect(
        "arrow_wrong",
        "arrow",
        "truck_escape/view/view.js",
        "left: Math.PI, up: -Math.PI / 2 };",
        "left: 0, up: -Math.PI / 2 };",
        "Vehicles that drive left point to the right.",
    ),
    Defect(
        "leaver_stays",
        "gone",
        "truck_escape/view/view.js",
        "for (const vehicle of scene.vehicles) drawVehicle(",
        "const lot = JSON.stringify(scene.frame);\n"
        "  for (const vehicle of ((draw.lots ??= {})[lot] ??= scene.vehicles)) drawVehicle(",
        "Vehicles that have left are still drawn.",
    ),
    _legend("truck_escape", "Vehicles cannot turn, reverse or stop half way.", "Vehicles can be dragged backwards."),
)
_RUSH_HOUR = (
    Defect(
        "cars_pass",
        "block",
        "rush_hour/rules.py",
        "and cell not in taken",
        "and cell not in state.layout.bushes",
        "A vehicle slides through the others.",
    ),
    Defect(
        "crosswise_drag",
        "axis",
        "rush_hour/stage.py",
        'return (dx, dy) if vehicle.axis == "h" else (dy, dx)',
        'return (dx or dy, dy) if vehicle.axis == "h" else (dy or dx, dx)',
        "A drag across a vehicle's length moves it.",
    ),
    Defect(
        "short_drag",
        "short",
        "rush_hour/stage.py",
        "offset = math.floor(shift / cell + 0.5)",
        "offset = math.floor(shift / cell)",
        "The slightest drag moves a vehicle by a whole cell.",
    ),
    Defect(
        "star_missing",
        "star",
        "rush_hour/view/vehicles.js",
        "if (one.target) star(ctx, cell);",
        "if (one.target && one.leaves) star(ctx, cell);",
        "The car that must get out wears no star.",
    ),
    Defect(
        "exit_missing",
        "exit",
        "rush_hour/view/view.js",
        "  gate(ctx, area, scene);",
        "  ctx.globalAlpha = 0;\n  gate(ctx, area, scene);\n  ctx.globalAlpha = 1;",
        "The exit is not marked.",
    ),
    _legend("rush_hour", "Vehicles never turn and never leave their row or column.", "Vehicles turn at a free corner."),
)
_COLOR_CONNECT = (
    Defect(
        "back_dead",
        "back",
        "color_connect/rules.py",
        "return _with_path(state, pair, path[: index + 1], pair)",
        'return "head"',
        "An unfinished path cannot be taken back.",
    ),
    Defect(
        "paths_cross",
        "cross",
        "color_connect/rules.py",
        "cell in state.layout.blocked or path_at(state, cell) is not None for",
        "cell in state.layout.blocked for",
        "Paths cross each other.",
    ),
    Defect(
        "remove_dead",
        "remove",
        "color_connect/rules.py",
        "return _with_path(state, owner, (), state.active)",
        'return "use_dots"',
        "A finished path cannot be removed.",
    ),
    Defect(
        "ribbon_unseen",
        "ribbon",
        "color_connect/view/view.js",
        "if (cells.length < 2) return;\n  const tone",
        "if (cells.length < 200) return;\n  const tone",
        "Paths are not drawn.",
    ),
    Defect(
        "active_unseen",
        "active",
        "color_connect/view/view.js",
        "if (!path) return;",
        "if (!path || path.cells) return;",
        "A clicked dot does not show that it is active.",
    ),
    _legend("color_connect", "they never cross or overlap a path", "they may cross a path"),
)
_BOLT_UNSCREW = (
    Defect(
        "put_back_dead",
        "put_back",
        "bolt_unscrew/stage.py",
        'return Reaction(note=Note("put_down"), motion=lift_motion(state, None, screw))',
        'return Reaction(held=screw, note=Note("put_down"), motion=lift_motion(state, None, screw))',
        "A lifted screw cannot be put back.",
    ),
    Defect(
        "swap_dead",
        "swap",
        "bolt_unscrew/stage.py",
        'return Reaction(held=screw, note=Note("lifted"), motion=lift_motion(state, screw, held))',
        "held = screw if held is None else held\n"
        '    return Reaction(held=held, note=Note("lifted"), motion=lift_motion(state, held, None))',
        "Another screw cannot be lifted instead.",
    ),
    Defect(
        "holes_attract",
        "plate",
        "bolt_unscrew/stage.py",
        "HOLE_REACH = PEG + 6.0",
        "HOLE_REACH = PEG + 206.0",
        "A screw jumps into a hole that is far from the click.",
    ),
    Defect(
        "lift_unseen",
        "lifted",
        "bolt_unscrew/view/view.js",
        "return screw.lifted ? LIFT_PX : 0;",
        "return 0;",
        "A lifted screw looks as if it sat in its hole.",
    ),
    _legend("bolt_unscrew", "A board without a screw falls off.", "A board without a screw stays where it is."),
)
_OF_GAME: Mapping[str, tuple[Defect, ...]] = {
    "bolt_unscrew": _BOLT_UNSCREW,
    "color_connect": _COLOR_CONNECT,
    "maze_paint": _MAZE_PAINT,
    "nut_and_bolt": _NUT_AND_BOLT,
    "rush_hour": _RUSH_HOUR,
    "truck_escape": _TRUCK_ESCAPE,
}


def defects_of(game: str) -> Mapping[str, Defect]:
    """Return the catalogue of a game's defects by name. Raises KeyError naming the games there are."""
    if game not in _OF_GAME:
        raise KeyError(f"no defects of {game!r}; there are defects of {', '.join(LEVELS)}")
    return {defect.name: defect for defect in (*PAGE_DEFECTS, *_OF_GAME[game])}
