from __future__ import annotations

import numpy as np
import pytest

from diag.analysis import validate
from diag.analysis.simulate import Assumptions, continuous_draws


def test_the_page_is_written_and_its_figures_come_back(tmp_path, monkeypatch):
    monkeypatch.setattr(validate, "SHAPES", ((4, 4, 4), validate.TAKEOVER_SIZES))
    monkeypatch.setattr(validate, "sizes_section", lambda: ["**10, 4, 2, 2, 2, 2, 2**"])
    assert validate.main(["--studies", "60", "--output", str(tmp_path / "a.md")]) == 0
    text = (tmp_path / "a.md").read_text()
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith(("| 3 of 4", "| 10, 4"))]
    assert [row[1] for row in rows] == [*validate.OUTCOMES] * 2
    assert [row[4] for row in rows[:5]] == ["-"] * 5  # three clusters let the test refuse nothing
    again = validate.measure(validate.TAKEOVER_SIZES, ".1/.9", 60)
    assert rows[6][2:8] == [*again.cr2, *again.inverted, *again.percentile]
    assert "nan" not in text


def test_the_published_shape_covers_as_measured_from_outside():
    found = validate.measure(validate.TAKEOVER_SIZES, "continuous", 2_000)
    cr2, inverted, percentile = (float(one[0].split()[0]) for one in (found.cr2, found.inverted, found.percentile))
    assert 92 <= cr2 <= 97
    assert inverted >= 94
    assert percentile < 90
    assert float(found.cr2[1].split()[0]) > cr2  # these levels are held oftener than new ones


@pytest.mark.parametrize("skewed", [False, True])
def test_measured_outcomes_have_the_stated_truth(skewed):
    sums, new, here = continuous_draws(
        [3, 1], Assumptions(icc=0.3), skewed=skewed, studies=60_000, rng=np.random.default_rng(0)
    )
    assert sums.sum(axis=0).mean() / 4 == pytest.approx(new, abs=0.03)
    assert here.mean() == pytest.approx(new, abs=0.03)
    assert (sums.sum(axis=0) / 4 - here).mean() == pytest.approx(0, abs=0.03)


def test_too_few_studies_are_refused(capsys):
    with pytest.raises(SystemExit):
        validate.main(["--studies", "3"])
    assert "at least 10" in capsys.readouterr().err
