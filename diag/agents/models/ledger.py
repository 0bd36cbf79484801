"""What a study has spent, over all workers and all resumes, and its hard limits.

The ledger is asked before every call. At a limit it raises `LimitReached`, an error that stops the study in one line:
finished units stay, the unit in hand is set aside and run again by a later resume with a higher limit (limits are no
part of a study's identity). Calls already under way may still be paid: at most one per worker.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock

from diag.agents.models.reply import Tokens
from diag.errors import DiagError
from diag.records.sealed import write_whole

LOCK_TIMEOUT_S = 60.0


class LimitReached(DiagError):
    """A hard limit of cost or tokens. Not an outcome of any unit."""

    exit_code = 6


@dataclass(frozen=True)
class Spent:
    """Sums over all calls of a study that were answered."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    images: int = 0
    calls_without_tokens: int = 0
    """Calls whose tokens the endpoint did not report: the sums are lower bounds if there are any."""
    cost: float | None = 0.0
    """Null from the first call whose price is unknown."""

    def plus(self, tokens: Tokens, images: int, cost: float | None) -> Spent:
        """Return the sums with one more call."""
        return Spent(
            self.calls + 1,
            self.input_tokens + (tokens.input or 0),
            self.output_tokens + (tokens.output or 0),
            self.images + images,
            self.calls_without_tokens + (tokens.input is None or tokens.output is None),
            None if self.cost is None or cost is None else self.cost + cost,
        )


@dataclass(frozen=True)
class SpendingLimits:
    """Hard limits of a study; None: no such limit."""

    cost: float | None = None
    tokens: int | None = None
    """Input and output together."""
    calls: int | None = None

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value is not None and not value > 0:
                raise ValueError(f"limits.{name} is above 0 or null, got {value}")

    @property
    def any(self) -> bool:
        """Tell whether there is a limit at all."""
        return any(value is not None for value in asdict(self).values())

    def require(self, spent: Spent) -> None:
        """Raise LimitReached if a limit is used up, or can no longer be watched."""
        tokens = spent.input_tokens + spent.output_tokens
        for name, used, limit in (
            ("cost", spent.cost, self.cost),
            ("tokens", tokens, self.tokens),
            ("calls", spent.calls, self.calls),
        ):
            if limit is not None and used is not None and used >= limit:
                raise LimitReached(
                    f"agent.limits.{name}={limit:g} is used up ({used:g} spent); the study stops here, "
                    f"and the same command with a higher agent.limits.{name} goes on"
                )
        if self.cost is not None and spent.cost is None:
            raise LimitReached("agent.limits.cost cannot be watched: the cost of an earlier call is unknown")
        if self.tokens is not None and spent.calls_without_tokens:
            raise LimitReached("agent.limits.tokens cannot be watched: the endpoint reports no tokens")


@dataclass(frozen=True)
class Ledger:
    """The sums on disk; any number of processes may add to them."""

    folder: Path

    def spent(self) -> Spent:
        """Return what was spent so far. Raises DiagError if the ledger is damaged: it never starts anew by itself."""
        try:
            return Spent(**json.loads(self._path.read_text()))
        except FileNotFoundError:
            return Spent()
        except (ValueError, TypeError) as error:
            raise DiagError(f"{self._path} is damaged; correct it by hand or remove it: {error}") from error

    def add(self, tokens: Tokens, images: int, cost: float | None) -> Spent:
        """Add one call and return the new sums."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self.folder / "spent.lock", timeout=LOCK_TIMEOUT_S):
            spent = self.spent().plus(tokens, images, cost)
            write_whole(self._path, (json.dumps(asdict(spent)) + "\n").encode(), durable=False)
        return spent

    @property
    def _path(self) -> Path:
        return self.folder / "spent.json"
