"""The records of a study: its plan, its units, the events of an attempt, its outcome, and their folder."""

from diag.records.units import (
    SCHEMA_VERSION,
    Ending,
    Event,
    EventKind,
    InfrastructureFailure,
    Outcome,
    Plan,
    Unit,
    Validity,
)

__all__ = [
    "SCHEMA_VERSION",
    "Ending",
    "Event",
    "EventKind",
    "InfrastructureFailure",
    "Outcome",
    "Plan",
    "Unit",
    "Validity",
]
