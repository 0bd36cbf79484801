"""Playtest: builds with known defects are repaired in rounds of coding and playing. What do playing and memory add?"""

from diag.studies.playtest.kind import KIND

__all__ = ["KIND"]
