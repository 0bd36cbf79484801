"""Rush Hour: slide the vehicles out of the way so that the red car can leave on the right."""
