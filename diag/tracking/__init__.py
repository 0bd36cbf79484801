"""The projection of a study to MLflow: rebuilt from files at any time, into any tracking URI."""

from diag.tracking.projection import TrackedRun, TrackingSettings, project
from diag.tracking.store import TrackingError

__all__ = ["TrackedRun", "TrackingError", "TrackingSettings", "project"]
