"""Grid games scored as ARC-AGI-3 scores them: how much better does one policy play than another, game by game?"""

from diag.studies.arc.policy import GridPolicy

__all__ = ["GridPolicy"]
