"""Grid games over HTTP with the routes of ARC-AGI-3, on the loopback alone: a server, and a client.

`ArcadeServer` serves `Offer`s from a thread; `ArcadeClient` opens a card and plays one of them as an `Environment`; it
handles the traps of the interface. `python -m diag arcade` is the server in a process of its own.
"""

from games.grid.arcade.client import ArcadeClient, ArcadeError, RemoteGame
from games.grid.arcade.server import ArcadeServer
from games.grid.arcade.service import Arcade, Offer

__all__ = ["Arcade", "ArcadeClient", "ArcadeError", "ArcadeServer", "Offer", "RemoteGame"]
