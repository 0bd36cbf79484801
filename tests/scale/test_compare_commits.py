"""The script that compares two commits: its command line, its ratio, and one comparison from end to end."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from compare_commits import DEFAULT, ratio, split  # noqa: E402


@pytest.mark.parametrize(
    ("arguments", "own", "command"),
    [
        (["A", "B"], ["A", "B"], DEFAULT),
        (["A", "B", "--rounds", "3"], ["A", "B", "--rounds", "3"], DEFAULT),
        (["A", "B", "--rounds", "3", "--", "python", "-c", "0"], ["A", "B", "--rounds", "3"], ["python", "-c", "0"]),
        (["A", "B", "--", "x", "--", "y"], ["A", "B"], ["x", "--", "y"]),
    ],
)
def test_a_command_stands_after_two_dashes(arguments, own, command):
    assert split(arguments) == (own, command)


def test_the_ratio_of_equal_pairs_is_exact_and_load_that_hits_both_does_not_matter():
    assert ratio([(1.0, 0.5), (4.0, 2.0), (2.0, 1.0)]) == pytest.approx((0.5, 0.5, 0.5))
    middle, low, high = ratio([(1.0, 1.1), (1.0, 0.9), (1.0, 1.0)])
    assert low < middle < high


def test_two_commits_are_compared_and_their_worktrees_are_gone():
    words = [sys.executable, str(BENCHMARKS / "compare_commits.py"), "HEAD", "HEAD", "--rounds", "2"]
    done = subprocess.run([*words, "--", "python", "-c", "pass"], capture_output=True, text=True, check=True)
    assert done.stdout.count("round ") == 2
    assert "HEAD / HEAD: " in done.stdout
    trees = ["git", "worktree", "list"]
    listed = subprocess.run(trees, cwd=BENCHMARKS, capture_output=True, text=True, check=True).stdout
    assert "compare-" not in listed
