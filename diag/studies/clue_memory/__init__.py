"""Clue memory: a fact is shown on one screen and needed many actions later. What helps to use it?"""
