"""Any web page as something to play: an adapter says how its state is read and set (docs/how-to/web.md)."""

from games.web.world import Web

__all__ = ["Web"]
