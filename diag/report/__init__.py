"""The static HTML report of a study, made from its files alone."""

from diag.reading.study_files import StudyFiles, StudyFilesError, read_study
from diag.report.site import require_place, write_report

__all__ = ["StudyFiles", "StudyFilesError", "read_study", "require_place", "write_report"]
