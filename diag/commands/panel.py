"""`python -m diag panel study=NAME [outputs=outputs] [csv=FILE]`: one table over all models that ran a study."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from diag.errors import ConfigError
from diag.terminal import options


def main(arguments: Sequence[str]) -> int:
    """Print mean, standard deviation and range of every contrast over model x block."""
    from diag.reading.panels import panel_spread, panel_units
    from diag.summary.rows import analysed_folders

    given = options(arguments, {"study": "", "outputs": "outputs", "csv": ""})
    root = Path(given["outputs"]) / given["study"]
    folders = sorted(path.parent for path in root.glob("*/plan.json"))
    folders, left_out = analysed_folders(folders) if folders else ((), ())
    sys.stdout.writelines(f"{line}\n" for line in left_out)
    if not given["study"] or not folders:
        raise ConfigError(f"panel wants study=NAME with studies below {root}")
    sys.stdout.write(f"{given['study']}: {len(folders)} models ({', '.join(folder.name for folder in folders)})\n")
    for one in panel_spread(folders):
        sd = "-" if one["sd"] is None else f"{one['sd']:.3f}"
        sys.stdout.write(
            f"  {one['endpoint']:<18} {one['contrast']:<16} n {one['n']:>3}  mean {one['mean']:+.3f}  sd {sd}  "
            f"range {one['low']:+.3f}..{one['high']:+.3f}\n"
        )
    if given["csv"]:
        with Path(given["csv"]).open("w", newline="") as file:
            writer = csv.DictWriter(file, ("agent", "objective", "endpoint", "contrast", "value"), lineterminator="\n")
            writer.writeheader()
            writer.writerows(panel_units(folders))
    return 0
