"""One paired effect as `tables/effects.json` holds it: the seam between the analysis and everything that shows it.

The writer is `diag.analysis.effects.effects_json`. Rates, effects and limits are in the outcome's own unit (a share,
not points).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from diag.errors import CorruptRecord
from diag.reading.style import contrast_words, signed
from games.contract import JsonObject


@dataclass(frozen=True)
class Bounds:
    """Two ends of an interval or a range, in the effect's unit."""

    low: float
    high: float


@dataclass(frozen=True)
class EffectRow:
    """Treatment minus control, paired within blocks. What could not be computed is None, and `reasons` tell why."""

    name: str
    cohort: str
    endpoint: str
    kind: str
    """binary, proportion, count or time."""
    treatment: str
    control: str
    n_pairs: int
    n_missing: int
    """Blocks left out because an arm has no valid attempt."""
    n_not_applicable: int
    n_clusters: int
    estimate: float | None
    percentile: Bounds | None
    percentile_coverage: float | None
    """What percentile intervals of its cluster sizes cover, measured; None where the analysis does not say."""
    t: Bounds | None
    p_signflip: float | None
    p_holm: float | None
    p_adjusted: float | None
    """Step-down max-T over the family: the p that decides."""
    p_states: float | None
    """Of the other target: the exact test of the sharp null in the blocks that were played."""
    p_states_mid: float | None
    """McNemar's mid-p of the same; pairs of yes and no only."""
    role: str
    """primary or secondary: what the endpoint was declared to be."""
    leave_one_out: Bounds | None
    n_up: int
    n_down: int
    missing_bounds: Bounds | None
    """The estimate if every missing half had come out worst, or best, for the treatment."""
    nested: Bounds | None
    """Groups (games) drawn first, then clusters (objectives) within each; None where the study has no groups."""
    sentence: str
    """What may be said, in words."""
    reasons: tuple[str, ...]
    """Why the percentile and the CR2 interval have no limits, where they have none."""

    @property
    def contrast(self) -> str:
        """The contrast as an identifier: `B-A`."""
        return f"{self.treatment}-{self.control}"

    @property
    def label(self) -> str:
        """The contrast as it is read: `B - A` with a true minus, or its own name where it weighs several arms."""
        named = self.name.removeprefix(f"{self.endpoint}: ")
        return named.replace("Delta_", "Δ") if named != self.name else contrast_words(self.treatment, self.control)

    @property
    def is_share(self) -> bool:
        """Tell whether the effect is a difference of proportions, to be shown in percentage points."""
        return self.kind in ("binary", "proportion")


def read_effects(data: Any) -> tuple[EffectRow, ...]:
    """Return the effects of a file's content, in file order: a list, or an object that holds one as `effects`.

    Raises:
        CorruptRecord: it is not of the known form.
    """
    try:
        return tuple(_row(item) for item in (data if isinstance(data, list) else data["effects"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CorruptRecord(f"effects.json: not a list of effects: {error!r}; mode=analyse writes it") from error


def interval_words(bounds: Bounds | None, scale: float) -> str:
    """Return an interval as text: `[-3.1, +4.0]`, or that none can be given."""
    return "cannot say" if bounds is None else f"[{signed(bounds.low, 1, scale)}, {signed(bounds.high, 1, scale)}]"


def grouped(effects: Sequence[EffectRow]) -> tuple[EffectRow, ...]:
    """Return the effects contrast by contrast, contrasts and endpoints in the order of their first appearance."""
    order = {key: place for place, key in enumerate(dict.fromkeys((row.cohort, row.contrast) for row in effects))}
    return tuple(sorted(effects, key=lambda row: order[row.cohort, row.contrast]))


def _row(item: JsonObject) -> EffectRow:
    return EffectRow(
        name=str(item["name"]),
        cohort=str(item["cohort"] or "all"),
        endpoint=str(item["outcome"]),
        kind=str(item["kind"]),
        treatment=str(item["treatment"]),
        control=str(item["control"]),
        n_pairs=int(item["n_pairs"]),
        n_missing=int(item["n_missing"]),
        n_not_applicable=int(item["n_not_applicable"]),
        n_clusters=int(item["n_clusters"]),
        estimate=_number(item["estimate"]),
        percentile=_interval(item["percentile"]),
        percentile_coverage=_number(item.get("percentile_coverage")),
        t=_interval(item["cr2"]),
        p_signflip=_number(item["sign_flip_p"]),
        p_holm=_number(item["holm_p"]),
        p_adjusted=_number(item.get("adjusted_p")),
        p_states=_number(item.get("these_states", {}).get("p")),
        p_states_mid=_number(item.get("these_states", {}).get("mid_p")),
        role=str(item.get("estimand", {}).get("role", "")),
        leave_one_out=_bounds(item["loo_low"], item["loo_high"]),
        n_up=int(item["up"]),
        n_down=int(item["down"]),
        missing_bounds=None if item["bounds"] is None else _bounds(*item["bounds"]),
        nested=_interval(item["nested"]) if item.get("nested") else None,
        sentence=" ".join([str(item["sentence"]), *_of_equivalence(item)]),
        reasons=tuple(
            f"{method}: {item[key]['reason']}"
            for key, method in (("percentile", "percentile interval"), ("cr2", "CR2 interval"))
            if item[key]["reason"]
        ),
    )


def _of_equivalence(item: JsonObject) -> tuple[str, ...]:
    found = item.get("equivalence")
    return () if found is None else (str(found["sentence"]),)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _bounds(low: Any, high: Any) -> Bounds | None:
    return None if low is None or high is None else Bounds(float(low), float(high))


def _interval(value: JsonObject) -> Bounds | None:
    return _bounds(value["low"], value["high"]) if value["status"] == "ok" else None
