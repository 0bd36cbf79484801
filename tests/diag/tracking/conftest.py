"""A small study on disk, made by the report's factory, and settings for the embedded tracker."""

import importlib.util
import os
import shutil
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
_FACTORY = Path(__file__).parents[1] / "report" / "study_on_disk.py"


def _factory():
    if "study_on_disk" in sys.modules:
        return sys.modules["study_on_disk"]
    spec = importlib.util.spec_from_file_location("study_on_disk", _FACTORY)
    module = importlib.util.module_from_spec(spec)
    sys.modules["study_on_disk"] = module
    spec.loader.exec_module(module)
    return module


@dataclass
class Settings:
    """The three settings a projection reads."""

    uri: str | None = None
    experiment: str | None = None
    traces: int = 0


@pytest.fixture
def settings() -> Settings:
    return Settings()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory):
    """Return the truth of the study that `folder` holds a copy of."""
    folder = tmp_path_factory.mktemp("made") / "outputs" / "rq2" / "sol"
    study = _factory().write_study(folder, level_blocks=(3, 2, 2), n_blocks_n=2)
    (folder / "report.html").write_text("<!doctype html><title>report</title>")
    (folder / "figures").mkdir()
    (folder / "figures" / "forest.png").write_bytes((next((folder / "pictures").glob("*/*.png"))).read_bytes())
    return study


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the embedded database once: its migrations take longer than any test."""
    from diag.tracking.store import open_tracker

    outputs = tmp_path_factory.mktemp("empty")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # MLflow's own, about its own dependencies
        with open_tracker(outputs, None):
            pass
    return outputs / "mlflow.db"


@pytest.fixture
def folder(made, empty_database: Path, tmp_path: Path) -> Path:
    """Return a private copy of the study beside an empty tracker that was made elsewhere, as if moved here."""
    folder = Path(shutil.copytree(made.folder, tmp_path / "outputs" / "rq2" / "sol"))
    shutil.copy(empty_database, tmp_path / "outputs" / "mlflow.db")
    return folder
