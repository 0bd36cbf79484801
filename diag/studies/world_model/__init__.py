"""World models (Tycho): does an agent that writes and checks an executable model of its game play better?"""

from diag.studies.world_model.kind import KIND

__all__ = ["KIND"]
