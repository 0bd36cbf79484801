"""Whole episodes (RQ1): one pure function per measure, over one episode's events."""

from diag.outcomes.episodes.attempts import LevelAttempt, level_attempts
from diag.outcomes.episodes.completion import Completion, LevelRecord, completion, level_records
from diag.outcomes.episodes.grade import EpisodeTools, grade_episode, solver_tools
from diag.outcomes.episodes.log import EpisodeLog

__all__ = [
    "Completion",
    "EpisodeLog",
    "EpisodeTools",
    "LevelAttempt",
    "LevelRecord",
    "completion",
    "grade_episode",
    "level_attempts",
    "level_records",
    "solver_tools",
]
