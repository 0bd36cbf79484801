"""Same-state action branches: what does one costly action change?"""

from diag.studies.action_branch.first_action import FirstAction

__all__ = ["FirstAction"]
