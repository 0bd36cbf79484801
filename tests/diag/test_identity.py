"""What is declared identity changes the plan's hash, what is declared runtime does not: every key, tried."""

from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig, OmegaConf, open_dict

from diag.app.setup import prepare
from diag.config import CONF, Config, StudyConfig
from diag.studies.registry import register

CHANGES = {
    "mode": "run",
    "clock.kind": "wall",
    "tracking.enabled": False,
    "tracking.uri": "http://x",
    "tracking.experiment": "x",
    "tracking.traces": 2,
    "execution.backend": "dask",
    "execution.n_jobs": 3,
    "execution.seats": 2,
    "execution.harness_share_limit": 0.1,
    "execution.failed": True,
    "execution.max_attempts": 2,
    "execution.address": "tcp://x",
    "execution.progress": True,
    "suite.browser": True,
    "suite.animate": True,
    "suite.language": "zh",
    "suite.instructions": "full",
    "suite.settle_wait_s": 1.0,
    "suite.restore": "replay",
    "suite.port": 8080,
    "outputs": "x",
    "calibrate_repeats": 3,
    "interim": True,
    "study.name": "other",
    "study.panel": ["x"],
    "study.title": "x",
    "study.question": "x",
    "study.objective": "Play.",
    "study.cohorts": ["D"],
    "study.control": "C",
    "study.contrasts": [{"treatment": "C", "control": "A"}],
    "study.endpoints": ["timely_restart"],
    "study.declared": [{"endpoint": "timely_restart", "family": "f"}],
    "study.cluster": "checkpoint",
    "study.independent": "checkpoint",
    "study.repeats": 2,
    "study.stability_units": 1,
    "study.seed": 1,
    "study.max_units": 5,
    "study.only": ["D*-B"],
    "study.limits.takeover_s": 200.0,
    "study.limits.actions": 5,
    "study.limits.invalid_decisions_in_a_row": 3,
    "study.limits.timely_actions": 4,
    "study.limits.timely_s": 60.0,
    "study.history.prefix_pictures": 1,
    "study.history.recent_turns": 9,
    "study.history.pictures": 1,
    "study.history.summary_every_turns": 7,
    "study.history.kept": "agent",
    "study.analysis.draws": 100,
    "study.analysis.level": 0.9,
    "study.analysis.seed": 4,
    "study.analysis.planned_control_rate": 0.4,
    "study.analysis.planned_rates": {"B": 0.7},
}
TOGETHER = {"study.cluster": "study.independent", "study.independent": "study.cluster"}
"""A finer cluster is said twice, and one without the other is refused."""
ELSEWHERE = {"suite.unlock", "study", "study.kind", "agent", "study.arms", "catalog.library", "catalog.levels", "env"}
"""Whole parts; their change is tested where they are: another library, another agent, another arm."""


def roles(node: type, prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in fields(node):
        key = f"{prefix}.{item.name}".lstrip(".")
        factory = item.default_factory
        if factory is not MISSING and is_dataclass(factory):
            found |= roles(factory, key)
        elif item.name != "_target_":
            found[key] = item.metadata["role"]
    return found


ROLES = roles(Config, "") | roles(StudyConfig, "study")


@pytest.fixture(scope="module")
def composed(library_folder: Path) -> DictConfig:
    register()
    here = Path(__file__).parent / "standin_conf"
    words = [
        "+experiment=rq2", "agent=standin", f"catalog.library={library_folder}", "suite=rules", "study.contrasts=[]",
        f"hydra.searchpath=[file://{here}]",
    ]  # fmt: skip
    with initialize_config_dir(str(CONF), version_base="1.3"):
        return compose("config", words)


def plan_hash(config: DictConfig, tmp_path: Path) -> str:
    return prepare(config, cwd=tmp_path).plan.plan_hash


def test_every_key_is_tried():
    assert set(CHANGES) == set(ROLES) - ELSEWHERE


@pytest.mark.parametrize("key", CHANGES)
def test_the_hash_follows_the_declared_role(composed, tmp_path, key):
    changed = composed.copy()
    OmegaConf.update(changed, key, CHANGES[key], force_add=isinstance(CHANGES[key], dict))
    if key in TOGETHER:
        OmegaConf.update(changed, TOGETHER[key], CHANGES[TOGETHER[key]])
    if key == "execution.address":
        changed.execution.backend = "dask"  # loky reads no address, and it is refused there
    same = plan_hash(changed, tmp_path) == plan_hash(composed, tmp_path)
    assert same == (ROLES[key] == "runtime")


def test_another_sentence_in_an_arm_is_another_plan(composed, tmp_path):
    changed = composed.copy()
    changed.study.arms.B.sentences.D = "Something else."
    assert plan_hash(changed, tmp_path) != plan_hash(composed, tmp_path)


def test_another_arm_is_another_plan(composed, tmp_path):
    changed = composed.copy()
    with open_dict(changed):
        changed.study.arms.D = changed.study.arms.A
    assert plan_hash(changed, tmp_path) != plan_hash(composed, tmp_path)


def test_the_same_library_elsewhere_is_the_same_plan(composed, tmp_path, library_folder):
    import shutil

    shutil.copytree(library_folder, tmp_path / "copy")
    changed = composed.copy()
    changed.catalog.library = "copy"
    assert plan_hash(changed, tmp_path) == plan_hash(composed, tmp_path)
