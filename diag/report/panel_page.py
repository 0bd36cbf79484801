"""One page over all models that ran a study: model x arm for every endpoint, and the contrasts' spread.

Nothing is estimated and nothing is pooled: counts and means are each study's own, and the spread over model x block is
what the follow-ups report (docs/studies/retry.md, docs/studies/knowledge_workflow.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from markupsafe import Markup

from diag.reading.markup import Section, abreast, joined, section, table, titled
from diag.reading.panels import panel_spread
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, number, signed, words
from diag.report.arm_changes import read_block_record
from diag.report.arm_views import ArmViews
from diag.report.tallies import block_rows


def panel_sections(studies: Sequence[StudyFiles]) -> tuple[Section, ...]:
    """Return the sections of the page: the studies of one question, one per model."""
    return (_arms(studies[0]), _by_arm(studies), _spread(studies))


def _arms(files: StudyFiles) -> Section:
    """Return each arm in one line, as the reports have it."""
    blocks = block_rows(files)
    found = {block.block_id: read_block_record(files.folder, block.block_id) for block in blocks}
    records = {name: record for name, record in found.items() if record is not None}
    lines = ArmViews(files, blocks, records, {}).legend()["arms"]
    items = [Markup("<li>{} {}: {}</li>").format(files.chip(arm), name, gist) for arm, name, gist, _ in lines]
    return section("arms", "Arms", Markup('<ul class="words">{}</ul>').format(joined(items)))


def panel_endpoints(files: StudyFiles) -> tuple[str, ...]:
    """Return the endpoints that the study declared, as far as its table has them."""
    return tuple(name for name in files.identity("study", "endpoints") or () if name in files.endpoints)


def _by_arm(studies: Sequence[StudyFiles]) -> Section:
    cohorts = dict.fromkeys(unit.cohort for files in studies for unit in files.plan.units)
    parts = [
        abreast(
            titled(f"{cohort}: {words(endpoint)}", _model_by_arm(studies, cohort, endpoint))
            for endpoint in panel_endpoints(studies[0])
            if any(_values(files, cohort, endpoint).notna().any() for files in studies)
        )
        for cohort in cohorts
    ]
    return section("models", "Model by arm", joined(parts))


def _model_by_arm(studies: Sequence[StudyFiles], cohort: str, endpoint: str) -> Markup:
    """Return a row per model and one over all of them."""
    arms = sorted({unit.arm for files in studies for unit in files.plan.units if unit.cohort == cohort})
    rows = [(_who(files), *(_cell([files], cohort, arm, endpoint) for arm in arms)) for files in studies]
    rows.append(("all models", *(_cell(studies, cohort, arm, endpoint) for arm in arms)))
    kind = "Counts of valid units." if endpoint in studies[0].yes_no else "Mean over valid units, their number."
    return table(("Model", *(studies[0].chip(arm) for arm in arms)), rows, kind)


def _who(files: StudyFiles) -> Markup:
    """Return the agent with a link to its report, and how far its study stands where it is not whole."""
    stands = f" [{', '.join(files.standing.labels)}]" if files.standing.labels else ""
    if not (files.folder / "report.html").is_file():
        return Markup("{}{}").format(files.agent, stands)
    return Markup('<a href="{}/report.html">{}</a>{}').format(files.folder.name, files.agent, stands)


def _cell(studies: Sequence[StudyFiles], cohort: str, arm: str, endpoint: str) -> Markup | str:
    found = pd.concat([_values(files, cohort, endpoint, arm) for files in studies]).dropna().astype(float)
    if found.empty:
        return DASH
    if endpoint in studies[0].yes_no:
        return Markup("<b>{}</b> of {}").format(int(found.sum()), len(found))
    digits = 3 if found.abs().max() <= 1 else 1
    return Markup("<b>{}</b> <small>{}</small>").format(number(float(found.mean()), digits), len(found))


def _values(files: StudyFiles, cohort: str, endpoint: str, arm: str | None = None) -> pd.Series:
    rows = files.valid[files.valid["cohort"] == cohort]
    return rows.loc[rows["arm"] == arm, endpoint] if arm else rows[endpoint]


def _spread(studies: Sequence[StudyFiles]) -> Section:
    shares = {name for name in studies[0].yes_no if name in panel_endpoints(studies[0])}
    found = panel_spread([files.folder for files in studies])
    rows = [_spread_row(one, 100.0 if one["endpoint"] in shares else 1.0) for one in found]
    points = "Yes/no endpoints are in percentage points. " if any(one["endpoint"] in shares for one in found) else ""
    caption = (
        "Each contrast within model and block, then mean, standard deviation and range over model x block. "
        f"{points}Models are few and no sample, so there is no interval over them."
    )
    head = ("Endpoint", "Contrast", "Model x block", "Mean", "SD", "Least", "Most")
    return section("spread", "Contrasts over model x block", table(head, rows, caption, words=2))


def _spread_row(one: Mapping[str, Any], scale: float) -> tuple[str, ...]:
    digits = 3 if scale == 1.0 and max(abs(one["low"]), abs(one["high"])) <= 2 else 1
    mean, low, high = (signed(one[name], digits, scale) for name in ("mean", "low", "high"))
    contrast = one["contrast"].replace("Delta_", "\N{GREEK CAPITAL LETTER DELTA}")
    return (words(one["endpoint"]), contrast, str(one["n"]), mean, number(one["sd"], digits, scale), low, high)
