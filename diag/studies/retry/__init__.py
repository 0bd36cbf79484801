"""Memory at retry: is an agent helped by what it remembers of its failure?"""
