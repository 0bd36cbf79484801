"""Progress: plain lines where there is no terminal, a bar where there is one."""

import io
from types import SimpleNamespace

from diag.execution.progress import Silent, progress

VALID = SimpleNamespace(validity="valid", unit_id="u")
FAILED = SimpleNamespace(validity="infrastructure_failure", unit_id="u")


def test_lines_count_failures_and_do_not_count_them_as_done():
    out = io.StringIO()
    with progress(3, 1, shown=True, out=out) as show:
        for status in (FAILED, VALID, VALID):
            show.attempt(status)
    assert out.getvalue().splitlines()[-1].startswith("units 3/3 done, 1 infrastructure failures")


def test_a_terminal_gets_a_bar():
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    with progress(2, 0, shown=True, out=out) as show:
        show.attempt(VALID)
        show.attempt(FAILED)
    assert "1/2" in out.getvalue()
    assert "1 failed" in out.getvalue()


def test_it_can_be_silent():
    with progress(2, 0, shown=False) as show:
        assert isinstance(show, Silent)
        show.attempt(VALID)
