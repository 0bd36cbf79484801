"""Playtest: builds with known defects are repaired in rounds of coding and playing. What do playing and memory add?"""
