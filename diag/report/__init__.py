"""The static HTML report of a study, made from its files alone."""

from diag.report.site import require_place, write_report
from diag.report.study_files import StudyFiles, StudyFilesError, read_study

__all__ = ["StudyFiles", "StudyFilesError", "read_study", "require_place", "write_report"]
