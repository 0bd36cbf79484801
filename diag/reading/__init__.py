"""Reading a finished study: its files, its effects, and the pieces that a page of it is made of."""
