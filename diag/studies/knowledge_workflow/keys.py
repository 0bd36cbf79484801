"""The keys of a study of knowledge x workflow."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from diag.config.roles import identity
from diag.config.study import LimitsConfig, StudyConfig, hour_without_action_limit


@dataclass
class WorkflowKeys(StudyConfig):
    """Knowledge x workflow (protocol 5)."""

    kind: str = identity("knowledge_workflow")
    cohorts: list[str] = identity(lambda: ["E"])
    control: str = identity("K0P0")
    cluster: str = identity("objective")
    limits: LimitsConfig = identity(hour_without_action_limit)
    objectives: list[str] = identity(list)
    """Objectives (`game/difficulty`) in catalogue order; an empty list takes all."""
    cells: list[str] = identity(lambda: ["K0P0", "K0P1", "K1P0", "K1P1"])
    """Arms in the order K0P0, K0P1, K1P0, K1P1."""
    probes_at_s: list[float] = identity(list)
    """Seconds at which the rules are asked for; those not reached are asked at the end."""
    probe_question: Any = identity("")
    """The rule probe, one text or one per language; {game} is filled in."""
