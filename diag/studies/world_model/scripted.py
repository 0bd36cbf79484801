"""A scripted actor with a scripted builder, whose model and therefore whose every diagnostic is known beforehand.

The actor follows a recommendation if there is one, plans once a turn where it can, and explores otherwise: it takes the
action that it has tried least in a frame that looks like this one. Draws are shared by the arms of a block, so a model
that recommends nothing changes nothing. It proves wiring and arithmetic and says nothing about any model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from diag.agents.grid.contract import Sight
from diag.agents.grid.watchers import Exploration, Explorer
from diag.agents.models.conversation import Call
from diag.session.contract import Privilege
from diag.studies.world_model.builders import BUILDERS, Builder, model_files
from diag.studies.world_model.dialogue import Answer, Question
from diag.studies.world_model.history import action_json
from diag.studies.world_model.workspace import digest_of

SECONDS, TOKENS = 5.0, 1_000
"""What a call is said to take."""


@dataclass(frozen=True)
class ScriptedFactory:
    """Settings of the scripted agent; picklable; builds one for each play."""

    builder: Builder = "exact"
    name: str = "scripted_modeler"
    privilege: Privilege = "solver_oracle"
    simulated: Literal[True] = True

    def __post_init__(self) -> None:
        if self.builder not in BUILDERS:
            raise ValueError(f"agent.builder: got {self.builder!r}, wanted one of {', '.join(BUILDERS)}")

    def build(self, seed: int) -> Scripted:
        """Return an agent for one play; its draws come from the block, not from the unit."""
        del seed
        return Scripted(self.name, self.builder)

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome, as flat JSON."""
        return {"name": self.name, "privilege": self.privilege, "simulated": True, "builder": self.builder}


@dataclass
class Scripted:
    """One play's actor and builder."""

    name: str
    builder: Builder
    privilege: Privilege = "solver_oracle"
    simulated: bool = True
    _explorer: Exploration | None = field(default=None, init=False)
    _n: int = field(default=0, init=False)

    def answer(self, question: Question) -> Answer:
        """Answer by the stage."""
        by_stage = {"act": self._act, "build": self._build, "notes": self._notes}
        calls = by_stage[question.stage](question, question.facts)
        return Answer(tuple(self._call(*one) for one in calls), "", SECONDS, TOKENS, {"tokens": TOKENS})

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Call:
        self._n += 1
        return Call(f"call-{self._n}", name, dict(arguments))

    def _act(self, question: Question, facts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        tools, tried = {tool.name for tool in question.tools}, facts["tried"]
        if facts["hint"] is not None:
            return [("take_action", action_json(facts["hint"]))]
        if facts["seen"].status == "playing" and "plan" in tools and "plan" not in tried:
            if facts["has_model"]:
                return [("plan", {})]
            if facts["edits_model"] and "write_file" not in tried:
                return self._writes(facts)
            if "call_builder" in tools and "call_builder" not in tried:
                return [("call_builder", {"request": "Build the model."})]
        return [("take_action", action_json(self._explored(facts)))]

    def _explored(self, facts: Mapping[str, Any]) -> Any:
        if self._explorer is None:
            self._explorer = Explorer().build(np.random.default_rng(facts["block_seed"]))
        return self._explorer.choose(Sight(facts["seen"], facts["attempt_actions"]))

    def _build(self, question: Question, facts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        if digest_of(self._files(facts)) != facts["model_sha256"]:
            return self._writes(facts)
        return [("done", {"summary": f"the {self.builder} model is in place"})]

    def _writes(self, facts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        files = self._files(facts)
        return [("write_file", {"path": f"model/{name}", "text": files[name]}) for name in sorted(files, reverse=True)]

    def _files(self, facts: Mapping[str, Any]) -> dict[str, bytes]:
        return model_files(self.builder, facts["game"], facts["block_seed"])

    def _notes(self, question: Question, facts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        level = facts["completed"]
        words = f"Level {level} was completed with the {self.builder} model.\n"
        return [("write_file", {"path": f"notes/level_{level}.md", "text": words}), ("done", {})]
