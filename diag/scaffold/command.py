"""`python -m diag new intervention|agent|game|study NAME`: a working, tested example in a folder of your own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diag.scaffold.write import KINDS, write_example
from diag.terminal import Words, say


def main(arguments: Sequence[str]) -> int:
    """Write the example and say how to go on; return 0."""
    parser = Words("new", __doc__)
    parser.add_argument("kind", choices=KINDS, help="what it is an example of")
    parser.add_argument("name", help="a Python package name, such as kind_words")
    parser.add_argument("--folder", type=Path, help="where it goes, outside the repository (../NAME)")
    chosen = parser.parse_args(arguments)
    folder = chosen.folder or Path("..") / chosen.name
    for path in write_example(chosen.kind, chosen.name, folder):
        say(f"  {path.relative_to(folder)}")
    say(f"written to {folder}; its README.md has the commands, beginning with")
    say(f"  cd {folder} && PYTHONPATH=. python -m pytest -q")
    return 0
