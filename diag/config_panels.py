"""Schemas of the retry and workflow studies and of the follow-up panels (roles as in `diag.config`)."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config import EpisodesConfig, TakeoverConfig, identity


@dataclass
class RetryConfig(TakeoverConfig):
    """Memory at retry (protocol 4); the keys of a takeover study, and three more."""

    _target_: str = identity("diag.studies.retry.RetryStudy")
    cohorts: list[str] = identity(lambda: ["F"])
    control: str = identity("M0")
    failures: str = identity("rq3")
    """Retries only: a shipped library of source failures (cohort F), or the folder of one."""
    sources: list[str] = identity(list)
    """Retries only: ids of the source failures; an empty list takes all."""
    panel: list[str] = identity(list)
    """Retries only: agents of the whole panel; each runs its own study."""


@dataclass
class PanelTakeoverConfig(TakeoverConfig):
    """The follow-up of the dead-end takeover study; its keys, and four more."""

    _target_: str = identity("diag.studies.takeover_panel.PanelTakeoverStudy")
    libraries: str = identity("rq2+rq2_nut")
    """Takeover panels only: shipped libraries, or folders, joined by `+`."""
    checkpoints: list[str] = identity(list)
    """Takeover panels only: ids of the checkpoints, in plan order."""
    apart: dict[str, str] = identity(dict)
    """Takeover panels only: game -> cohort that its dead ends form."""
    panel: list[str] = identity(list)
    """Takeover panels only: agents of the whole panel; each runs its own study."""


@dataclass
class WorkflowConfig(EpisodesConfig):
    """Knowledge x workflow (protocol 5); the keys of an episode study, and five more."""

    _target_: str = identity("diag.studies.workflow_cells.WorkflowStudy")
    control: str = identity("K0P0")
    cluster: str = identity("objective")
    cells: list[str] = identity(lambda: ["K0P0", "K0P1", "K1P0", "K1P1"])
    """Knowledge x workflow only: arms in the order K0P0, K0P1, K1P0, K1P1."""
    probes_at_s: list[float] = identity(list)
    """Knowledge x workflow only: seconds at which the rules are asked for; those not reached are asked at the end."""
    probe_question: str = identity("")
    """Knowledge x workflow only: the rule probe; {game} is filled in."""
    language: str = identity("en")
    """Knowledge x workflow only: language of cards and answers, en or zh."""
    panel: list[str] = identity(list)
    """Knowledge x workflow only: agents of the whole panel; each runs its own study."""
