"""What goes to the tracker, worked out from a study's files before any tracker is touched. Pure.

One parent run for the study, one child per cohort and arm (D and N are separate cohorts, so an arm that runs in both
has two). Names use what MLflow accepts: letters, digits, `_ - . / :` and space. MLflow's chart view makes a section of
what stands before a `/`: headline metrics have none and come first, details have sections of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from diag.reading.effect_rows import EffectRow
from diag.reading.study_files import StudyFiles
from diag.reading.style import arm_colour, words
from diag.records.plan import flatten
from diag.report.tallies import ArmRow, PairRow, Rate, Spread, arm_rows, block_rows, pair_rows
from games.digest import sha256_of

DIGITS = 4
MAX_PARAM_CHARACTERS = 500
MATCHED = "reasons matched by rules"
"""The section of the codes of stated reasons."""
NOTE_MARK = "From the tables: "
"""How a description that the program wrote begins; a user's own is carried over, ours is written anew."""
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_\-./: ]")


@dataclass(frozen=True)
class RunContent:
    """One run as it will stand in the tracker."""

    name: str
    params: dict[str, str]
    metrics: dict[str, float]
    """Finite, rounded to four decimals."""
    stepped: dict[str, dict[int, float]]
    """Metric -> step -> value."""
    tags: dict[str, str]
    n_not_finite: int
    """Values that were NaN or infinite and are not logged."""


def study_run(files: StudyFiles) -> RunContent:
    """Return the parent: the study of one agent, its headline effects as its own metrics."""
    rows = arm_rows(files)
    values: dict[str, float | None] = {
        "n_units": float(sum(row.n_planned for row in rows)),
        "n_valid": float(sum(row.n_valid for row in rows)),
        "n_missing": float(sum(row.n_without_valid for row in rows)),
        "n_blocks": float(len(block_rows(files))),
        "n_incomplete_blocks": float(sum(bool(block.missing) for block in block_rows(files))),
    }
    headline = files.effects[0] if files.effects else None
    if headline:
        values.update(_effect_metrics("delta", headline))
    for effect in files.effects:
        section = f"{effect.cohort} {effect.treatment}-{effect.control}"
        values.update(_sectioned(section, f"{section} detail", effect))
    metrics, n_not_finite = finite(values)
    tags = {**_shared_tags(files), **_delta_tags(headline), "role": "study"}
    tags["headline"] = headline.name if headline else "none"
    tags["mlflow.note.content"] = _note(files, headline)
    return RunContent(
        _named(files, f"{files.study} {files.agent}"), study_params(files), metrics, {}, tags, n_not_finite
    )


def condition_runs(files: StudyFiles) -> tuple[RunContent, ...]:
    """Return the children: one per cohort and arm."""
    pairs = pair_rows(files)
    return tuple(_condition_run(files, row, pairs) for row in arm_rows(files))


def study_params(files: StudyFiles) -> dict[str, str]:
    """Return the plan's identity as flat short scalars; long texts and lists are in config.yaml and plan.json."""
    params = {}
    for key, value in flatten(files.plan.identity).items():
        text = str(value)
        if key and isinstance(value, str | int | float | bool) and len(text) <= MAX_PARAM_CHARACTERS:
            params[metric_name(key)[:250]] = text
    return params


def pair_set(files: StudyFiles) -> str:
    """Return a digest of the checkpoints and their cohorts: equal in every run that may be compared pair by pair."""
    found = sorted({(unit.cohort, unit.checkpoint_id, unit.checkpoint_digest) for unit in files.plan.units})
    return sha256_of([list(item) for item in found])[:16]


def metric_name(text: str) -> str:
    """Return a name MLflow accepts: every other character becomes `_`."""
    return _FORBIDDEN.sub("_", text)


def finite(values: Mapping[str, float | None]) -> tuple[dict[str, float], int]:
    """Return the finite values, rounded, and the number of NaN and infinite ones; None is no value and not counted."""
    given = {metric_name(name): value for name, value in values.items() if value is not None}
    kept = {name: round(value, DIGITS) for name, value in given.items() if math.isfinite(value)}
    return kept, len(given) - len(kept)


def _condition_run(files: StudyFiles, row: ArmRow, pairs: tuple[PairRow, ...]) -> RunContent:
    effects = [effect for effect in files.effects if effect.cohort == row.cohort and effect.treatment == row.arm]
    control = effects[0].control if effects else ""
    effects = [effect for effect in effects if effect.control == control]
    headline = effects[0].endpoint if effects else _headline_endpoint(files, row)
    values: dict[str, float | None] = {
        "n_units": float(row.n_planned),
        "n_missing": float(row.n_without_valid),
        "n_retried": float(row.n_retried),
        "score": _score(row.cells.get(headline)),
    }
    values.update({f"score/{name}": _score(cell) for name, cell in row.cells.items() if isinstance(cell, Rate)})
    values.update({f"median/{name}": cell.median for name, cell in row.cells.items() if isinstance(cell, Spread)})
    values.update({f"{MATCHED}/{name}": rate.share for name, rate in row.codes.items()})
    if effects:
        values.update(_effect_metrics("delta", effects[0]))
        values["p_signflip"] = effects[0].p_signflip
    for effect in effects:
        values.update(_sectioned("effect", "detail", effect))
    metrics, n_not_finite = finite(values)
    profile = _by_level(row, control, headline, pairs)
    name = str(files.identity("study", "arms", row.arm, "name") or "")
    tags = {
        **_shared_tags(files),
        **_delta_tags(effects[0] if effects else None),
        "mlflow.note.content": _note(files, effects[0] if effects else None),
        "role": "condition",
        "cohort": row.cohort,
        "condition": row.arm,
        "intervention": name or row.arm,
        "privilege": str(files.identity("study", "arms", row.arm, "privilege") or "not recorded"),
        "reference": control or "none",
        "headline": headline,
        "mlflow.runColor": arm_colour(row.arm, tuple(sorted({unit.arm for unit in files.plan.units}))),
    }
    params = {key: tags[key] for key in ("cohort", "condition", "intervention", "privilege", "reference")}
    title = _named(files, f"{row.cohort} {row.arm} {files.agent} {words(name)}".strip())
    return RunContent(title, params, metrics, {"delta_by_level": profile} if profile else {}, tags, n_not_finite)


def _evidence(files: StudyFiles) -> str:
    """Return what the numbers rest on: `SIMULATED`, `RULES ONLY`, `TRIAL`, `PARTIAL 12 of 96`, or `as played`."""
    marks = ["SIMULATED"] if files.simulated else []
    marks += ["RULES ONLY"] if files.identity("suite", "browser") is False else []
    marks += files.standing.labels
    return ", ".join(marks) or "as played"


def _named(files: StudyFiles, title: str) -> str:
    return title if _evidence(files) == "as played" else f"{title} [{_evidence(files)}]"


def _delta_tags(effect: EffectRow | None) -> dict[str, str]:
    """Return of what endpoint `delta` is, and against which arm."""
    if effect is None:
        return {"delta_endpoint": "none", "delta_against": "none"}
    return {"delta_endpoint": effect.endpoint, "delta_against": effect.control}


def _note(files: StudyFiles, effect: EffectRow | None) -> str:
    """Return the run's description."""
    said = "no `delta`: no effect was analysed for this run."
    if effect is not None:
        said = (
            f"`delta` is {words(effect.endpoint)} ({effect.endpoint}) of arm {effect.treatment} minus arm "
            f"{effect.control}, cohort {effect.cohort}, paired within {effect.n_pairs} blocks over "
            f"{effect.n_clusters} clusters; a share is a proportion, not points."
        )
    return f"{NOTE_MARK}{said} Evidence: {_evidence(files)}."


def _shared_tags(files: StudyFiles) -> dict[str, str]:
    return {
        "study": files.study,
        "model": files.agent,
        "simulated": str(files.simulated).lower(),
        "evidence": _evidence(files),
        "agent_privilege": files.privilege,
        "pair_set": pair_set(files),
        "plan_hash": files.plan.plan_hash,
    }


def _effect_metrics(prefix: str, effect: EffectRow) -> dict[str, float | None]:
    declared, percentile = effect.t, effect.percentile
    return {
        prefix: effect.estimate,
        f"{prefix}.ci_lo": declared.low if declared else None,
        f"{prefix}.ci_hi": declared.high if declared else None,
        f"{prefix}.percentile_lo": percentile.low if percentile else None,
        f"{prefix}.percentile_hi": percentile.high if percentile else None,
        f"{prefix}.p_signflip": effect.p_signflip,
        f"{prefix}.n_pairs": float(effect.n_pairs),
        f"{prefix}.n_clusters": float(effect.n_clusters),
    }


def _sectioned(section: str, detail: str, effect: EffectRow) -> dict[str, float | None]:
    """Return an effect's estimate in one section of the charts, its bounds and counts in another."""
    found = _effect_metrics("", effect)
    details = {f"{detail}/{effect.endpoint}{end}": value for end, value in found.items() if end}
    return {f"{section}/{effect.endpoint}": found[""], **details}


def _headline_endpoint(files: StudyFiles, row: ArmRow) -> str:
    """Return what a control's score is about: the first endpoint of its cohort's effects, else its first rate."""
    for effect in files.effects:
        if effect.cohort == row.cohort:
            return effect.endpoint
    return next((name for name, cell in row.cells.items() if isinstance(cell, Rate)), "")


def _score(cell: Any) -> float | None:
    return cell.share if isinstance(cell, Rate) else cell.median if isinstance(cell, Spread) else None


def _by_level(row: ArmRow, control: str, endpoint: str, pairs: tuple[PairRow, ...]) -> dict[int, float]:
    """Return level number -> mean paired difference; the number is the cluster's own, else its place in name order."""
    found: dict[str, list[float]] = {}
    for pair in pairs:
        if (
            pair.contrast == (row.cohort, row.arm, control)
            and pair.endpoint == endpoint
            and pair.difference is not None
        ):
            found.setdefault(pair.cluster, []).append(pair.difference)
    numbers = {cluster: cluster.rsplit("/", 1)[-1] for cluster in found}
    own = all(text.isdecimal() for text in numbers.values()) and len(set(numbers.values())) == len(numbers)
    steps = {cluster: int(numbers[cluster]) if own else place for place, cluster in enumerate(sorted(found), 1)}
    return {steps[cluster]: round(sum(values) / len(values), DIGITS) for cluster, values in found.items()}
