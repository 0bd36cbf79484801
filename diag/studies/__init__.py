"""Studies: blocks, arms, endpoints, contrasts."""

from diag.session.history import HistoryPolicy as History
from diag.studies.action_branch import ActionBranchStudy
from diag.studies.contract import CheckpointSource, Contrast, Estimation, Limits, Source
from diag.studies.episodes import EpisodeStudy
from diag.studies.matched import MatchedStudy
from diag.studies.takeover import TakeoverStudy

__all__ = [
    "ActionBranchStudy",
    "CheckpointSource",
    "Contrast",
    "EpisodeStudy",
    "Estimation",
    "History",
    "Limits",
    "MatchedStudy",
    "Source",
    "TakeoverStudy",
]
