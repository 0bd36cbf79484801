"""Whole episodes: where and why do they stall?"""
