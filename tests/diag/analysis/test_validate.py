from __future__ import annotations

import re

import pytest

from diag.analysis import validate


def test_the_page_is_written_and_its_figures_come_back(tmp_path, monkeypatch):
    monkeypatch.setattr(validate, "CLUSTERS", (5, 7, 50))
    monkeypatch.setattr(validate, "ICCS", (0.1,))
    assert validate.main(["--studies", "12", "--output", str(tmp_path / "a.md")]) == 0
    text = (tmp_path / "a.md").read_text()
    again = validate._even(7, 0.1, (0.3, 0.7), 12), validate._even(7, 0.1, (0.3, 0.7), 12)
    assert again[0] == again[1]
    assert f"| 7 | 0.1 | {validate._coverage(again[0][1], 'percentile')} |" in text
    assert "nan" not in text
    assert "consistent with both: **10, 4, 2, 2, 2, 2, 2**" in text
    rows = re.findall(r"^\| (\d+) \| 0\.1 \|", text, flags=re.MULTILINE)
    assert rows == ["5", "7", "50"] * 2


def test_too_few_studies_are_refused(capsys):
    with pytest.raises(SystemExit):
        validate.main(["--studies", "3"])
    assert "at least 10" in capsys.readouterr().err
