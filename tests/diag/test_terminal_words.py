"""The words of commands: one style, both read; what is no option is named; completion in a real shell."""

from __future__ import annotations

import subprocess
import sys

import pytest

from diag.commands import completion
from diag.errors import ConfigError
from diag.terminal import Words, options


def parser() -> Words:
    words = Words("try", "What it does.")
    words.add_argument("folder", nargs="?", default="outputs")
    words.add_argument("--port", type=int, default=1, help="where")
    words.add_argument("--rules-only", action="store_true")
    return words


@pytest.mark.parametrize("typed", ["port=7 x", "--port 7 x", "--port=7 folder=x", "folder=x port=7"])
def test_both_styles_say_the_same(typed):
    found = parser().parse_args(typed.split())
    assert (found.port, found.folder, found.rules_only) == (7, "x", False)


@pytest.mark.parametrize("typed", [["a=1", "b=2"], ["--a", "1", "--b=2"], ["--a=1", "b=2"]])
def test_a_command_without_a_parser_reads_both_too(typed):
    assert options(typed, {"a": "", "b": ""}) == {"a": "1", "b": "2"}


def test_help_and_usage_are_in_the_one_style():
    assert "port=PORT     where" in parser().format_help()
    assert "[port=PORT] [--rules-only] [folder]" in parser().format_usage()


def test_a_word_that_is_no_option_is_named_with_the_nearest():
    with pytest.raises(
        ConfigError, match=r"^try: found 'prot=7', which is no option of it; did you mean port=\?; wanted"
    ):
        parser().parse_args(["prot=7"])


def test_a_wrong_value_is_refused_in_one_line():
    with pytest.raises(ConfigError, match="invalid int value: 'x'") as refused:
        parser().parse_args(["port=x"])
    assert "\n" not in str(refused.value)


def test_a_path_with_an_equals_sign_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run=3").mkdir()
    assert parser().parse_args(["run=3"]).folder == "run=3"


def test_bash_completes_the_function_and_the_module_and_leaves_other_modules_alone(capsys):
    assert completion.main(["bash"]) == 0
    script = capsys.readouterr().out + (
        "COMP_WORDS=(diag +experiment=rq2_); COMP_CWORD=1; _diag_complete; echo ${COMPREPLY[@]}\n"
        "COMP_WORDS=(python -m diag mode=pl); COMP_CWORD=3; _diag_python; echo ${COMPREPLY[@]}\n"
        "COMP_WORDS=(python -m json.tool mode=pl); COMP_CWORD=3; _diag_python; echo none ${COMPREPLY[@]}\n"
    )
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["+experiment=rq2_followup", "mode=plan", "none"]


def test_fish_is_given_the_same_words(capsys):
    assert completion.main(["fish"]) == 0
    script = capsys.readouterr().out
    assert all(word in script for word in completion.words())
    assert "complete -c python3 -n _diag_python" in script


def test_a_command_of_the_core_waits_for_no_kind_of_study_and_no_pandas():
    code = "import sys, diag.app.command_line, diag.tracking.ui; print({'pandas', 'hydra', 'scipy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
