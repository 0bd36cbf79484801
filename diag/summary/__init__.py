"""Effects of many studies and models side by side, from their files alone."""
