"""One play: the actor's turns, the builder's work, the budgets that both draw on, and the record of all of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from diag.agents.models.conversation import Call, Text
from diag.session.clock import Clock
from diag.session.dispatcher import Ended
from diag.session.grid import GridSession
from diag.studies.world_model import prompts
from diag.studies.world_model.desk import ROOM, Desk, Did
from diag.studies.world_model.diagnostics import Committed, Foresight
from diag.studies.world_model.dialogue import Answer, Dialogue, Mind, Question, Role, Seen
from diag.studies.world_model.history import Step, action_of
from diag.studies.world_model.inside.machine import text_of
from diag.studies.world_model.verifier import counts
from games.grid.actions import RESET, ActionError, GridAction

LONGEST_KEPT = 2_000
"""Characters of an argument or a result in the log; what is written to files is kept whole as a snapshot."""


@dataclass
class Budget:
    """Calls and tokens of actor and builder together."""

    calls: int
    tokens: int
    used_calls: int = 0
    used_tokens: int = 0

    def ended(self) -> Ended | None:
        """Return why no more can be asked; None while it can."""
        if self.used_calls >= self.calls:
            return Ended("call_limit", f"{self.calls} calls")
        if self.used_tokens >= self.tokens:
            return Ended("token_limit", f"{self.tokens} tokens")
        return None


@dataclass
class Play:
    """The mutable side of one play."""

    mind: Mind
    desk: Desk
    session: GridSession
    clock: Clock
    budget: Budget
    instruction: str
    shared: dict[str, Any]
    """What scripts know beside what they are told: the block's seed, and for a privileged one the game."""
    foresight: Foresight = field(init=False)
    actor: Dialogue = field(default_factory=Dialogue, init=False)
    builder_calls: int = field(default=0, init=False)
    """At this level."""
    n_actions: int = field(default=0, init=False)
    _acted: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.foresight = Foresight(self.desk.jailed)

    def run(self) -> Ended:
        """Play to the end. Raises InfrastructureFailure."""
        self.desk.evidence.open(self.session.open())
        self._use_model()
        self._begin()
        while (ended := self._ended()) is None:
            self._turn()
            if self._acted:
                self._after_action()
        self._settle()
        self._finish()
        return ended

    def _ended(self) -> Ended | None:
        return self.session.ended() or self.budget.ended()

    # --- the actor's turn -------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Begin a conversation: what the game is, and what lies in the folder."""
        condition = self.desk.condition
        self.actor = Dialogue()
        self.builder_calls = 0
        names = ", ".join(sorted(self.desk.workspace.files)) or "none yet"
        self.actor.tell(Text(f"{self.instruction}\n\nFiles in your folder: {names}."))
        self._actor_system = prompts.ACTOR
        if condition.has_model:
            self._actor_system += prompts.MODEL + prompts.EDITOR[condition.policy]
        self._show()

    def _show(self) -> None:
        """Tell the actor where it stands."""
        attempt, seen = self.desk.evidence.history.current, self.session.seen
        turn = len(attempt.turns) - 1
        available = ", ".join(attempt.turns[-1].available)
        stands = "The attempt is lost: only RESET goes on." if seen.status == "lost" else f"Available: {available}."
        head = f"Level {attempt.level} of {seen.n_levels}, attempt {attempt.number}, turn {turn}. {stands}"
        hint = self._hint()
        advice = "" if hint is None else f"\nThe plan recommends: {hint}"
        self.actor.tell(Seen(f"{head}\n{text_of(attempt.turns[-1].grid)}{advice}", short=f"{head} (grid: /evidence)"))

    def _hint(self) -> GridAction | None:
        """Return the recommended action, and record why a plan is paused when it comes to be."""
        plan, attempt = self.desk.plan, self.desk.evidence.history.current
        if plan is None:
            return None
        if plan.attempt is not attempt or attempt.end is not None:
            self.desk.plan = None
            return None
        hint = plan.recommended(self.desk.model_sha256, attempt.turns[-1].available)
        if plan.paused is not None:
            self._drop_plan()
        return hint

    def _drop_plan(self) -> None:
        plan, self.desk.plan = self.desk.plan, None
        if plan is not None and plan.paused is not None:
            self.session.record(f"{ROOM}.pause", {"reason": plan.paused, "after": plan.n_done, "of": len(plan.actions)})

    def _turn(self) -> None:
        """Ask the actor until it commits an action, its steps are spent, or a budget is."""
        self._acted = False
        surfaced: GridAction | None = self._hint()
        memory: dict[str, Any] = {"tried": set()}
        for _ in range(self.desk.keys.tool_steps):
            answer = self._ask(
                "actor", "act", self._actor_system, self.actor, {**self._facts(), "hint": surfaced, **memory}
            )
            results = []
            for call in answer.calls:
                did = self._use(call, "actor", acted=self._acted)
                memory["tried"] |= {call.name}
                results.append(did)
            self._reply(self.actor, answer, results)
            surfaced = surfaced if self._acted else self._hint()
            if self._acted:
                self._note_hint(surfaced)
                return
            if self._ended() is not None:
                return
        self.session.refuse("nothing", f"no action within {self.desk.keys.tool_steps} calls")

    def _use(self, call: Call, role: Role, *, acted: bool) -> Did:
        if call.name not in {tool.name for tool in self.desk.tools(role, "act" if role == "actor" else "build")}:
            return Did(f"there is no tool {call.name[:40]!r}")
        if "unreadable" in call.arguments:
            return Did("not done: the arguments are no JSON object")
        if call.name == "take_action":
            return Did("not done: one action a turn") if acted else self._take(call)
        if call.name == "call_builder":
            return self._call_builder(str(call.arguments.get("request", ""))[:LONGEST_KEPT])
        return self.desk.use(call, role)

    def _take(self, call: Call) -> Did:
        try:
            action = action_of(dict(call.arguments))
        except ActionError as error:
            return Did(self.session.refuse(str(dict(call.arguments)), str(error)))
        self._taken = action
        self._edited("actor")
        refused = self.session.take(action)
        if refused:
            return Did(refused)
        step = self.desk.evidence.add(action, self.session.seen)
        assert step is not None
        self._step = step
        self._acted = True
        self.n_actions += 1
        if action.number != RESET:
            self.foresight.pending.append(Committed(self.n_actions, step.attempt, step.turn))
        return Did("done")

    def _note_hint(self, surfaced: GridAction | None) -> None:
        """Record whether a recommendation that was surfaced in this turn was followed exactly."""
        plan, step = self.desk.plan, self._step
        if surfaced is None or plan is None:
            return
        end = step.attempt.end
        seen = step.attempt.turns[-1].grid if end is None else end.grid
        followed = plan.took(self._taken, seen)
        self.session.record(f"{ROOM}.hint", {"action": str(surfaced), "taken": str(self._taken), "followed": followed})
        if plan.paused is not None:
            self._drop_plan()

    # --- after an action --------------------------------------------------------------------------------------------

    def _after_action(self) -> None:
        step: Step = self._step
        if self.desk.condition.policy == "trigger" and self._ended() is None:
            self._trigger()
        if step.begun is not None and step.begun.level != step.attempt.level:
            self._settle()
            self._write_notes(step.attempt.level)
            self._begin()
        elif self._ended() is None:
            self._show()

    def _trigger(self) -> None:
        reasons = self.desk.reasons(self.desk.verified("harness"))
        if reasons:
            self._build("trigger", f"The model disagrees with the evidence: {'; '.join(reasons)}.", list(reasons))

    def _call_builder(self, request: str) -> Did:
        if self.builder_calls >= self.desk.keys.builder_calls:
            return Did(f"not done: the builder was called {self.builder_calls} times at this level")
        self.builder_calls += 1
        return Did(self._build("call", f"The actor asks: {request}", [request]))

    def _build(self, why: str, opening: str, reasons: list[str]) -> str:
        """Let the builder work until it is through; return its last words."""
        self.session.record(f"{ROOM}.builder", {"why": why, "reasons": reasons, "after": self.n_actions})
        dialogue, last = Dialogue(), "the builder ended without a word"
        dialogue.tell(Text(f"{self.instruction}\n\n{opening}"))
        memory: dict[str, Any] = {"tried": set()}
        for _ in range(self.desk.keys.builder_steps):
            answer = self._ask(
                "builder", "build", prompts.BUILDER + prompts.MODEL, dialogue, {**self._facts(), **memory}
            )
            results = []
            for call in answer.calls:
                memory["tried"] |= {call.name}
                if call.name == "done":
                    last = str(call.arguments.get("summary", ""))[:LONGEST_KEPT]
                    results.append(Did("done"))
                else:
                    results.append(self._use(call, "builder", acted=False))
            self._reply(dialogue, answer, results)
            if any(call.name == "done" for call in answer.calls) or self.budget.ended() is not None:
                break
        self._use_model()
        return last

    def _write_notes(self, level: int) -> None:
        """Have the actor write down what it learned; the conversation is cleared afterwards."""
        if self._ended() is not None:
            return
        self.actor.tell(Text(prompts.NOTES.format(level=level)))
        memory: dict[str, Any] = {"tried": set(), "completed": level}
        for _ in range(self.desk.keys.tool_steps):
            answer = self._ask("actor", "notes", self._actor_system, self.actor, {**self._facts(), **memory})
            results = []
            known = {tool.name for tool in self.desk.tools("actor", "notes")}
            for call in answer.calls:
                memory["tried"] |= {call.name}
                if call.name not in known or call.name == "done":
                    results.append(Did("done" if call.name in known else f"there is no tool {call.name[:40]!r} now"))
                else:
                    results.append(self.desk.use(call, "actor"))
            self._reply(self.actor, answer, results)
            if any(call.name == "done" for call in answer.calls) or self._ended() is not None:
                break
        self.session.record(f"{ROOM}.files", {"level": level, "files": self.desk.snapshot()})

    # --- asking and recording ---------------------------------------------------------------------------------------

    def _ask(self, role: Role, stage: Any, system: str, dialogue: Dialogue, facts: dict[str, Any]) -> Answer:
        shown = dialogue.shown(self.desk.keys.kept_grids, self.desk.keys.context_characters)
        asked = Question(role, stage, system, shown, self.desk.tools(role, stage), self.clock.elapsed_s(), facts)
        began = time.monotonic()
        answer = self.mind.answer(asked)
        self.clock.inference(answer.latency_s, time.monotonic() - began, answer.throttled_s)
        self.budget.used_calls += 1
        self.budget.used_tokens += answer.tokens
        dialogue.said(answer)
        return answer

    def _reply(self, dialogue: Dialogue, answer: Answer, results: list[Did]) -> None:
        """Tell the agent what its calls came to, and record the whole step."""
        role: Role = "actor" if dialogue is self.actor else "builder"
        if answer.calls:
            verified = self._edited(role)
            dialogue.answered(answer.calls, [one.text for one in results])
            if verified:
                dialogue.tell(Text(verified))
        else:
            dialogue.tell(Text(prompts.NO_CALL))
        tools = [
            {"name": call.name, "arguments": _cut(call.arguments), "result": one.text[:LONGEST_KEPT]}
            for call, one in zip(answer.calls, results, strict=True)
        ]
        used = {"calls": self.budget.used_calls, "tokens": self.budget.used_tokens}
        what = {"role": role, "text": answer.text[:LONGEST_KEPT], "tools": tools, "usage": dict(answer.usage)}
        self.session.record(f"{ROOM}.step", {**what, **used, "after": self.n_actions})

    def _facts(self) -> dict[str, Any]:
        attempt = self.desk.evidence.history.current
        return {
            **self.shared,
            "seen": self.session.seen,
            "attempt_actions": self.session.environment.attempt_actions,
            "level": attempt.level,
            "has_model": self.desk.has_model,
            "model_sha256": self.desk.model_sha256,
        }

    def _edited(self, role: Role) -> str:
        """Take note of edits of the model; return the verification that follows an actor's own."""
        said = self.desk.edited(role)
        self._use_model()
        return said

    def _use_model(self) -> None:
        """From now on the model as it is counts as the one in use; what is pending belongs to the one before."""
        if self.foresight.version != self.desk.n_versions:
            self._settle()
            self.foresight.version, self.foresight.model = self.desk.n_versions, self.desk.workspace.model

    def _settle(self) -> None:
        for found in self.foresight.settled():
            self.session.record(f"{ROOM}.prediction", found)

    def _finish(self) -> None:
        """Verify the last model once more, against everything: these numbers belong to the end of the run."""
        report = self.desk.report()
        found = (
            {} if report is None else {**counts(report), "divergences": [one.to_json() for one in report.divergences]}
        )
        self.session.record(f"{ROOM}.final", {"has_model": report is not None, "files": self.desk.snapshot(), **found})


def _cut(arguments: Any) -> dict[str, Any]:
    return {
        str(name): value if isinstance(value, int | float | bool | None) else str(value)[:LONGEST_KEPT]
        for name, value in dict(arguments).items()
    }
