"""Whole episodes (RQ1): one pure function per measure, over one episode's events."""
