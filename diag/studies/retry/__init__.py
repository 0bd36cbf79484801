"""Memory at retry: is an agent helped by what it remembers of its failure?"""

from diag.studies.retry.kind import KIND

__all__ = ["KIND"]
