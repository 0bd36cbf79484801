"""Grading: events -> outcome -> table. Pure and offline; needs the solvers, never a game session or a browser."""

from diag.outcomes.certifier import SolverCertifier
from diag.outcomes.log import AttemptLog
from diag.outcomes.rationale import RATIONALE_VERSION, blames_click, names_cause
from diag.outcomes.table import (
    BlockMismatch,
    DuplicateOutcome,
    ForeignOutcome,
    IncompleteBlock,
    OutcomeTable,
    TableError,
    outcome_table,
    read_table,
    retry_balance,
    write_table,
)
from diag.outcomes.takeover import Certify, TakeoverLimits, Verdict, grade_takeover
from diag.outcomes.track import TrackPoint, certificate_track
from diag.outcomes.walk import IncompleteLog, LevelMismatch, MalformedLog, NeverRan, PlanMismatch

__all__ = [
    "RATIONALE_VERSION",
    "AttemptLog",
    "BlockMismatch",
    "Certify",
    "DuplicateOutcome",
    "ForeignOutcome",
    "IncompleteBlock",
    "IncompleteLog",
    "LevelMismatch",
    "MalformedLog",
    "NeverRan",
    "OutcomeTable",
    "PlanMismatch",
    "SolverCertifier",
    "TableError",
    "TakeoverLimits",
    "TrackPoint",
    "Verdict",
    "blames_click",
    "certificate_track",
    "grade_takeover",
    "names_cause",
    "outcome_table",
    "read_table",
    "retry_balance",
    "write_table",
]
