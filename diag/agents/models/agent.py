"""A model agent: context in, one request, one answer, a decision. Its factory is what `conf/agent/` instantiates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from diag.agents.models import first_answers
from diag.agents.models.access import check_observation, check_request
from diag.agents.models.asking import Asker
from diag.agents.models.calling import Answered
from diag.agents.models.clients.contract import Client, Sampling
from diag.agents.models.conversation import Conversation, Kept, Rendered, RenderTurn, converse, summary_request
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.contract import UNREADABLE, Format, OtherTool
from diag.agents.models.formats.thoughts import spoken
from diag.agents.models.prompts import Prompts
from diag.agents.models.recording import RecordingEnds
from diag.agents.models.screens import Screens
from diag.records import InfrastructureFailure
from diag.session.contract import CallTime, Decision, Observation, Privilege, PublicContext, Turn
from games.contract import JsonObject

LONGEST_RAW = 4_000


@dataclass
class ModelAgent:
    """One model in one attempt."""

    name: str
    simulated: bool
    client: Client
    sampling: Sampling
    format: Format
    contract: CoordinateContract
    prompts: Prompts
    screens: Screens
    asker: Asker
    attempt_limit_s: float
    privilege: Privilege = "none"
    reads_scene: Literal[False] = False
    summary_time: CallTime | None = field(default=None, init=False)
    """What the last summary took."""
    _summaries: list[JsonObject] = field(default_factory=list, init=False)
    """Usage of summaries since the last decision; reported with the next one."""
    _elapsed_s: float = field(default=0.0, init=False)
    _kept: list[tuple[str, Kept]] = field(default_factory=list, init=False)
    """Reason of each decision of this attempt, and what its provider wants back with it."""

    def decide(self, observation: Observation) -> Decision:
        """Ask for the next actions.

        Raises:
            InfrastructureFailure: the endpoint failed (`api`, `response`) or a picture of the context is missing.
        """
        check_observation(observation, self.name)
        self._elapsed_s = observation.elapsed_s
        self.screens.add(observation.screenshot_png)
        render = self.rendering(observation.context)
        sent = converse(observation, prompts=self.prompts, system=self.system, render=render, load=self.screens.load)
        check_request(sent, observation, self.name)
        request = self.client.request(sent, self.format.tools(self.contract), self.sampling)
        remaining_s = self.attempt_limit_s - observation.elapsed_s
        try:
            got = self.asker.ask("decide", observation.elapsed_s, request, sent, remaining_s)
        except RecordingEnds:
            late_s = max(remaining_s, 0.0) + 1.0
            return Decision((), "the recorded attempt ended here", late_s, usage={"recording": "ended"})
        return self.decision(got, sent)

    def summarize(self, context: PublicContext) -> str:
        """Ask for the summary of the turns in context. Raises InfrastructureFailure."""
        render = self.rendering(context)
        sent = summary_request(context, prompts=self.prompts, system=self.system, render=render, load=self.screens.load)
        check_request(sent, Observation(context, b"", None, self._elapsed_s), self.name)
        request = self.client.request(sent, self.format.tools(self.contract), self.sampling, may_call=False)
        try:
            got = self.asker.ask("summary", self._elapsed_s, request, sent, self.attempt_limit_s - self._elapsed_s)
        except RecordingEnds:
            return ""
        self.summary_time = CallTime(got.latency_s, got.throttled_s)
        self._summaries.append(self.asker.usage(got, sent))
        return spoken(got.reply.text).strip()

    def take_summaries(self) -> tuple[JsonObject, ...]:
        """Return the usage of texts that no decision has reported yet; the next decision then leaves it out."""
        taken = tuple(self._summaries)
        self._summaries.clear()
        return taken

    @property
    def continuation_prompts(self) -> int:
        """As its format declares."""
        return self.format.continuation_prompts

    @property
    def system(self) -> str:
        """The system prompt: how to act, and the limits of the model's space."""
        x_max, y_max = self.contract.limits
        text = self.prompts.text(self.format.prompt)
        return text.replace("{x_max}", str(x_max)).replace("{y_max}", str(y_max))

    def render(self, turn: Any, place: int) -> Any:
        """Return a past turn in the format's own words."""
        return self.format.render(turn, place, self.contract)

    def rendering(self, context: PublicContext) -> RenderTurn:
        """Return the rendering of a context's turns; the agent's own come with what their provider wants back."""
        n_turns = len(context.prefix) + len(context.recent)

        def render(turn: Turn, place: int) -> Rendered:
            said, answered = self.render(turn, place)
            back = n_turns - place
            if place >= len(context.prefix) and back <= len(self._kept):
                reason, kept = self._kept[-back]
                if kept.blocks and reason == turn.reason:
                    said = (kept, *said)
            return said, answered

        return render

    def decision(self, got: Answered, sent: Conversation) -> Decision:
        """Return what an answer decides. Raises InfrastructureFailure for a tool that was not offered."""
        try:
            parsed = self.format.parse(got.reply, self.contract)
        except OtherTool as error:
            raise InfrastructureFailure("response", str(error)) from error
        faults = [str(action["fault"]) for action in parsed.actions if action.get("name") == UNREADABLE]
        faults += parsed.read_all_the_same
        if got.endpoint is not None:
            first_answers.note(self.name, got.endpoint, faults)
        usage = {
            **self.asker.usage(got, sent),
            "format": self.format.name,
            "coordinates": self.contract.to_json(),
            "malformed": faults,
            "raw": _raw(got),
            **({"summaries": list(self._summaries)} if self._summaries else {}),
            **({"safety_checks": list(got.reply.safety_checks)} if got.reply.safety_checks else {}),
        }
        self._kept.append((parsed.reason, Kept(got.reply.kept)))
        self._summaries.clear()
        return Decision(parsed.actions, parsed.reason, got.latency_s, parsed.stop, usage)


def _raw(got: Answered) -> JsonObject:
    """Return what the model said before any conversion, for the record of each decision."""
    calls = [{"name": call.name, "arguments": repr(call.arguments)[:LONGEST_RAW]} for call in got.reply.calls]
    return {"text": got.reply.text[:LONGEST_RAW], "calls": calls}
