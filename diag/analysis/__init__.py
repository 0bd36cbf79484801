"""Inference: paired effects with few clusters, the intervals and tests that hold then, and plans with power."""

from diag.analysis.calibrate import Calibration, calibrate, calibrate_runs
from diag.analysis.clusters import ClusterTotals, ResamplePlan, cluster_totals
from diag.analysis.compare import Comparison, UnpairedStudies, compare
from diag.analysis.effects import Effect, analyse, effect_rows, effects_json
from diag.analysis.estimand import Estimand, EstimandError
from diag.analysis.interval import Interval
from diag.analysis.pairs import DuplicateUnits, Pairs, TableProblem, pair, pool
from diag.analysis.plan_calibration import calibrate_plan
from diag.analysis.power import PlannedPower, planned_power
from diag.analysis.signflip import SignFlip, sign_flip
from diag.analysis.simulate import Assumptions
from diag.analysis.stability import Stability, stability

__all__ = [
    "Assumptions",
    "Calibration",
    "ClusterTotals",
    "Comparison",
    "DuplicateUnits",
    "Effect",
    "Estimand",
    "EstimandError",
    "Interval",
    "Pairs",
    "PlannedPower",
    "ResamplePlan",
    "SignFlip",
    "Stability",
    "TableProblem",
    "UnpairedStudies",
    "analyse",
    "calibrate",
    "calibrate_plan",
    "calibrate_runs",
    "cluster_totals",
    "compare",
    "effect_rows",
    "effects_json",
    "pair",
    "planned_power",
    "pool",
    "sign_flip",
    "stability",
]
