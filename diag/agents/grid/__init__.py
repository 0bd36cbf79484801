"""Players of grid environments: they see frames and answer with actions. All but models are simulated."""

from diag.agents.grid.contract import GridPlayer, NoAction, PlayerSettings, Sight
from diag.agents.grid.players import PLAYERS, player_settings

__all__ = ["PLAYERS", "GridPlayer", "NoAction", "PlayerSettings", "Sight", "player_settings"]
