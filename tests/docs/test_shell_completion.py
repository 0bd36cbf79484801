"""Completion as bash does it, with the script that the command prints."""

import shutil
import subprocess

import pytest

from diag.app.command_line import main
from diag.commands.completion import words


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("+experiment=rq2", {"+experiment=rq2", "+experiment=rq2_followup"}), ("summ", {"summary"})],
)
def test_bash_completes(typed: str, wanted: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out

    line = f'COMP_WORDS=(diag "{typed}"); COMP_CWORD=1; _diag_complete; printf "%s\\n" "${{COMPREPLY[@]}}"'
    found = subprocess.run(["bash", "-c", f"{script}\n{line}"], capture_output=True, text=True, check=True)

    assert set(found.stdout.split()) == wanted


def test_the_words_hold_keys_modes_and_no_hydra_machinery() -> None:
    found = set(words())

    assert {"mode=plan", "agent=simulated/sol", "study.seed=", "execution.n_jobs="} <= found
    assert not [word for word in found if "_target_" in word]
