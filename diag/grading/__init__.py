"""Grading: events -> outcome -> table. Pure and offline; needs the solvers, never a game session or a browser."""
