"""A game of the package `arcengine`, written for the tests: slide until a wall, paint every cell, keep out of the pit.

Shortest solutions: RIGHT, DOWN, RIGHT; then DOWN, LEFT, RIGHT. LEFT at the start of the second level loses.
"""

from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite

MAPS = (
    ("#####", "#P.##", "##.##", "##..#", "#####"),
    ("######", "#XP###", "##.###", "#....#", "######"),
)
COLOUR = {"#": 3, ".": 0, "X": 8, "P": 9, "painted": 14}
STEPS = {
    GameAction.ACTION1: (0, -1),
    GameAction.ACTION2: (0, 1),
    GameAction.ACTION3: (-1, 0),
    GameAction.ACTION4: (1, 0),
}


def level(rows):
    sprites = [
        Sprite([[COLOUR["painted" if mark == "P" else mark]]], name=f"{x} {y}", x=x, y=y, tags=[mark])
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
    ]
    x, y = next((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "P")
    player = Sprite([[COLOUR["P"]]], name="player", x=x, y=y, layer=1)
    return Level([*sprites, player], grid_size=(len(rows[0]), len(rows)))


class Slide(ARCBaseGame):
    def __init__(self):
        super().__init__("slide", [level(rows) for rows in MAPS], Camera(), available_actions=[1, 2, 3, 4])

    def step(self):
        dx, dy = STEPS.get(self.action.id, (0, 0))
        player = self.current_level.get_sprites_by_name("player")[0]
        ahead = self.current_level.get_sprites_by_name(f"{player.x + dx} {player.y + dy}")[0]
        if (dx, dy) == (0, 0) or "#" in ahead.tags:
            self.complete_action()
            return
        player.move(dx, dy)
        if "X" in ahead.tags:
            self.lose()
            self.complete_action()
            return
        ahead.color_remap(None, COLOUR["painted"])
        if all(one.pixels[0][0] == COLOUR["painted"] for one in self.current_level.get_sprites_by_tag(".")):
            self.next_level()
            self.complete_action()
