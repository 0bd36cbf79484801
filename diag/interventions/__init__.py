"""Interventions: what an arm does to the public context at takeover."""

from diag.interventions.branch import FirstAction
from diag.interventions.contract import Intervention
from diag.interventions.difference import InterferenceError, arm_difference, context_difference
from diag.interventions.text import Text

__all__ = ["FirstAction", "InterferenceError", "Intervention", "Text", "arm_difference", "context_difference"]
