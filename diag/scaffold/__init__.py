"""Working, tested examples in a user's own folder: where their intervention, agent, game or study begins."""
