"""The records of a study: its plan, its units, the events of an attempt, its outcome, and their folder."""

from diag.records.units import (
    ENDINGS,
    EVENT_KINDS,
    SCHEMA_VERSION,
    Ending,
    Event,
    EventKind,
    InfrastructureFailure,
    Outcome,
    Plan,
    Unit,
    Validity,
    is_ending,
    is_event_kind,
)

__all__ = [
    "ENDINGS",
    "EVENT_KINDS",
    "SCHEMA_VERSION",
    "Ending",
    "Event",
    "EventKind",
    "InfrastructureFailure",
    "Outcome",
    "Plan",
    "Unit",
    "Validity",
    "is_ending",
    "is_event_kind",
]
