"""Execution: units in parallel, one journalled attempt at a time."""
