"""Whole episodes: where and why do they stall?"""

from diag.studies.episodes.kind import KIND

__all__ = ["KIND"]
