"""What an intervention is: it may change the public context at takeover, and nothing else."""

from __future__ import annotations

from typing import Protocol

from diag.session.contract import Privilege, PublicContext


class Intervention(Protocol):
    """One arm's treatment. It cannot see or change the rules state."""

    name: str
    privilege: Privilege
    """What its author had to know to write the text it adds (a true state fact is `evaluator_state`)."""

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context the arm's agent starts with. `cohort` is D, N, F or S; texts may differ by cohort.

        Raises:
            ValueError: the intervention is not defined for this cohort (arm C on N).
        """

    def covers(self, cohort: str) -> bool:
        """Tell whether the arm exists for the cohort."""
