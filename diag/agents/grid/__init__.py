"""Players of grid environments: they see frames and answer with actions. All of them are simulated."""

from diag.agents.grid.contract import GridPlayer, PlayerSettings, Sight
from diag.agents.grid.players import PLAYERS, player_settings

__all__ = ["PLAYERS", "GridPlayer", "PlayerSettings", "Sight", "player_settings"]
