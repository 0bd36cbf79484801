"""Interventions: what an arm does to the public context at takeover."""

from diag.arms.contract import Intervention
from diag.arms.difference import InterferenceError, arm_difference, context_difference
from diag.arms.text import Text

__all__ = ["InterferenceError", "Intervention", "Text", "arm_difference", "context_difference"]
