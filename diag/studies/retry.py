"""Memory at retry (RQ3, protocol 4): from an agent's own failure, after its restart, with more or less memory of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from checkpoints.store import Checkpoint
from diag.agents.contract import PublicContext, Turn
from diag.csv_text import csv_text
from diag.errors import ConfigError
from diag.interventions.memory import COHORT, Memory
from diag.interventions.tokens import TOKENS_VERSION
from diag.outcomes.accounts import ACCOUNT_VERSION
from diag.outcomes.retry import ENDPOINTS
from diag.plan import Block
from diag.records import Event, Outcome
from diag.studies.contract import CheckpointSource
from diag.studies.panel import panel_note
from diag.studies.takeover import TakeoverStudy
from games.contract import JsonObject

if TYPE_CHECKING:
    from games.catalogue import Catalogue

ACCOUNT_COLUMNS = (
    "unit_id", "arm", "source", "status", "tokens_written", "tokens", "capacity_tokens", "sha256", "ended",
    "blames_execution", "names_holes", "resumes_plan", "different_plan", "text",
)  # fmt: skip


@dataclass(frozen=True)
class RetryStudy(TakeoverStudy):
    """Which source failures are retried, under which memory conditions."""

    failures: str = "rq3"
    """A shipped library of cohort F, or the folder of one."""
    sources: Sequence[str] = ()
    """Ids of the source failures; all of the library if empty."""
    panel: Sequence[str] = ()
    """Agents of the whole panel, if the study is one of several that are read together."""
    cohorts: Sequence[str] = (COHORT,)
    control: str = "M0"
    endpoints: Sequence[str] = ("completion", "recurrence", "best_progress")

    def __post_init__(self) -> None:
        """Check the arms. Raises ConfigError: one is no memory condition, or texts have different capacities."""
        super().__post_init__()
        for arm, one in self.arms.items():
            if not isinstance(one, Memory):
                raise ConfigError(f"study.arms.{arm} is {one.name}, no memory condition: wanted one of memory_*")
        capacities = {
            arm: one.capacity_tokens for arm, one in self.arms.items() if isinstance(one, Memory) and one.writes
        }
        if len(set(capacities.values())) > 1:
            raise ConfigError(
                f"study.arms: capacity_tokens differ ({capacities}); texts are compared at equal capacity"
            )

    def endpoint_names(self) -> tuple[str, ...]:
        """Return the endpoints of retry grading."""
        return ENDPOINTS

    def library_name(self, configured: str) -> str:
        """Return the library of source failures."""
        del configured
        return self.failures

    def executor(self) -> Callable[..., Any]:
        """Return the executor that restarts natively and lets the agent write."""
        from diag.execution.retry import RetryExecutor

        return RetryExecutor

    def blocks(self, library: CheckpointSource) -> tuple[Block, ...]:
        """Return a block per source failure, in library order. Raises ConfigError for an unknown source."""
        found = super().blocks(library)
        known = {block.checkpoint_id for block in found}
        unknown = [name for name in self.sources if name not in known]
        if unknown:
            raise ConfigError(f"study.sources: {unknown[0]!r} is no source of {library.name!r}")
        return tuple(block for block in found if not self.sources or block.checkpoint_id in self.sources)

    def ordinary_context(self, checkpoint: Checkpoint) -> PublicContext:
        """Return the objective and the whole public history of the failure, the restart that ended it included."""
        context = super().ordinary_context(checkpoint)
        reasons = [turn.reason for turn in checkpoint.prefix]
        turns = [replace(turn, reason=reason) for turn, reason in zip(context.prefix, reasons, strict=True)]
        restart = checkpoint.provenance.get("restart")
        if restart is None:
            raise ConfigError(f"{checkpoint.checkpoint_id} holds no native restart; wanted a source failure (cohort F)")
        last = Turn((dict(restart["action"]),), str(restart["feedback"]), str(restart["reason"]), None)
        return replace(context, prefix=(*turns, last))

    def grader(self, levels: Catalogue) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the retry grading with a certifier over the registered solvers."""
        from diag.outcomes.certifier import SolverCertifier
        from diag.outcomes.retry import grade_retry

        certify, limit_s = SolverCertifier(levels.layout), self.limits.takeover_s
        return lambda events, plan_hash: grade_retry(events, certify=certify, plan_hash=plan_hash, limit_s=limit_s)

    def plan_notes(self, agent: str, n_blocks: int, n_units: int) -> tuple[str, ...]:
        """Return how many retries this agent and the whole panel have."""
        line = f"{n_blocks} source failures x {len(self.arms)} memory conditions = {n_units} retries"
        return (line, *panel_note(agent, self.panel, (n_units,), "retries"))

    def identity(self) -> JsonObject:
        """Return everything that can change an outcome."""
        own = {"sources": list(self.sources), "token": TOKENS_VERSION, "account_codes": ACCOUNT_VERSION}
        return {**super().identity(), **own}

    def own_tables(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, str]:
        """Return every text with its codes for manual reading, the endings by arm, and the endpoint stability."""
        return {
            "accounts.csv": csv_text(ACCOUNT_COLUMNS, _accounts(rows)),
            "endings.csv": csv_text(("arm", "ended", "n", "of"), _endings(rows)),
            "stability.csv": csv_text(("arm", "n_repeated", "n_kept"), _stability(rows)),
        }

    def summary_lines(self, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """Return the endings by arm, and how many repeated units kept theirs."""
        by_arm: dict[str, list[str]] = defaultdict(list)
        for row in _endings(rows):
            by_arm[row["arm"]].append(f"{row['ended']} {row['n']}")
        lines = [f"{arm}: {', '.join(parts)} of {_n(rows, arm)}" for arm, parts in sorted(by_arm.items())]
        repeated = _stability(rows)
        n, kept = sum(row["n_repeated"] for row in repeated), sum(row["n_kept"] for row in repeated)
        return (*lines, *((f"endpoint stability: {kept} of {n} repeated units keep their ending",) if n else ()))


def _accounts(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for row in rows:
        memory = row["details"].get("memory")
        if memory is not None:
            codes = {name.removeprefix("code_"): row.get(name) for name in row if name.startswith("code_")}
            found.append(
                {**codes, **memory, "unit_id": row["unit_id"], "arm": row["arm"], "source": row["checkpoint_id"],
                 "ended": row["details"]["ended"]}
            )  # fmt: skip
    return found


def _endings(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        counts[str(row["arm"]), str(row["details"]["ended"])] += 1
    return [{"arm": arm, "ended": how, "n": n, "of": _n(rows, arm)} for (arm, how), n in sorted(counts.items())]


def _n(rows: Sequence[Mapping[str, Any]], arm: str) -> int:
    return sum(row["arm"] == arm for row in rows)


def _stability(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return, per arm, sources retried more than once, and those of them whose endings are all the first one."""
    endings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in sorted(rows, key=lambda one: int(one["repeat"])):
        endings[str(row["arm"]), str(row["block_id"])].append(row["details"]["ended"])
    arms: dict[str, list[bool]] = {arm: [] for arm, _ in sorted(endings)}
    for (arm, _), found in endings.items():
        if len(found) > 1:
            arms[arm].append(len(set(found)) == 1)
    return [{"arm": arm, "n_repeated": len(kept), "n_kept": sum(kept)} for arm, kept in arms.items()]
