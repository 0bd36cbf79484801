"""Simulated agents: a parametric player of the visible scene, negative controls, and an oracle labelled as one.

They validate the pipeline. What they do is no finding about a model, and every table says `simulated`.
"""

from diag.agents.simulated.parametric import Parametric
from diag.agents.simulated.player import Pace, Player, PlayerFactory
from diag.agents.simulated.policies import Chooser, Idle, Intent, OracleSettings, Policy, PolicySettings
from diag.agents.simulated.propensities import Propensities
from diag.agents.simulated.view import View

__all__ = [
    "Chooser",
    "Idle",
    "Intent",
    "OracleSettings",
    "Pace",
    "Parametric",
    "Player",
    "PlayerFactory",
    "Policy",
    "PolicySettings",
    "Propensities",
    "View",
]
