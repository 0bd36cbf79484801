"""Studies: blocks, arms, endpoints, contrasts."""

from diag.session.history import HistoryPolicy as History
from diag.studies.contract import CheckpointSource, Contrast, Estimation, Limits, Study
from diag.studies.takeover import TakeoverStudy

__all__ = ["CheckpointSource", "Contrast", "Estimation", "History", "Limits", "Study", "TakeoverStudy"]
