"""What the tools of actor and builder do: files, scripts, verification, planning. One desk serves one play."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diag.agents.models.conversation import Call
from diag.agents.models.reply import Tool
from diag.studies.world_model import prompts
from diag.studies.world_model.condition import Condition
from diag.studies.world_model.dialogue import Role
from diag.studies.world_model.evidence import EvidenceStore
from diag.studies.world_model.history import Attempt
from diag.studies.world_model.inside.search import METHODS
from diag.studies.world_model.jailed import Jailed, Replay
from diag.studies.world_model.keys import WorldModelKeys
from diag.studies.world_model.planner import Plan, grid_sha256
from diag.studies.world_model.verifier import Predicted, Report, counts, replays, signal, verify
from diag.studies.world_model.workspace import FileRefused, Workspace, digest_of
from games.grid.actions import CLICK, NAMES, GridAction

ROOM = "world_model"
Record = Callable[[str, dict[str, Any]], None]
LONGEST_SHOWN = 8_000
SHOWN_CELLS = 12
"""Cells of a first divergence that an agent is shown."""


@dataclass(frozen=True)
class Did:
    """What a call came to: words for the agent, and the same as values for scripts."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Desk:
    """The files of one play and what can be done with them."""

    condition: Condition
    keys: WorldModelKeys
    evidence: EvidenceStore
    jailed: Jailed
    record: Record
    """Appends an event at the current clock."""
    snapshots: Path
    """Folder of the contents of the agent's files, by SHA-256."""
    workspace: Workspace = field(default_factory=Workspace)
    plan: Plan | None = None
    n_versions: int = 0
    _model_sha256: str = field(default="", init=False)

    def tools(self, role: Role, stage: str) -> tuple[Tool, ...]:
        """Return the tools of a role under this condition."""
        if stage == "notes":
            return (*prompts.FILES[:3], prompts.DONE)
        model = (prompts.VERIFY, prompts.PLAN) if self.condition.has_model else ()
        if role == "builder":
            return (*prompts.FILES, *model, prompts.DONE)
        calls = (prompts.CALL_BUILDER,) if self.condition.policy == "orchestrator" else ()
        return (*prompts.FILES, *model, *calls, prompts.TAKE_ACTION)

    def may_edit_model(self, role: Role) -> bool:
        """Tell who edits the model here."""
        return role == "builder" if self.condition.has_builder else self.condition.policy == "single"

    @property
    def has_model(self) -> bool:
        """Tell whether there is a model to run."""
        return "model/model.py" in self.workspace.files

    @property
    def model_sha256(self) -> str:
        """The digest of the model's files; empty without any."""
        return self._model_sha256

    def use(self, call: Call, role: Role) -> Did:
        """Do what a call of a tool asks for; whatever is wrong with it is said in words."""
        tool = {
            "list_files": self._list_files, "read_file": self._read_file, "write_file": self._write_file,
            "python": self._python, "verify": self._verify, "plan": self._plan,
        }[call.name]  # fmt: skip
        try:
            return tool(call.arguments, role)
        except FileRefused as error:
            return Did(str(error))

    def give_model(self, files: Mapping[str, bytes]) -> None:
        """Write the model of a control."""
        self.workspace.files |= {f"model/{name}": data for name, data in files.items()}
        self.changed("harness")

    # --- files ------------------------------------------------------------------------------------------------------

    def _list_files(self, arguments: Mapping[str, Any], role: Role) -> Did:
        names = sorted(self.workspace.files)
        return Did("\n".join(f"{name} ({len(self.workspace.files[name])} bytes)" for name in names) or "(no file yet)")

    def _read_file(self, arguments: Mapping[str, Any], role: Role) -> Did:
        name = str(arguments.get("path", ""))
        if name not in self.workspace.files:
            raise FileRefused(f"there is no file {name[:60]!r}")
        return Did(self.workspace.files[name].decode("utf-8", errors="replace")[:LONGEST_SHOWN])

    def _write_file(self, arguments: Mapping[str, Any], role: Role) -> Did:
        text = arguments.get("text", "")
        content = text if isinstance(text, bytes) else str(text).encode("utf-8", errors="replace")
        self.workspace.write(str(arguments.get("path", "")), content, may_edit_model=self.may_edit_model(role))
        return Did("written")

    def _python(self, arguments: Mapping[str, Any], role: Role) -> Did:
        ran = self.jailed.script(str(arguments.get("code", "")), self.workspace.files, self.evidence.root)
        said = self.workspace.take(ran.files, may_edit_model=self.may_edit_model(role))
        output = ran.output if len(ran.output) <= LONGEST_SHOWN else f"{ran.output[:LONGEST_SHOWN]}\n[... cut]"
        return Did("\n".join(filter(None, (output or "(nothing was printed)", said))))

    def edited(self, role: Role) -> str:
        """Record what changed; an actor's own edit of the model is verified before it can act. Returns the words."""
        if self.changed(role) and self.has_model and self.condition.policy == "single":
            return self._verify({}, role).text
        return ""

    def changed(self, by: str) -> bool:
        """Record a new version of the model's files, if they are one; tell whether they are."""
        model = self.workspace.model
        digest = digest_of(model) if model else ""
        if digest == self._model_sha256:
            return False
        self._model_sha256 = digest
        self.n_versions += 1
        self.snapshot()
        self.record(
            f"{ROOM}.model", {"version": self.n_versions, "by": by, "model_sha256": digest, "files": _names(model)}
        )
        return True

    def snapshot(self) -> dict[str, str]:
        """Keep the contents of the agent's files, evidence excluded; return path to SHA-256."""
        self.snapshots.mkdir(exist_ok=True)
        for data in self.workspace.files.values():
            path = self.snapshots / hashlib.sha256(data).hexdigest()
            if not path.exists():
                path.write_bytes(data)
        return _names(self.workspace.files)

    # --- the model --------------------------------------------------------------------------------------------------

    def predictions(self, attempts: tuple[Attempt, ...]) -> list[tuple[Predicted, ...]]:
        """Return what the present model says of attempts."""
        lines = [Replay(one.level, one.turns[0].grid, one.actions) for one in attempts]
        return self.jailed.predict(self.workspace.model, lines)

    def report(self) -> Report | None:
        """Verify the present model; None without one."""
        if not self.has_model:
            return None
        history = self.evidence.history
        return verify(history, self.predictions(replays(history)))

    def reasons(self, report: Report | None) -> tuple[str, ...]:
        """Return why the trigger fires now."""
        latest = self.evidence.history.latest.values()
        n_changed = sum(
            bool((before.grid != after.grid).any())
            for attempt in latest
            for before, after in zip(attempt.turns, attempt.turns[1:], strict=False)
        )
        return signal(report, n_graded=n_changed)

    def verified(self, by: str) -> Report | None:
        """Verify and record."""
        report = self.report()
        if report is not None:
            self.record(f"{ROOM}.verify", {"by": by, "version": self.n_versions, **counts(report)})
        return report

    def _verify(self, arguments: Mapping[str, Any], role: Role) -> Did:
        report = self.verified(role)
        if report is None:
            return Did("there is no model: write model/model.py")
        return Did(report_text(report), {"report": report})

    def _plan(self, arguments: Mapping[str, Any], role: Role) -> Did:
        attempt = self.evidence.history.current
        if not self.has_model:
            return Did("there is no model: write model/model.py", {"status": "no model"})
        if attempt.end is not None:
            return Did("the attempt is over: RESET first", {"status": "over"})
        method = str(arguments.get("method") or "auto")
        if method not in METHODS:
            return Did(f"method: got {method[:40]!r}, wanted one of {', '.join(METHODS)}", {"status": "method"})
        plain = [name for name in attempt.turns[-1].available if name != NAMES[CLICK]]
        line = Replay(attempt.level, attempt.turns[0].grid, attempt.actions)
        found = self.jailed.plan(
            self.workspace.model, line, plain, method=method, states=self.keys.plan_states,
            seconds=self.keys.run_s * 0.8,
        )  # fmt: skip
        status = {"status": found.status}
        plan = self._planned(attempt, line, found.actions) if found.status == "found" else None
        artifact = status if plan is None else plan.artifact(found.status)
        self.record(f"{ROOM}.plan", {"by": role, "method": method, "fault": found.fault, **artifact})
        if plan is None:
            return Did(_NO_PLAN.get(found.status, f"no plan: {found.fault}"), status)
        self.plan = plan
        return Did(f"found: {', '.join(map(str, plan.actions)) or 'nothing left to do'}", status)

    def _planned(self, attempt: Attempt, line: Replay, actions: tuple[GridAction, ...]) -> Plan:
        whole = Replay(line.level, line.grid, (*line.actions, *actions))
        (states,) = self.jailed.predict(self.workspace.model, [whole])
        after = states[len(line.actions) + 1 :]
        expected = tuple("" if one.render is None else grid_sha256(one.render) for one in after)
        now = attempt.turns[-1].grid
        return Plan(attempt, len(attempt.turns) - 1, grid_sha256(now), self.model_sha256, actions, expected)


_NO_PLAN = {
    "none": "no plan: no state of this model completes the level",
    "limit": "no plan: the search met its limit",
    "replay": "no plan: what was found does not complete the level a second time",
}


def report_text(report: Report) -> str:
    """Return a verification in words."""
    if not report.graded:
        said = ["no graded transition yet"]
    else:
        said = [
            f"accepted {report.accepted:.3f} of {len(report.graded)} graded transitions, strict {report.strict:.3f}, "
            f"coverage {report.coverage:.3f} ({report.status}), known cells right {_shown(report.known_cell)}"
        ]
    for one in report.divergences:
        cells = ", ".join(f"({r}, {c}): {said_} not {seen}" for r, c, said_, seen in one.cells[:SHOWN_CELLS])
        what = one.fault or f"{len(one.cells)} cells wrong, such as {cells}"
        said.append(f"first divergence at level {one.level}, turn {one.turn}, {one.action}: {what}")
    wrong = [check for check in report.outcomes if not check.holds]
    said += [f"level {one.level}, turn {one.turn}: outcome {one.found}, was {one.wanted}" for one in wrong[:5]]
    return "\n".join(said)


def _shown(share: float | None) -> str:
    return "of none" if share is None else f"{share:.3f}"


def _names(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
