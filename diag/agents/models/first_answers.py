"""Says once when all of an endpoint's first answers were malformed: a server's parser is wrong, not the model.

Every process counts for itself, and does so again when it is started again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from diag.terminal import complain

N_FIRST = 10
_SEEN: Counter[tuple[str, str]] = Counter()
"""Agent and endpoint -> answers so far; one that was whole ends the count."""


def note(agent: str, endpoint: str, faults: Sequence[str]) -> None:
    """Count an answer, and warn when the first ten were malformed.

    Args:
        agent: the agent's name.
        endpoint: label of the address that answered.
        faults: what was malformed in the answer; none if it was whole.
    """
    seen = _SEEN[agent, endpoint]
    if seen >= N_FIRST:
        return
    _SEEN[agent, endpoint] = seen + 1 if faults else N_FIRST
    if faults and seen + 1 == N_FIRST:
        complain(
            f"WARNING: each of the first {N_FIRST} answers of {agent} was malformed, the last with {faults[0]}: most "
            "likely a fault of the server's tool parser and not of the model; python -m diag agent-check shows it"
        )
