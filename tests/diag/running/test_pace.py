"""The runner lowers its concurrency when the harness takes too much of the takeovers' time, and says so once."""

import io
from types import SimpleNamespace

from diag.running.pace import WINDOW, Pace


class Folder:
    def read_outcome(self, status):
        return SimpleNamespace(harness_share=status.share)


def attempts(share, n=WINDOW, validity="valid"):
    return [SimpleNamespace(validity=validity, share=share) for _ in range(n)]


def paced(*runs, limit=0.03):
    out = io.StringIO()
    pace = Pace(Folder(), 96, limit, out)
    for run in runs:
        for status in run:
            pace.note(status)
    return pace.n_places, out.getvalue().splitlines()


def test_a_harness_within_its_share_leaves_everything_as_it_is():
    assert paced(attempts(0.029)) == (96, [])


def test_one_slow_unit_in_twenty_is_no_95th_percentile_but_two_are():
    assert paced(attempts(0.01, 19), attempts(0.04, 1))[0] == 96
    assert paced(attempts(0.01, 18), attempts(0.04, 2))[0] == 72


def test_it_goes_on_lowering_and_says_so_once():
    n_places, lines = paced(attempts(0.05), attempts(0.04), attempts(0.01))
    assert n_places == 54
    assert len(lines) == 1
    assert "5.0%" in lines[0]
    assert "72 units at a time" in lines[0]


def test_failures_and_virtual_clocks_say_nothing_of_the_harness():
    assert paced(attempts(0.9, validity="infrastructure_failure"), attempts(None)) == (96, [])


def test_it_never_goes_below_one():
    assert paced(*[attempts(0.5)] * 40)[0] == 1
