"""Inference: paired effects with few clusters, the intervals and tests that hold then, and plans with power."""
