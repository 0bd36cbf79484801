"""One answer from an endpoint: tries, waits and deadlines, with every try recorded and every failure typed.

An agent is charged for the try that was answered. Failed tries and waits before it are the apparatus's: they are
reported as `throttled_s`, which a working or virtual clock leaves out. The `wall` clock counts them; there, an answer
that these waits pushed past the deadline is an infrastructure failure, not a slow agent.

* rate limit (429): wait as told (Retry-After) or with growing pauses, for `wait_limit_s` in all;
* server trouble (5xx), timeout, dropped connection: at most `tries`, then `InfrastructureFailure` of kind `api`;
* incomplete answers (cut JSON, cut text, filtered): at most `incomplete_tries`, then kind `response`;
* a refusal of this request (400, 413, 422): kind `api` at once; of every request (401, 403, 404, a model that takes no
  pictures): `EndpointRefused`, which stops the study, as no unit would fare better.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from diag.agents.models.clients.contract import CallFailed, Client, Connection
from diag.agents.models.reply import IncompleteReply, Reply
from diag.errors import DiagError
from diag.records import InfrastructureFailure
from games.contract import JsonObject

REFUSALS = frozenset((401, 403, 404))
SHORTEST_RETRY_S = 0.05


class EndpointRefused(DiagError):
    """The endpoint refuses this key, model or address: nothing of the study can run."""


@dataclass(frozen=True)
class Patience:
    """How long an endpoint is waited for."""

    request_timeout_s: float = 180.0
    """Of one try, from its first byte to the last of its answer."""
    tries: int = 5
    incomplete_tries: int = 2
    first_wait_s: float = 1.0
    """Before the second try; doubles each time, with jitter from half to the whole."""
    longest_wait_s: float = 60.0
    wait_limit_s: float = 900.0
    """Of one answer: all its failed tries and waits together."""

    def __post_init__(self) -> None:
        if min(self.request_timeout_s, self.first_wait_s, self.longest_wait_s, self.wait_limit_s) <= 0:
            raise ValueError(f"patience: times are above 0, got {self}")
        if min(self.tries, self.incomplete_tries) < 1:
            raise ValueError(f"patience: at least one try, got {self}")


class Gate(Protocol):
    """Who may ask now: shared by all workers of an endpoint."""

    def enter(self, limit_s: float) -> bool:
        """Wait for a place, at most `limit_s`; False if there was none."""

    def leave(self, failure: CallFailed | None) -> None:
        """Give the place back and say how it went."""


class NoGate:
    """Everyone may ask."""

    def enter(self, limit_s: float) -> bool:
        """Let the caller in."""
        return True

    def leave(self, failure: CallFailed | None) -> None:
        """Keep nothing."""


@dataclass(frozen=True)
class Answered:
    """A complete answer and what it took."""

    reply: Reply
    answer: JsonObject
    latency_s: float
    """Of the try that was answered."""
    throttled_s: float
    """Real time before that try began: failed tries, waits, queueing."""
    tries: tuple[JsonObject, ...]
    endpoint: str | None = None
    """Label of the address that answered; None where a recording does not tell."""


@dataclass
class Caller:
    """Asks one endpoint on behalf of one attempt."""

    client: Client
    connection: Connection
    patience: Patience
    gate: Gate
    rng: np.random.Generator
    counts_waits: bool
    """True on a clock that cannot leave waits out."""
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def ask(self, request: JsonObject, remaining_s: float) -> Answered:
        """Return the endpoint's answer.

        Args:
            request: the body.
            remaining_s: what is left of the attempt on its clock.

        Raises:
            InfrastructureFailure: kinds `api` and `response`, in bounded time.
            EndpointRefused: the study cannot run.
        """
        return _Asking(self, request, remaining_s).run()


@dataclass
class _Asking:
    """The state of one request across its tries."""

    caller: Caller
    request: JsonObject
    remaining_s: float
    tries: list[dict[str, Any]] = field(default_factory=list)
    n_failed: int = 0
    n_incomplete: int = 0

    def run(self) -> Answered:
        caller = self.caller
        self.began = caller.monotonic()
        while True:
            self._enter()
            try_began = caller.monotonic()
            failure: CallFailed | None = None
            try:
                answer = caller.connection.send(self.request, caller.patience.request_timeout_s)
                reply = caller.client.read(answer)
            except CallFailed as error:
                failure = error
            except IncompleteReply as error:
                failure = CallFailed("incomplete", str(error))
            finally:
                caller.gate.leave(failure)
            took_s = caller.monotonic() - try_began
            if failure is None:
                return self._answered(reply, answer, try_began - self.began, took_s)
            self._failed(failure, took_s)

    def _enter(self) -> None:
        limit_s = self._left_s()
        if not self.caller.gate.enter(max(limit_s, 0.0)):
            raise self._failure("api", f"no place at the endpoint within {limit_s:.0f} s")

    def _left_s(self) -> float:
        """Return how much longer tries may begin."""
        limits = [self.caller.patience.wait_limit_s]
        if self.caller.counts_waits:
            limits.append(self.remaining_s)
        return min(limits) - (self.caller.monotonic() - self.began)

    def _answered(self, reply: Reply, answer: JsonObject, waited_s: float, took_s: float) -> Answered:
        late_by_waits = waited_s + took_s >= self.remaining_s > took_s
        if self.caller.counts_waits and self.tries and late_by_waits:
            raise self._failure("api", f"{waited_s:.1f} s of failed tries pushed the answer past the deadline")
        self.tries.append({"trouble": None, "latency_s": round(took_s, 3)})
        return Answered(reply, answer, round(took_s, 3), round(waited_s, 3), tuple(self.tries))

    def _failed(self, failure: CallFailed, took_s: float) -> None:
        """Record a failed try; wait before the next, or give up."""
        record = {"trouble": failure.trouble, "status": failure.status, "latency_s": round(took_s, 3)}
        self.tries.append({**record, "message": failure.message})
        self.n_failed += failure.trouble != "rate_limit"
        self.n_incomplete += failure.trouble == "incomplete"
        patience = self.caller.patience
        if failure.trouble == "blind":
            raise EndpointRefused(f"the endpoint takes no pictures, and a study shows screenshots: {failure.message}")
        if failure.trouble == "permanent":
            if failure.status in REFUSALS:
                raise EndpointRefused(f"the endpoint refuses: {failure.message}")
            raise self._failure("api", failure.message)
        if self.n_incomplete >= patience.incomplete_tries:
            raise self._failure("response", failure.message)
        if self.n_failed >= patience.tries:
            raise self._failure("api", failure.message)
        wait_s = self._wait_s(failure)
        if wait_s >= self._left_s():
            raise self._failure("api", f"no time left for another try after: {failure.message}")
        self.tries[-1]["waited_s"] = round(wait_s, 3)
        self.caller.sleep(wait_s)

    def _wait_s(self, failure: CallFailed) -> float:
        if failure.retry_after_s is not None:
            return max(failure.retry_after_s, SHORTEST_RETRY_S)
        patience = self.caller.patience
        grown = min(patience.first_wait_s * 2.0 ** min(len(self.tries) - 1, 20), patience.longest_wait_s)
        return float(grown * self.caller.rng.uniform(0.5, 1.0))

    def _failure(self, kind: str, message: str) -> InfrastructureFailure:
        n = len(self.tries)
        return CallGaveUp(kind, f"after {n} {'try' if n == 1 else 'tries'}: {message}", tuple(self.tries))


class CallGaveUp(InfrastructureFailure):
    """No answer came; carries the tries for the record."""

    def __init__(self, kind: str, message: str, tries: tuple[JsonObject, ...] = ()) -> None:
        super().__init__(kind, message)
        self.tries = tries

    def __reduce__(self) -> Any:
        """Survive the trip from a worker process."""
        return type(self), (self.kind, self.message, self.tries)
