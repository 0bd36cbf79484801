"""Starts: what the blocks of a study are made of."""
