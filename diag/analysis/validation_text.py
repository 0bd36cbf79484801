"""What the validation page says in words, with the figures it rests on, and its section on the published intervals."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from diag.analysis.calibrate import Calibration
from diag.analysis.size_search import Placement, consistent_placements

Results = Sequence[tuple[float, Calibration]]
"""(intra-cluster correlation, calibration)."""


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def paragraph(text: str) -> list[str]:
    """Return text as lines; a list item keeps its indent."""
    return textwrap.wrap(text, 118, subsequent_indent="  " if text.startswith("- ") else "", break_on_hyphens=False)


def reading(null: Results, effect: Results, takeover: Results) -> list[str]:
    """Return the recommendation as Markdown lines.

    Args:
        null: equal clusters, no true effect.
        effect: equal clusters, a true effect.
        takeover: the takeover study's shape, with and without an effect.
    """
    few = [found for _, found in effect if found.n_clusters <= 10]
    seven = [found for _, found in effect if found.n_clusters == 7]
    fifty = [found for _, found in effect if found.n_clusters == 50]
    null_seven = [found for _, found in null if found.n_clusters == 7]
    zero = [found for _, found in takeover if found.truth == 0]
    extreme = [found for _, found in takeover if found.truth != 0]
    sentences = [
        f"- **Percentile, as published, under-covers with few clusters**: {_span(seven, 'percentile')} with seven "
        f"clusters instead of 95 %, and without an effect it still excludes zero in "
        f"{_rejects(null_seven, 'percentile')} of the studies. With fifty it covers {_span(fifty, 'percentile')}.",
        f"- **CR2 with Satterthwaite df** covers {_span(few, 'cr2')} with five to ten clusters: prefer it "
        "to the percentile interval; its centre is the printed effect. Near 0 % and 100 % in the takeover study's "
        "shape it covers "
        f"{_span(extreme, 'cr2')}: better than the percentile interval there, and still too narrow.",
        f"- **Studentised** covers {_span(few, 'studentised')} with five to ten clusters, is wide, and often cannot "
        "say when most clusters agree.",
        f"- **The exact sign-flip test keeps its level**: {_rejects(null_seven, 'sign_flip')} false positives with "
        f"seven clusters, {_rejects(zero, 'sign_flip')} in the takeover study's unequal shape. With few binary blocks "
        "it is conservative: ties and clusters of effect zero cost it power. With five clusters it can never reach "
        "0.05, and the report says so.",
        "- **Recommendation**: print the percentile interval because it was published, decide with the sign-flip "
        "test, take the size of an effect from the t interval, and plan at least ten clusters: more checkpoints of "
        "the same seven levels narrow nothing that lies between levels.",
    ]
    return [line for sentence in sentences for line in paragraph(sentence)] + [""]


def sizes_section() -> list[str]:
    """Return which cluster sizes the published intervals of the takeover study allow, as Markdown lines."""
    verified = consistent_placements(24, 7, n_up=0, n_down=1, low=-0.079, high=0.0)
    timely = consistent_placements(24, 7, n_up=1, n_down=1, low=-0.079, high=0.150)
    both = sorted({p.sizes for p in verified} & {p.sizes for p in timely}, reverse=True)
    near = _within_error()
    return [
        *paragraph(
            "Published for 24 dead-end checkpoints from seven levels: C-B verified recovery -4.2 points [-7.9, 0.0] "
            "with one pair down; C-B timely restart 0 [-7.9, 15.0] with one pair up and one down. The sizes of the "
            "levels stand in a table that the source cites and that the text we have does not hold. Of the "
            "201 partitions of 24 into seven, exact enumeration of all resamples leaves:"
        ),
        "",
        "| interval | sizes | changed pairs in clusters of size | exact limits, points |",
        "|---|---|---|---|",
        *(_placement_line("verified", found) for found in verified),
        *(_placement_line("timely", found) for found in timely),
        "",
        *paragraph(
            f"Exactly consistent with both: **{'; '.join(', '.join(map(str, sizes)) for sizes in both)}**. With these "
            "sizes our analysis of the published counts gives 21 up, 0 down for timely restart B-A and both "
            "intervals (`python -m diag published`). The published intervals are of 10,000 random draws: within "
            f"their Monte Carlo error {len(near)} partitions fit both: "
            f"{'; '.join(', '.join(map(str, one)) for one in near)}. "
            "All have a level of ten and one of four; the rest of the sizes is not known."
        ),
        "",
    ]


def _within_error() -> list[tuple[int, ...]]:
    """Return the sizes that may give both published intervals with 10,000 random draws, largest first."""
    verified = consistent_placements(24, 7, n_up=0, n_down=1, low=-0.079, high=0.0, draws=10_000)
    timely = consistent_placements(24, 7, n_up=1, n_down=1, low=-0.079, high=0.150, draws=10_000)
    return sorted({p.sizes for p in verified} & {p.sizes for p in timely}, reverse=True)


def _span(results: Sequence[Calibration], name: str) -> str:
    coverages = [found.method(name).coverage for found in results]
    return _range([one.estimate for one in coverages if one is not None and one.estimate is not None])


def _rejects(results: Sequence[Calibration], name: str) -> str:
    return _range([found.method(name).reject_share for found in results])


def _range(shares: Sequence[float]) -> str:
    low, high = min(shares), max(shares)
    return percent(low) if round(low, 3) == round(high, 3) else f"{100 * low:.1f} to {percent(high)}"


def _placement_line(name: str, found: Placement) -> str:
    moved = [f"up {size}" for size in found.up] + [f"down {size}" for size in found.down]
    limits = f"{100 * found.low:.2f} to {100 * found.high:.2f}"
    return f"| {name} | {', '.join(map(str, found.sizes))} | {', '.join(moved)} | {limits} |"
