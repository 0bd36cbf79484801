"""`python -m diag index [outputs]`: one page over all studies below a folder, and one per study of several agents.

Writes FOLDER/index.html, which links to the report of every study and agent, and FOLDER/STUDY/panel.html (model x arm).
A study that was planned or run and not analysed is named and left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diag.errors import ConfigError
from diag.summary.rows import analysed_folders
from diag.terminal import say


def main(arguments: Sequence[str]) -> int:
    """Write the pages and print where they are. Raises ConfigError: more than one folder, or no analysed study."""
    from diag.report.index_page import write_index

    if len(arguments) > 1:
        raise ConfigError(f"index wants one folder, found {' '.join(arguments)}")
    root = Path(arguments[0] if arguments else "outputs")
    analysed, left_out = analysed_folders([root], trials_too=True)
    for line in left_out:
        say(line)
    for path in write_index(root, analysed):
        say(path)
    return 0
