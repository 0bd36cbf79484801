"""Same-state action branches: what does one costly action change?"""

from diag.studies.action_branch.first_action import FirstAction
from diag.studies.action_branch.kind import KIND

__all__ = ["KIND", "FirstAction"]
