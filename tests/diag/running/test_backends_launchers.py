"""Hydra's launchers: both compose, and each runs one study per agent to the tables of single runs."""

import subprocess

import pytest

AGENTS = {"standin": "standin", "standin_named": "standin-two"}


def words(arguments: list[str], folder) -> list[str]:
    kept = [word for word in arguments if not word.startswith(("outputs=", "agent="))]
    return [*kept, f"outputs={folder}", "study.max_units=4", "mode=run"]


def table(diag, arguments: list[str], folder, agent: str) -> bytes:
    assert diag(*words(arguments, folder)[:-1], f"agent={agent}", "mode=analyse") == 0
    (path,) = folder.glob(f"*/{AGENTS[agent]}-rules/tables/outcomes.csv")
    return path.read_bytes()


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, out + err
    return out


@pytest.mark.parametrize(
    ("launcher", "package"), [("joblib", "joblib"), ("submitit_local", "submitit"), ("submitit_slurm", "submitit")]
)
def test_a_launcher_composes_with_a_study(start, arguments, launcher, package):
    pytest.importorskip(f"hydra_plugins.hydra_{package}_launcher")
    shown = finish(start(*arguments, f"hydra/launcher={launcher}", "--cfg", "hydra", "--package", "hydra.launcher"))
    assert "_target_: hydra_plugins." in shown


@pytest.mark.slow
@pytest.mark.parametrize(("launcher", "package"), [("joblib", "joblib"), ("submitit_local", "submitit")])
def test_a_launcher_runs_one_study_per_agent(diag, start, arguments, tmp_path, launcher, package):
    pytest.importorskip(f"hydra_plugins.hydra_{package}_launcher")
    many, one = tmp_path / "many", tmp_path / "one"
    finish(start(*words(arguments, many), f"agent={','.join(AGENTS)}", "--multirun", f"hydra/launcher={launcher}"))
    for agent in AGENTS:
        assert diag(*words(arguments, one), f"agent={agent}") == 0
        assert table(diag, arguments, many, agent) == table(diag, arguments, one, agent)


@pytest.mark.slow
@pytest.mark.parametrize(("launcher", "package"), [("joblib", "joblib"), ("submitit_local", "submitit")])
def test_a_study_that_fails_under_a_launcher_is_not_taken_for_a_success(start, arguments, tmp_path, launcher, package):
    pytest.importorskip(f"hydra_plugins.hydra_{package}_launcher")
    process = start(
        *words(arguments, tmp_path / "out"), "agent=standin_failing", "agent.name=one,two", "agent.break_share=1.0",
        "--multirun", f"hydra/launcher={launcher}",
    )  # fmt: skip
    _, err = process.communicate(timeout=240)
    assert process.returncode == 5
    assert "the stand-in endpoint is down" in err
    assert "Traceback" not in err
