"""One small study on disk, and its report, for every test of the report."""

import shutil
from pathlib import Path

import pytest
from study_on_disk import StudyOnDisk, write_study

from diag.report import StudyFiles, read_study, write_report


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyOnDisk:
    return write_study(tmp_path_factory.mktemp("outputs") / "rq2" / "sol", level_blocks=(3, 2, 2), n_blocks_n=3)


@pytest.fixture(scope="session")
def files(study: StudyOnDisk) -> StudyFiles:
    return read_study(study.folder)


@pytest.fixture(scope="session")
def report(study: StudyOnDisk) -> Path:
    return write_report(study.folder, with_verdicts=False)


@pytest.fixture
def copy(study: StudyOnDisk, tmp_path: Path) -> Path:
    """Return a private copy of the study's folder, for tests that damage it."""
    return Path(shutil.copytree(study.folder, tmp_path / "outputs" / "rq2" / "sol"))
