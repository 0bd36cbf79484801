"""Studies: a room for each kind, and what a kind and a study are."""
