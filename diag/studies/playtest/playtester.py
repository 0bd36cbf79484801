"""The scripted playtester: it drives the real page, tries what the guide promises, and reports what did not happen.

It sees pixels only, and has neither code nor rubric; that it knows a solution of level 1 is its privilege. It cannot
read, so a wrong legend or a wrong name of a level passes it by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from diag.studies.playtest.builds.page import Surface
from diag.studies.playtest.crew import Played, PlayView
from diag.studies.playtest.memory import ANY, Entry
from diag.studies.playtest.regions import is_inked, is_same
from diag.studies.playtest.report import Finding, Report, Severity
from diag.studies.playtest.script import steps_of
from diag.studies.playtest.trials import Trial, Way, trials_of
from games.suite.page import PageFailure

_SEVERITY: dict[str, Severity] = {"start": "critical", "win": "critical"}


@dataclass
class _Play:
    """One play on one page."""

    game: str
    surface: Surface
    n_gestures: int = 0
    n_steps: int = 0
    log: list[str] = field(default_factory=list)
    first: bytes = b""
    """The first level as it appeared."""

    def tried(self, trial: Trial) -> Finding | None:
        """Try one behaviour in all its ways; return the finding if none shows it."""
        first_step = self.n_steps
        for number, way in enumerate(trial.ways):
            failing = self._failing(way)
            self.log.append(f"{trial.about}, way {number + 1}: {failing or 'as the guide says'}")
            if not failing:
                return None
        evidence = tuple(range(first_step, self.n_steps))
        text = f"the guide says {trial.guide}; it did not in {len(trial.ways)} tries"
        return Finding(trial.about, _SEVERITY.get(trial.about, "major"), text, trial.fix, evidence)

    def _failing(self, way: Way) -> str:
        try:
            seen = self._looks(way)
        except PageFailure as failure:
            return str(failure)
        return next((f"not {check}" for check in way.shows if not shows(check, seen)), "")

    def _looks(self, way: Way) -> list[bytes]:
        self.surface.reopen()
        seen = []
        entered = False
        for step in steps_of(self.game, way.script):
            if step.gesture is None:
                seen.append(self.surface.screenshot())
                self.first = self.first or (seen[-1] if entered else b"")
            else:
                self.surface.perform(step.gesture)
                self.n_gestures += 1
                entered = True
            self.n_steps += 1
        return seen


def play_page(view: PlayView) -> Played:
    """Play an open build and report."""
    assert view.page is not None
    play = _Play(view.game, view.page)
    trials = trials_of(view.game)
    findings = [finding for trial in trials if (finding := play.tried(trial)) is not None]
    report = reported(view.game, findings, play.log)
    entries = tuple(
        Entry(
            "skill", "gui-player", "interaction_pattern", ANY, one.about, f"{one.about}: {one.text}", view.task,
            view.round,
        )
        for one in findings
    )  # fmt: skip
    return Played(report, entries, play.n_gestures, play.first)


def reported(game: str, findings: Sequence[Finding], log: Sequence[str]) -> Report:
    """Return the report of a play through all trials."""
    trials = trials_of(game)
    failed = {one.about: one for one in findings}
    dimensions = dict.fromkeys(trial.dimension for trial in trials)
    assessment = {
        name: ", ".join(one.about for one in trials if one.dimension == name and one.about in failed) or "as it should"
        for name in dimensions
    }
    worst = next((failed[name] for name in ("start", "win") if name in failed), None)
    outcome = "could-not-start" if "start" in failed else "blocked-by-bug" if "win" in failed else "completed"
    retries = next(len(one.ways) - 1 for one in trials if one.about == "win")
    return Report(
        outcome,  # type: ignore[arg-type]  # one of the four words by construction
        "medium" if findings and worst is None else "high",
        signals=tuple(failed),
        log=tuple(log),
        assessment=assessment,
        findings=tuple(findings),
        blocking="" if worst is None else worst.text,
        direction="" if worst is None else worst.fix,
        retries=retries if outcome == "blocked-by-bug" else 0,
    )


def shows(check: str, seen: Sequence[bytes]) -> bool:
    """Tell whether looks show what they should. Raises ValueError on an unknown check."""
    match check.split():
        case ["same", region, i, j]:
            return is_same(seen[int(i)], seen[int(j)], region)
        case ["changed", region, i, j]:
            return not is_same(seen[int(i)], seen[int(j)], region)
        case ["inked", region, i]:
            return is_inked(seen[int(i)], region)
    raise ValueError(f"check {check!r}: wanted same REGION i j, changed REGION i j or inked REGION i")
