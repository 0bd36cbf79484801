"""One table over a panel of models: each contrast within model and block, then mean, spread and range over the units.

Follow-ups run one study per model. Their units are few and their models are not a sample, so what is reported is the
mean, the standard deviation and the range over model x block (first source document, "Experimental organization").
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diag.analysis.pairs import counted
from diag.analysis.spread import spread
from diag.errors import ConfigError, CorruptRecord
from diag.grading.table import read_table
from diag.records.csv_text import csv_rows

if TYPE_CHECKING:
    import pandas as pd

UNIT_CONTRASTS = "unit_contrasts.csv"
"""The table of a kind whose contrasts are not arm against arm: agent, objective, endpoint, contrast, value per unit."""


def panel_units(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """Return every contrast of every model and block: agent, objective (the block), endpoint, contrast, value.

    Raises:
        ConfigError: a folder has not been analysed.
    """
    units: list[dict[str, Any]] = []
    for folder in folders:
        own = folder / "tables" / UNIT_CONTRASTS
        units += _read(own) if own.is_file() else _from_outcomes(folder / "tables")
    return units


def panel_spread(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the spread of each contrast over all models and blocks. Raises ConfigError."""
    return spread(panel_units(folders))


def _read(path: Path) -> list[dict[str, Any]]:
    return csv_rows(path)


def _from_outcomes(tables: Path) -> list[dict[str, Any]]:
    if not (tables / "effects.json").is_file():
        raise ConfigError(f"{tables.parent} is not analysed; run it with mode=analyse")
    frame = read_table(tables / "outcomes.csv")
    try:
        effects = json.loads((tables / "effects.json").read_text())["effects"]
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptRecord(f"{tables / 'effects.json'}: {error!r}; mode=analyse writes it again") from error
    return [unit for effect in effects for unit in _paired(frame, effect)]


def _paired(frame: pd.DataFrame, effect: Any) -> list[dict[str, Any]]:
    """Return one effect's difference per block that has both arms; replicates are averaged first."""
    rows = counted(frame)
    rows = rows[(rows["cohort"] == effect["cohort"]) & (rows["validity"] == "valid")]
    means = rows.assign(value=rows[effect["outcome"]].astype(float)).groupby(["agent", "block_id", "arm"])["value"]
    wide = means.mean().unstack("arm").reindex(columns=[effect["treatment"], effect["control"]]).dropna()
    difference = wide[effect["treatment"]] - wide[effect["control"]]
    name = f"{effect['cohort']} {effect['treatment']}-{effect['control']}"
    return [
        {"agent": agent, "objective": block, "endpoint": effect["outcome"], "contrast": name, "value": float(value)}
        for (agent, block), value in difference.items()
    ]
