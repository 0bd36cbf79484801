"""The playtest room."""
