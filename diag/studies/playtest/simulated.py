"""A simulated crew with known chances, so that the effects of memory are known before anything runs.

The game agent repairs each reported defect with a chance; without memory of the task's earlier rounds it brings each
defect that it once repaired back with another. Know-how from earlier tasks raises the chance of a repair, and what both
know of the world keeps a known pitfall out of a first build. It is told the names of the seeded defects, which no model
is. Draws depend on seed, round and defect alone, so crews of one seed meet the same luck whatever they are shown. With
a page the scripted playtester plays; without one a simulated player finds each defect with a chance. It proves wiring
and arithmetic and says nothing about any model.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from diag.session.contract import Decision, Observation, Privilege, PublicContext
from diag.studies.playtest.builds.build import Build
from diag.studies.playtest.builds.game_defects import defects_of
from diag.studies.playtest.builds.page_defects import PAGE_DEFECTS
from diag.studies.playtest.crew import Coded, CodeView, Played, PlayView
from diag.studies.playtest.memory import ANY, ARCHETYPE, Entry, EntryKind, Layer, Owner, knows
from diag.studies.playtest.playtester import play_page
from diag.studies.playtest.report import RETRIES, Finding, Report

CALL_S, GESTURE_S = 60.0, 2.0
"""What a call of the game agent and a gesture of the simulated player are said to take."""
_EVERYWHERE = frozenset(defect.criterion for defect in PAGE_DEFECTS)


@dataclass(frozen=True)
class Knobs:
    """Chances in [0, 1]."""

    fixes: float = 0.6
    """A reported defect is repaired in a round."""
    fixes_known: float = 0.9
    """The same, with a fix pattern of its kind in the game agent's skill memory."""
    brings_back: float = 0.3
    """Without episode memory: a defect that was once repaired is back after a later round of coding."""
    avoids: float = 0.7
    """A defect stays out of the first build, with its pitfall in world memory."""
    reviews: float = 0.1
    """Nobody plays: a defect is seen, and then repaired, by reading the code again."""
    breaks: float = 0.2
    """The first draft does not start until somebody runs it."""
    finds: float = 0.7
    """The simulated player notices a defect in one play."""
    finds_known: float = 0.9
    """The same, with an interaction pattern of its kind in the player's skill memory."""
    invents: float = 0.1
    """The simulated player reports something that is not wrong."""

    def __post_init__(self) -> None:
        """Raise ValueError for a chance outside [0, 1]."""
        for name, value in asdict(self).items():
            if not 0 <= value <= 1:
                raise ValueError(f"knobs.{name} is from 0 to 1, found {value}")


@dataclass(frozen=True)
class CrewFactory:
    """Settings of the simulated crew; picklable; builds one for each attempt."""

    name: str = "playtest_crew"
    knobs: Knobs = field(default_factory=Knobs)
    privilege: Privilege = "evaluator_state"
    simulated: Literal[True] = True

    def build(self, seed: int) -> SimulatedCrew:
        """Return a crew; equal seeds have equal luck."""
        return SimulatedCrew(self.name, self.knobs, seed)

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome, as flat JSON."""
        return {"name": self.name, "privilege": self.privilege, "simulated": True, **asdict(self.knobs)}


@dataclass
class SimulatedCrew:
    """A simulated game agent and its playtester."""

    name: str
    knobs: Knobs
    seed: int
    simulated: bool = True
    reads_scene: bool = False
    privilege: Privilege = "evaluator_state"

    def decide(self, observation: Observation) -> Decision:
        """Do nothing: the crew takes part in playtest studies alone."""
        del observation
        return Decision((), "a playtest crew plays builds only", 0.0, stop=True)

    def summarize(self, context: PublicContext) -> str:
        """Say nothing."""
        del context
        return ""

    # --- the game agent -----------------------------------------------------------------------------------------------

    def code(self, view: CodeView) -> Coded:
        """Make the next build; a draft that does not start is put right as soon as it is run."""
        coded = self._made(view)
        return replace(coded, latency_s=CALL_S * coded.n_calls)

    def _made(self, view: CodeView) -> Coded:
        build = self._draft(view) if view.round == 1 else self._revised(view)
        if view.verify is None:
            return Coded(build, None, n_calls=1)
        if not view.verify(build):
            return self._coded(view, build)
        if view.builds_only:
            return Coded(build, starts=False, n_calls=1)
        return self._coded(view, replace(build, broken=False), n_calls=2)

    def _coded(self, view: CodeView, build: Build, n_calls: int = 1) -> Coded:
        reported = tuple(one.about for one in view.report.findings) if view.report else ()
        fixed = view.build.broken_criteria - build.broken_criteria if view.round > 1 else frozenset[str]()
        entries = tuple(entry for about in sorted(fixed) for entry in self._learnt(view, about))
        deferred = tuple(about for about in reported if about in build.broken_criteria)
        return Coded(build, True, deferred, entries, n_calls)

    def _draft(self, view: CodeView) -> Build:
        """Return the first code: the seeded defects without those that are known as pitfalls."""
        kept = tuple(
            name
            for name in view.build.defects
            if not (
                knows(view.memory, "world", "pitfall", _criterion(view.build, name))
                and self.draw("avoids", 1, name) < self.knobs.avoids
            )
        )
        return replace(view.build, defects=kept, broken=self.draw("breaks", 1, "") < self.knobs.breaks)

    def _revised(self, view: CodeView) -> Build:
        wanted = {one.about for one in view.report.findings} if view.report else set()
        kept = [name for name in view.build.defects if not self._repairs(view, name, wanted)]
        remembers = any(one.layer == "episode" for one in view.memory)
        repaired = [name for name in view.seeded if name not in view.build.defects]
        back = [
            name for name in repaired if not remembers and self.draw("back", view.round, name) < self.knobs.brings_back
        ]
        present = {*kept, *back}
        return replace(view.build, defects=tuple(name for name in view.seeded if name in present), broken=False)

    def _repairs(self, view: CodeView, name: str, wanted: set[str]) -> bool:
        about = _criterion(view.build, name)
        if view.reviews:
            return self.draw("fix", view.round, name) < self.knobs.reviews
        known = knows(view.memory, "skill", "fix_pattern", about)
        chance = self.knobs.fixes_known if known else self.knobs.fixes
        return about in wanted and self.draw("fix", view.round, name) < chance

    def _learnt(self, view: CodeView, about: str) -> tuple[Entry, ...]:
        text = f"{about}: repaired in round {view.round}"
        place = _archetype(view.build.game, about), about, text, view.task, view.round
        return (
            _entry("skill", "game-agent", "fix_pattern", *place),
            _entry("world", "shared", "pitfall", *place),
        )

    # --- the playtester -----------------------------------------------------------------------------------------------

    def play(self, view: PlayView) -> Played:
        """Play: on the page by script, without one by chance."""
        if view.page is not None:
            return play_page(view)
        report = self._seen(view)
        entries = tuple(
            _entry(
                "skill", "gui-player", "interaction_pattern", _archetype(view.game, one.about), one.about,
                f"how to see {one.about}", view.task, view.round,
            )
            for one in report.findings
            if one.about in view.simulated.broken_criteria
        )  # fmt: skip
        return Played(report, entries, n_gestures=10, n_calls=1, latency_s=10 * GESTURE_S)

    def _seen(self, view: PlayView) -> Report:
        broken = sorted(view.simulated.broken_criteria)
        findings = [_finding(about) for about in broken if self._finds(view, about)]
        whole = sorted({one.criterion for one in defects_of(view.game).values()} - set(broken))
        if self.draw("invents", view.round, "") < self.knobs.invents and whole:
            findings.append(_finding(whole[int(self.draw("which", view.round, "") * len(whole))]))
        if any(one.about == "win" for one in findings):
            return Report("blocked-by-bug", "high", findings=tuple(findings), blocking="win", retries=RETRIES)
        return Report("completed", "medium" if findings else "high", findings=tuple(findings))

    def _finds(self, view: PlayView, about: str) -> bool:
        known = knows(view.memory, "skill", "interaction_pattern", about)
        return self.draw("find", view.round, about) < (self.knobs.finds_known if known else self.knobs.finds)

    def draw(self, what: str, number: int, about: str) -> float:
        """Return a uniform draw in [0, 1) that depends on the seed, the purpose, the round and the defect alone."""
        return float(np.random.default_rng([self.seed, number, *what.encode(), 0, *about.encode()]).random())


def _criterion(build: Build, name: str) -> str:
    return defects_of(build.game)[name].criterion


def _archetype(game: str, about: str) -> str:
    return ANY if about in _EVERYWHERE else ARCHETYPE[game]


def _entry(
    layer: Layer, owner: Owner, kind: EntryKind, archetype: str, about: str, text: str, task: str, number: int
) -> Entry:
    return Entry(layer, owner, kind, archetype, about, text, task, number)


def _finding(about: str) -> Finding:
    return Finding(about, "major", f"{about} does not do what the guide says", f"repair {about}")
