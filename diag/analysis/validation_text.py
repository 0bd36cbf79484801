"""Words of the validation page, and its section on the sizes that the published intervals allow."""

from __future__ import annotations

import textwrap

from diag.analysis.size_search import consistent_placements


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def paragraph(text: str) -> list[str]:
    """Return text as lines; a list item keeps its indent."""
    return textwrap.wrap(text, 118, subsequent_indent="  " if text.startswith("- ") else "", break_on_hyphens=False)


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
            f"201 partitions of 24 into seven, {len({p.sizes for p in verified})} give the first exactly and "
            f"{len({p.sizes for p in timely})} the second (all resamples enumerated). Exactly "
            f"consistent with both: **{'; '.join(', '.join(map(str, sizes)) for sizes in both)}**. With these "
            "sizes our analysis of the published counts gives 21 up, 0 down for timely restart B-A and both "
            "intervals (`python -m diag published`). The published intervals are of 10,000 random draws: within their "
            f"Monte Carlo error {len(near)} fit both: {'; '.join(', '.join(map(str, one)) for one in near)}. "
            "All have a level of ten and one of four; the rest of the sizes is not known."
        ),
        "",
    ]


def _within_error() -> list[tuple[int, ...]]:
    """Return the sizes that may give both published intervals with 10,000 random draws, largest first."""
    verified = consistent_placements(24, 7, n_up=0, n_down=1, low=-0.079, high=0.0, draws=10_000)
    timely = consistent_placements(24, 7, n_up=1, n_down=1, low=-0.079, high=0.150, draws=10_000)
    return sorted({p.sizes for p in verified} & {p.sizes for p in timely}, reverse=True)
