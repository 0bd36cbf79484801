"""`python -m diag relocate`: repair the embedded tracker after outputs/ was moved."""

from diag.relocate import main

__all__ = ["main"]
