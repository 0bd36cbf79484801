"""Builds: bundles of one game each, with known defects, served apart from the suite."""
