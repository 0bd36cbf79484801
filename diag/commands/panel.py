"""`python -m diag panel study=NAME [outputs=outputs] [csv=FILE]`: one table over all models that ran a study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diag.errors import ConfigError
from diag.reading.panels import panel_spread, panel_units
from diag.records.csv_text import csv_text
from diag.records.looks import interim_of
from diag.summary.rows import analysed_folders
from diag.terminal import options, say


def main(arguments: Sequence[str]) -> int:
    """Print mean, standard deviation and range of every contrast over model x block."""
    given = options(arguments, {"study": "", "outputs": "outputs", "csv": ""})
    root = Path(given["outputs"]) / given["study"]
    planned = sorted(path.parent for path in root.glob("*/plan.json"))
    folders, left_out = analysed_folders(planned) if planned else ((), ())
    for line in left_out:
        say(line)
    if not given["study"] or not folders:
        raise ConfigError(f"panel wants study=NAME with studies below {root}")
    say(f"{given['study']}: {len(folders)} models ({', '.join(folder.name for folder in folders)})")
    for folder in folders:
        if how_far := interim_of(folder):
            say(f"INTERIM: {folder.name} was looked at after {how_far}")
    for one in panel_spread(folders):
        sd = "-" if one["sd"] is None else f"{one['sd']:.3f}"
        say(
            f"  {one['endpoint']:<18} {one['contrast']:<16} n {one['n']:>3}  mean {one['mean']:+.3f}  sd {sd}  "
            f"range {one['low']:+.3f}..{one['high']:+.3f}"
        )
    if given["csv"]:
        columns = ("agent", "objective", "endpoint", "contrast", "value")
        Path(given["csv"]).write_text(csv_text(columns, panel_units(folders)), encoding="utf-8", newline="")
    return 0
