"""The static HTML report of a study, made from its files alone."""

from diag.report.site import write_report
from diag.report.study_files import StudyFiles, StudyFilesError, read_study

__all__ = ["StudyFiles", "StudyFilesError", "read_study", "write_report"]
