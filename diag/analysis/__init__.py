"""Inference: paired effects with few clusters, the intervals and tests that hold then, and plans with power."""

from diag.analysis.clusters import ClusterTotals, ResamplePlan, cluster_totals
from diag.analysis.effects import Effect, analyse, effect_rows, effects_json
from diag.analysis.estimand import Estimand, EstimandError
from diag.analysis.interval import Interval
from diag.analysis.pairs import DuplicateUnits, Pairs, TableProblem, pair, pool
from diag.analysis.signflip import SignFlip, sign_flip
from diag.analysis.stability import Stability, stability
from diag.analysis.workflow import workflow_estimands

__all__ = [
    "ClusterTotals",
    "DuplicateUnits",
    "Effect",
    "Estimand",
    "EstimandError",
    "Interval",
    "Pairs",
    "ResamplePlan",
    "SignFlip",
    "Stability",
    "TableProblem",
    "analyse",
    "cluster_totals",
    "effect_rows",
    "effects_json",
    "pair",
    "pool",
    "sign_flip",
    "stability",
    "workflow_estimands",
]
