"""Code blocks below `<!-- executed -->` are run as they stand, in an empty folder; a block below `<!-- output -->` is
what the one before it printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"
BLOCK = re.compile(r"<!-- (executed|output) -->\n```\w*\n(.*?)```", re.DOTALL)
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "<!-- executed -->" in page.read_text()]
SLOW = {"notebook.md"}
"""Runs a whole study."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] if page.name in SLOW else []) for page in PAGES],
    ids=lambda page: page.name,
)
def test_the_blocks_of_a_page_run_and_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    printed = ""
    for kind, block in BLOCK.findall(page.read_text()):
        if kind == "output":
            assert printed.strip() == block.strip()
            continue
        found = subprocess.run(
            ["sh", "-euc", block], cwd=tmp_path, env=environment, text=True, capture_output=True, check=False
        )
        assert found.returncode == 0, f"{block}\n{found.stdout[-2000:]}\n{found.stderr[-2000:]}"
        printed = found.stdout


def test_there_are_executed_blocks() -> None:
    assert len(PAGES) >= 2
