"""`python -m diag ui`: the MLflow UI on the embedded tracker."""

from diag.tracking.ui import main

__all__ = ["main"]
