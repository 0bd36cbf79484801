"""Whole episodes (RQ1): one pure function per measure, over one episode's events."""

from diag.grading.episodes.attempts import LevelAttempt, level_attempts
from diag.grading.episodes.completion import Completion, LevelRecord, completion, level_records
from diag.grading.episodes.distances import search_limits
from diag.grading.episodes.grade import ENDPOINTS, EpisodeTools, grade_episode, solver_tools
from diag.grading.episodes.log import EpisodeLog

__all__ = [
    "ENDPOINTS",
    "Completion",
    "EpisodeLog",
    "EpisodeTools",
    "LevelAttempt",
    "LevelRecord",
    "completion",
    "grade_episode",
    "level_attempts",
    "level_records",
    "search_limits",
    "solver_tools",
]
