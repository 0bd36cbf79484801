"""`python -m diag relocate`: repair the embedded tracker after outputs/ was moved."""

from diag.tracking.relocate import main

__all__ = ["main"]
