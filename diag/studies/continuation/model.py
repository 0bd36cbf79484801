"""A model in the same place as any agent: one conversation with four tools, until it answers without calling one.

It acts through the client of its workspace, reads and writes files there, and nothing else; the client's own folder is
closed to it. It gets no shell and runs no code: the jail of `docs/how-to/code-execution.md` lets no program of its own
reach a socket, so the harness calls the client for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diag.agents.models import ModelFactory
from diag.agents.models.agent import ModelAgent
from diag.agents.models.conversation import Call, Conversation, Kept, Message, Part, Result, Text, merged
from diag.agents.models.recording import RecordingEnds
from diag.agents.models.reply import Reply, Tool
from diag.session.contract import Privilege
from diag.studies.continuation.agents import Hands, Returned, TimeIsUp, Usage
from diag.studies.continuation.client import OWN

MOST_CALLS = 500
"""Model calls of one invocation; with more the agent is taken to have returned."""
LONGEST_READ = 20_000
"""Characters of a file that are shown at once."""
SYSTEM = (
    "You have a folder and four tools. `act` performs actions of the environment in order, as `python client.py` "
    "would, and stops at the first that is refused. `read` shows a text file of your folder, `list` its files, `write` "
    "writes a file. To return, answer without calling a tool: what you write is your report."
)
_PATH = {"path": {"type": "string"}}
_ACTIONS = {"actions": {"type": "array", "items": {"type": "object"}}}
TOOLS = (
    Tool("act", "Perform JSON actions in order.", {"type": "object", "properties": _ACTIONS, "required": ["actions"]}),
    Tool("read", "Show a text file.", {"type": "object", "properties": _PATH, "required": ["path"]}),
    Tool("list", "List the files of a folder.", {"type": "object", "properties": _PATH, "required": ["path"]}),
    Tool(
        "write",
        "Write a text file.",
        {"type": "object", "properties": {**_PATH, "text": {"type": "string"}}, "required": ["path", "text"]},
    ),
)


def conversing_model(factory: ModelFactory, seed: int) -> ModelConversing:
    """Return a model for one attempt."""
    return ModelConversing(factory.build(seed))


@dataclass
class ModelConversing:
    """One model in one attempt."""

    model: ModelAgent
    privilege: Privilege = "none"
    _messages: list[Message] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.model.name

    @property
    def simulated(self) -> bool:
        """Whether the endpoint is no model."""
        return self.model.simulated

    def invoke(self, prompt: str, hands: Hands) -> Returned:
        """Ask, do what is called for, ask again, until an answer calls nothing.

        Raises:
            InfrastructureFailure: the endpoint or the environment failed.
            TimeIsUp: the attempt's time is over.
        """
        self._messages.append(Message("user", (Text(prompt),)))
        usages: list[dict[str, Any]] = []
        for _ in range(MOST_CALLS):
            reply, usage = self._asked(hands)
            usages.append(usage)
            self._messages.append(Message("assistant", _said(reply)))
            if not reply.calls:
                return Returned(reply.text, _usage(usages))
            results = tuple(Result(call.call_id, done(call, hands)) for call in reply.calls)
            self._messages.append(Message("user", results))
            if hands.client.saved["terminal"]:
                return Returned(reply.text, _usage(usages))
        return Returned(f"(no answer after {MOST_CALLS} calls)", _usage(usages))

    def _asked(self, hands: Hands) -> tuple[Reply, dict[str, Any]]:
        model = self.model
        sent = Conversation(SYSTEM, merged(tuple(self._messages)))
        request = model.client.request(sent, TOOLS, model.sampling)
        try:
            got = model.asker.ask("decide", hands.elapsed_s, request, sent, model.attempt_limit_s - hands.elapsed_s)
        except RecordingEnds as end:
            raise TimeIsUp from end
        hands.spend(got.latency_s, got.throttled_s)
        return got.reply, dict(model.asker.usage(got, sent))


def _said(reply: Reply) -> tuple[Part, ...]:
    kept: tuple[Part, ...] = (Kept(reply.kept),) if reply.kept else ()
    text: tuple[Part, ...] = (Text(reply.text),) if reply.text.strip() or not reply.calls else ()
    return (*kept, *text, *reply.calls)


def done(call: Call, hands: Hands) -> str:
    """Do what a call asks for and return what to tell the model; a fault of the call is told too."""
    arguments = call.arguments
    if call.name == "act":
        actions = arguments.get("actions")
        if not isinstance(actions, list) or not actions:
            return "error: actions: wanted a list of JSON actions"
        return _acted(actions, hands)
    path = _inside(hands.client.workspace, arguments.get("path"))
    if path is None:
        return f"error: path: got {arguments.get('path')!r:.80}, wanted one in your folder"
    try:
        return _filed(call.name, path, arguments)
    except (OSError, ValueError) as error:
        return f"error: {type(error).__name__}: {error}".replace(str(hands.client.workspace), ".")


def _acted(actions: list[Any], hands: Hands) -> str:
    told = []
    for action in actions:
        told.append(hands.act(action, 0.0))
        if told[-1].startswith("refused:"):
            break
        if hands.client.saved["terminal"]:
            break
        told.append(hands.client.observed("feedback.txt"))
    return "\n".join(line for line in told if line)


def _filed(name: str, path: Path, arguments: Any) -> str:
    if name == "read":
        text = path.read_text(encoding="utf-8")
        return text if len(text) <= LONGEST_READ else f"{text[:LONGEST_READ]}\n[cut after {LONGEST_READ} characters]"
    if name == "list":
        return "\n".join(sorted(one.name for one in path.iterdir() if one.name != OWN)) or "(empty)"
    if name != "write":
        return f"error: there is no tool {name!r}; wanted act, read, list or write"
    if path.parts[-1:] == ("client.py",) or "observations" in path.parts:
        return "error: path: what the environment has shown stays as it is"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(arguments.get("text", "")), encoding="utf-8")
    return "written"


def _inside(workspace: Path, path: Any) -> Path | None:
    """Return a path in the workspace outside the client's own folder, links resolved; None for any other."""
    if not isinstance(path, str) or "\0" in path:
        return None
    root = workspace.resolve()
    found = (root / path).resolve()
    return found if found.is_relative_to(root) and not found.is_relative_to(root / OWN) else None


def _usage(usages: list[dict[str, Any]]) -> Usage:
    """Sum what calls used; a count that the endpoint did not report of any call is unknown, never 0."""

    def total(name: str) -> int | None:
        counts = [one[name] for one in usages]
        return None if None in counts else sum(counts)

    return Usage(total("input_tokens"), total("cached_tokens"), total("output_tokens"), len(usages))
