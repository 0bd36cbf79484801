"""Clue memory: a fact is shown on one screen and needed many actions later. What helps to use it?"""

from diag.studies.clue_memory.kind import KIND

__all__ = ["KIND"]
