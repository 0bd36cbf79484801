"""Imagination uses the scene alone, and is nearly right where little is hidden."""

from __future__ import annotations

import json

import numpy as np

from diag.agents.simulated.imagination import foresight, n_destinations
from games.contract import LevelId, Table


def test_it_foresees_most_positions_and_never_raises(catalogue):
    game = catalogue.games["bolt_unscrew"]
    rng = np.random.default_rng(1)
    agree = total = 0
    for number in (1, 2, 5, 6):
        state = game.initial_state(catalogue.layout(LevelId("bolt_unscrew", "hard", number)))
        for _ in range(6):
            scene = json.loads(json.dumps(game.scene(Table(state))))
            options = game.options(scene)
            if not options:
                break
            left = foresight("bolt_unscrew", scene)
            for option in options:
                after = game.step(state, game.move_from_json(option.move))
                agree += left(option) == len({move.target for move in game.legal_moves(after)})
                total += 1
            state = game.step(state, game.move_from_json(options[int(rng.integers(len(options)))].move))
    assert total > 500
    assert 0.8 < agree / total <= 1.0


def test_other_games_are_not_imagined(catalogue):
    game = catalogue.games["maze_paint"]
    scene = game.scene(Table(game.initial_state(catalogue.layout(LevelId("maze_paint", "easy", 1)))))
    assert foresight("maze_paint", scene) is None
    assert n_destinations(game.options(scene)) >= 1
