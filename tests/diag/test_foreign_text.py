"""What others wrote is shown neutral: on terminals, in pages, in cells."""

import ast
import csv
import io
import sys
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import diag
from diag.console import NeutralConsole
from diag.errors import one_line
from diag.foreign_text import as_written, cell, neutral
from diag.grading.table import read_table, write_table
from diag.records.csv_text import csv_rows, csv_text
from diag.report.page_files import write_page
from diag.terminal import complain, say

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\u200f\u061c\x00\r\u2028\ud800\U000e0041"
OBEYED = set(HOSTILE) - set("]0;owned[2J31mgnp.exe")


@pytest.mark.parametrize(
    "text", ["plain, 100 % — “quoted” Ω 中文 ✓\tcell\nline", "\U0001f469\u200d\U0001f4bb", "naïve"]
)
def test_ordinary_text_is_left_alone(text):
    assert neutral(text) == text


@given(st.text(alphabet=st.characters()))
def test_nothing_that_is_obeyed_is_left(text):
    assert not any(ord(letter) < 32 and letter not in "\t\n" for letter in neutral(text))
    assert not set(neutral(text)) & (OBEYED | set(map(chr, range(0x7F, 0xA0))))
    neutral(text).encode()


def test_all_ways_to_the_terminal_are_neutral(capsys):
    say(HOSTILE)
    complain(HOSTILE)
    complain(one_line(ValueError(HOSTILE)))
    console = NeutralConsole(file=sys.stdout, force_terminal=False, width=400)
    console.print(HOSTILE)
    console.rule(HOSTILE)
    out, err = capsys.readouterr()
    assert not (set(out) | set(err)) & OBEYED
    assert "\\x1b" in out
    assert "\\u202e" in err


def test_a_terminal_gets_the_consoles_own_styles_only():
    out = io.StringIO()
    NeutralConsole(file=out, force_terminal=True, width=400, color_system="standard").print(
        f"[red]{HOSTILE}[/]", highlight=False
    )
    assert out.getvalue().count("\x1b") == out.getvalue().count("\x1b[31m") + out.getvalue().count("\x1b[0m") > 0


def test_an_address_loses_its_password_in_an_error():
    assert one_line(ValueError("GET https://me:hush@host/x failed")) == "GET https://[key]@host/x failed"
    assert one_line(ValueError("time 10:30 at https://host/x@y:z")) == "time 10:30 at https://host/x@y:z"


def test_a_page_is_neutral(tmp_path):
    write_page(tmp_path / "page.html", f"<p>{HOSTILE}</p>\n")
    assert not set((tmp_path / "page.html").read_text()) & OBEYED


FORMULAS = ["=1+1", "+SUM(A1)", "-2+3", "@cmd", "\t=1", " =HYPERLINK(1)", "|calc", "\uff1d1", "%0", "'=1", "''@a"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_begins_like_a_formula_and_reading_gives_it_back(text, tmp_path):
    assert cell(text).startswith("'")
    assert as_written(cell(text)) == text
    (tmp_path / "t.csv").write_text(csv_text(("a", "b"), [{"a": text, "b": -1.5}]))
    assert csv_rows(tmp_path / "t.csv") == [{"a": text, "b": "-1.5"}]
    write_table(pd.DataFrame({"agent": [text], "n": [-3]}), tmp_path / "u.csv")
    assert next(csv.reader((tmp_path / "u.csv").read_text().splitlines()[1:]))[0].startswith("'")
    assert read_table(tmp_path / "u.csv")["agent"].tolist() == [text]


@pytest.mark.parametrize("text", ["-0.5", "+1e9", "-inf", "-", "a=b", "'quoted'", "3 - 2"])
def test_numbers_and_other_texts_stay_as_they_are(text):
    assert cell(text) == text
    assert as_written(text) == text


def test_a_table_of_many_types_is_written_as_before(tmp_path):
    frame = pd.DataFrame({"s": ["a", None], "i": pd.array([1, None], "Int64"), "b": pd.array([True, None], "boolean")})
    frame["o"] = pd.Series([2, None], dtype=object)
    write_table(frame, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "s,i,b,o\na,1,True,2\n,,,\n"


def test_nothing_of_the_program_writes_to_a_stream_by_itself():
    """Every line passes `diag.terminal` or `diag.console`; programs by themselves talk to who started them alone."""
    root = Path(diag.__file__).parent
    programs = ("__main__.py", *(f"agents/code_execution/{name}.py" for name in ("jail", "worker", "kept")))
    programs += ("studies/continuation/client.py", "studies/continuation/server.py")
    own = {root / "terminal.py", *(root / name for name in programs)}
    found = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in root.rglob("*.py")
        if path not in own and "templates" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func)
        in ("print", "sys.stdout.write", "sys.stdout.writelines", "sys.stderr.write", "Console")
    ]
    assert not found
