"""Finds the grid ports: the module `grid_port` of a game's folder holds `PORT`."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache

from games.grid.contract import GridPort
from games.registry import registered_games


@cache
def registered_ports() -> dict[str, GridPort]:
    """Return the port of every game that has one, by the game's name. Adding a port is adding a module."""
    ports: dict[str, GridPort] = {}
    for name, game in registered_games().items():
        module = f"{type(game).__module__.rpartition('.')[0]}.grid_port"
        if importlib.util.find_spec(module) is not None:
            ports[name] = importlib.import_module(module).PORT
    return ports


def port_of(game: str) -> GridPort:
    """Return a game's port. Raises KeyError naming the games that have one."""
    ports = registered_ports()
    if game not in ports:
        raise KeyError(f"no grid port for {game!r}; there are ports for {', '.join(ports)}")
    return ports[game]
