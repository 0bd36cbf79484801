"""Progress: plain lines where there is no terminal, a live table of the arms where there is one, and no outcome."""

import io
from types import SimpleNamespace

from rich.console import Console

from diag.running.arm_counts import ArmCounts
from diag.running.arm_table import arm_table
from diag.running.progress import Silent, progress

UNITS = [
    SimpleNamespace(unit_id=f"{cohort}{block}-{arm}-r1", cohort=cohort, arm=arm)
    for cohort, arms in (("D", "ABC"), ("N", "AB"))
    for block in (1, 2)
    for arm in arms
]
NAMES = [unit.unit_id for unit in UNITS]


def valid(unit_id: str) -> SimpleNamespace:
    return SimpleNamespace(validity="valid", unit_id=unit_id)


def failed(unit_id: str) -> SimpleNamespace:
    return SimpleNamespace(validity="infrastructure_failure", unit_id=unit_id)


def drawn(counts: ArmCounts, now_s: float, width: int = 100) -> list[str]:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(arm_table(counts, now_s))
    return console.export_text().splitlines()


def test_lines_count_failures_and_do_not_count_them_as_done():
    out = io.StringIO()
    with progress(UNITS[:3], NAMES[1:3], shown=True, out=out) as show:
        for status in (failed(NAMES[1]), valid(NAMES[1]), valid(NAMES[2])):
            show.attempt(status)
    assert out.getvalue().splitlines()[-1].startswith("units 3/3 done, 1 infrastructure failures")


def test_a_terminal_gets_the_table_of_arms():
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    with progress(UNITS, NAMES, shown=True, out=out) as show:
        show.attempt(valid("D1-C-r1"))
        show.attempt(failed("N2-B-r1"))
    assert "1/10 units valid, 1 infrastructure failures" in out.getvalue()


def test_every_attempt_counts_for_its_own_arm_and_what_was_done_before_stays_done():
    counts = ArmCounts(UNITS, [name for name in NAMES if name != "N1-A-r1"], began_s=0.0)
    for name in ("D1-C-r1", "D2-C-r1"):
        counts.attempt(valid(name), 30.0)
    counts.attempt(failed("D1-B-r1"), 40.0)

    cells = [line.split() for line in drawn(counts, 40.0)]
    by_arm = {("D", "A"): ["0/2", "2", "0"], ("D", "B"): ["0/2", "2", "1"], ("D", "C"): ["2/2", "0", "0"]}
    assert [row[-3:] for row in cells[1:6]] == [*by_arm.values(), ["1/2", "1", "0"], ["0/2", "2", "0"]]
    assert "3/10 units valid, 1 infrastructure failures, 0:00:40 gone, about 0:02:20 left" in " ".join(cells[6])


def test_the_time_left_is_not_guessed_before_a_unit_is_done():
    counts = ArmCounts(UNITS, NAMES, began_s=0.0)
    counts.attempt(failed("D1-B-r1"), 40.0)

    assert counts.left_s(40.0) is None
    assert "no estimate yet" in "\n".join(drawn(counts, 40.0))


def test_it_can_be_silent():
    with progress(UNITS, NAMES, shown=False) as show:
        assert isinstance(show, Silent)
        show.attempt(valid(NAMES[0]))
