"""Dead-end takeover: is an agent helped by being told what its state is?"""

from diag.studies.takeover.kind import KIND

__all__ = ["KIND"]
